/**
 * What is committed reaches the listeners of this process and of others, in order, and a gap is never passed
 * over.
 */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import type { Change, Subject } from "../../src/domain/ports/change-feed.ts";
import type { Stores } from "../../src/domain/ports/stores.ts";
import type { Texture } from "../../src/domain/model/texture.ts";
import { newTextureFile, newUuid, parseTextureHash, type SkinId, type Uuid } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";

/** Two processes on one database, as a server and a command are, and what the first one hears. */
async function openTwo() {
  await using opened = new AsyncDisposableStack();
  const path = join(opened.use(await temporaryFolder()).path, "test.db");
  migrateDatabase(path);
  const server = opened.use(openDatabase(path));
  const command = opened.use(openDatabase(path));
  const past = opened.use(new Database(path));
  past.run("PRAGMA busy_timeout = 5000");
  const heard: Change[] = [];
  server.changes.subscribe((change) => heard.push(change));
  let now = performance.now();
  const closing = opened.move();
  return {
    server,
    command,
    /** Writes past both. */
    past,
    /** What the server has heard since the last call. */
    hear: () => heard.splice(0),
    /** The same 20 ms later: from then on another process's changes are seen. */
    hearLater: () => {
      now += 20;
      server.changes.position(now);
      return heard.splice(0);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** An account with a player, a skin that it wears, and a cape on that. */
async function insertMember({ accounts, players, textures }: Stores, name: string) {
  const uuid = newUuid();
  const fixed = {
    mail: null,
    registration: "complete",
    mailVerified: false,
    passwordHash: null,
    language: "en",
    createdAt: 1,
  } as const;
  const account = await accounts.insertAccount({ ...fixed, uuid, permanentLevel: 1 });
  const player = await players.insertPlayer({ uuid, accountId: account.id, name, createdAt: 1 });
  const texture = await someTexture(textures);
  const [skinUuid, capeUuid] = [newUuid(), newUuid()];
  const rest = { name, createdAt: 1, textureHash: texture.hash } as const;
  const capeId = await textures.insertCape({ ...rest, uuid: capeUuid, wingsHash: null, uploadedBy: "cli" });
  const worn = { ...rest, uuid: skinUuid, accountId: account.id, model: "slim" } as const;
  const skinId = await textures.insertSkin({ ...worn, capeId });
  await players.selectSkin(player.id, skinId);
  const ids = { player: uuid, offline: offlineUuid(name), skin: skinUuid, cape: capeUuid };
  return { account, player, skinId, capeId, texture, ids };
}

async function someTexture(textures: Stores["textures"]): Promise<Texture> {
  const hash = parseTextureHash(Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));
  if (hash === null) throw new Error("no hash");
  const texture = { hash, file: newTextureFile(hash), digest: "d".repeat(64), width: 64, height: 64 };
  await textures.insertTexture({ ...texture, createdAt: 1 });
  return texture;
}

type Made = Awaited<ReturnType<typeof insertMember>>;

/** Another uuid for each. */
const otherUuid = (uuid: Uuid): Uuid => offlineUuid(uuid);

describe("each write is heard by its subjects", () => {
  type Write = (stores: Stores, made: Made) => Promise<unknown>;
  const writes: Readonly<Record<string, readonly [Write, (made: Made) => readonly Subject[]]>> = {
    "a player that is renamed": [
      ({ players }, { player }) => players.renamePlayer(player.id, `${player.name}Other`),
      ({ ids, player }) => [
        `player:${ids.player}`,
        `player:${ids.offline}`,
        `player:${offlineUuid(`${player.name}Other`)}`,
      ],
    ],
    "a player that is removed": [
      ({ players }, { player }) => players.deletePlayer(player.id),
      ({ ids }) => [`player:${ids.player}`, `player:${ids.offline}`],
    ],
    "a player that gets another uuid": [
      ({ players }, { player, account }) => players.setUuid(player.id, otherUuid(account.uuid)),
      ({ ids, account }) => [
        `player:${ids.player}`,
        `player:${ids.offline}`,
        `player:${otherUuid(account.uuid)}`,
      ],
    ],
    "a player whose offline uuid is written": [
      ({ players }, { player }) => players.writeOfflineUuids([player]),
      ({ ids }) => [`player:${ids.player}`, `player:${ids.offline}`],
    ],
    "a skin that is selected": [
      ({ players }, { player, skinId }) => players.selectSkin(player.id, skinId),
      ({ ids }) => [`player:${ids.player}`],
    ],
    "a skin that is changed twice": [
      async ({ textures }, { skinId }) => {
        await textures.updateSkin(skinId, { model: "classic" });
        await textures.updateSkin(skinId, { capeId: null });
      },
      ({ ids }) => [`skin:${ids.skin}`],
    ],
    "a skin that is only named": [
      ({ textures }, { skinId }) => textures.updateSkin(skinId, { name: "Other" }),
      () => [],
    ],
    "a skin that is deleted": [
      ({ textures }, { skinId }) => textures.deleteSkin(skinId),
      ({ ids }) => [`skin:${ids.skin}`],
    ],
    "skins of a picture that is banned": [
      ({ textures }, { texture }) => textures.deleteSkinsShowing(texture.hash, 10),
      ({ ids }) => [`skin:${ids.skin}`],
    ],
    "a cape that is deleted": [
      ({ textures }, { capeId }) => textures.deleteCape(capeId),
      ({ ids }) => [`cape:${ids.cape}`],
    ],
    "a cape that is taken off": [
      ({ textures }, { account, capeId }) => textures.unlinkCapes([account.id], [capeId]),
      ({ ids }) => [`skin:${ids.skin}`],
    ],
    "an account that is deleted": [
      ({ accounts }, { account }) => accounts.deleteAccount(account.id),
      ({ ids }) => [`player:${ids.player}`, `player:${ids.offline}`, `skin:${ids.skin}`],
    ],
    "a texture that is released": [
      async ({ textures }, { skinId, capeId, texture }) => {
        await textures.deleteSkin(skinId);
        await textures.deleteCape(capeId);
        await textures.deleteTextureIfUnused(texture.hash);
      },
      ({ ids, texture }) => [`skin:${ids.skin}`, `cape:${ids.cape}`, `texture:${texture.hash}`],
    ],
    "a texture that is in use": [
      ({ textures }, { texture }) => textures.deleteTextureIfUnused(texture.hash),
      () => [],
    ],
    "a password": [
      ({ accounts }, { account }) => accounts.updateAccount(account.id, { passwordHash: "hash" }),
      () => [],
    ],
    "a cape that was not worn": [
      ({ textures }, { account }) => textures.unlinkCapes([account.id], [0 as never]),
      () => [],
    ],
    "a player that is not there": [({ players }) => players.renamePlayer(0 as never, "Other"), () => []],
  };

  test.each(Object.entries(writes))("%s", async (_, [write, subjectsOf]) => {
    await using two = await openTwo();
    const made = await two.server.atomically((stores) => insertMember(stores, "Alice"));
    const { ids } = made;
    expect(two.hear()).toEqual([
      [`player:${ids.player}`, `player:${ids.offline}`, `cape:${ids.cape}`, `skin:${ids.skin}`],
    ]);
    await two.server.atomically((stores) => write(stores, made));
    const subjects = subjectsOf(made);
    expect(two.hear()).toEqual(subjects.length === 0 ? [] : [subjects]);

    const again = await two.command.atomically((stores) => insertMember(stores, "Bob"));
    two.hearLater();
    await two.command.atomically((stores) => write(stores, again));
    expect(two.hear()).toEqual([]);
    const others = subjectsOf(again);
    expect(two.hearLater()).toEqual(others.length === 0 ? [] : [others]);
  });
});

test("a listener hears of a commit before the transaction's promise resolves, and reads what was committed", async () => {
  await using two = await openTwo();
  const read: Promise<unknown>[] = [];
  const { changes, reads, atomically } = two.server;
  using _listening = changes.subscribe((change) => {
    const [, uuid = ""] = /^player:(.+)$/.exec(change[0] ?? "") ?? [];
    read.push(reads.textures.findAppearance({ by: "uuid", value: uuid as Uuid }));
  });
  // A read just before keeps a snapshot open.
  await reads.textures.findAppearance({ by: "name", value: "alice" });
  await atomically((stores) => insertMember(stores, "Alice"));
  expect(read).toHaveLength(1);
  expect(await read[0]).toMatchObject({ name: "Alice" });
});

test("a listener that is disposed of hears nothing more", async () => {
  await using two = await openTwo();
  const heard: Change[] = [];
  const listening = two.server.changes.subscribe((change) => heard.push(change));
  await two.server.atomically((stores) => insertMember(stores, "Alice"));
  listening[Symbol.dispose]();
  await two.server.atomically((stores) => insertMember(stores, "Bob"));
  expect(heard).toHaveLength(1);
});

test("a transaction that fails is not heard, nor written with the next one", async () => {
  await using two = await openTwo();
  const failed = two.server.atomically(async (stores) => {
    await insertMember(stores, "Alice");
    throw new Error("no");
  });
  expect(await failed.catch((error: unknown) => String(error))).toBe("Error: no");
  const { ids } = await two.server.atomically((stores) => insertMember(stores, "Bob"));
  const all = [`player:${ids.player}`, `player:${ids.offline}`, `cape:${ids.cape}`, `skin:${ids.skin}`];
  expect(two.hear()).toEqual([all] as Change[]);
  expect(two.past.query("SELECT kind || ':' || subject AS subject FROM change ORDER BY id").all()).toEqual(
    all.map((subject) => ({ subject })),
  );
});

describe("another process", () => {
  test("is heard 20 ms after the last look, not earlier", async () => {
    await using two = await openTwo();
    const looked = performance.now() + 1000;
    two.server.changes.position(looked);
    const { ids } = await two.command.atomically((stores) => insertMember(stores, "Alice"));
    two.server.changes.position(looked + 19.9);
    expect(two.hear()).toEqual([]);
    const before = two.server.changes.position(looked + 19.9);
    expect(two.server.changes.position(looked + 20)).not.toBe(before);
    expect(two.hear()).toEqual([
      [`player:${ids.player}`, `player:${ids.offline}`, `cape:${ids.cape}`, `skin:${ids.skin}`],
    ]);
  });

  test("that changes nothing of delivery leaves the position where it was", async () => {
    await using two = await openTwo();
    const before = two.server.changes.position();
    await two.command.atomically(({ codes }) => codes.deleteExpiredCodes("reset", 1, 2));
    two.past.run("UPDATE accounts SET level = level");
    expect(two.hearLater()).toEqual([]);
    expect(two.server.changes.position()).toBe(before);
  });

  test("whose commits lie between ours is heard in full", async () => {
    await using two = await openTwo();
    const mine = await two.server.atomically((stores) => insertMember(stores, "Mine"));
    const theirs = await two.command.atomically((stores) => insertMember(stores, "Theirs"));
    two.hear();
    await two.server.atomically(select(mine, null));
    expect(two.hear()).toEqual([[`player:${mine.ids.player}`]]);
    await two.command.atomically(select(theirs, null));
    const heard = two.hearLater().flat();
    expect(heard).toContain(`player:${theirs.ids.player}`);
    expect(heard).toContain(`skin:${theirs.ids.skin}`);
    expect(heard).not.toContain("interrupted");
    // And each once: what was heard is behind us.
    await two.command.atomically(select(theirs, theirs.skinId));
    expect(two.hearLater()).toEqual([[`player:${theirs.ids.player}`]]);
  });

  test("is not waited for by what this one commits alone, however much that is", async () => {
    await using two = await openTwo();
    const made = await two.server.atomically((stores) => insertMember(stores, "Alice"));
    // Rows of our own are pruned meanwhile, and are no gap.
    for (let round = 0; round < 60; round++) await two.server.atomically((stores) => noteMany(stores, 100));
    two.hear();
    await two.command.atomically(({ players }) => players.selectSkin(made.player.id, null));
    expect(two.hearLater()).toEqual([[`player:${made.ids.player}`]]);
  });
});

describe("the feed was interrupted", () => {
  test("where more was changed than is kept; the table stays bounded", async () => {
    await using two = await openTwo();
    for (let round = 0; round < 60; round++) await two.command.atomically((stores) => noteMany(stores, 100));
    expect(two.hearLater()).toEqual(["interrupted"]);
    const rows = two.past.query<{ rows: number }, []>("SELECT count(*) AS rows FROM change").get()?.rows ?? 0;
    expect(rows).toBeLessThanOrEqual(5_100);
    // And goes on from there.
    const { ids } = await two.command.atomically((stores) => insertMember(stores, "Alice"));
    expect(two.hearLater()).toEqual([
      [`player:${ids.player}`, `player:${ids.offline}`, `cape:${ids.cape}`, `skin:${ids.skin}`],
    ]);
  });

  const damages: Readonly<Record<string, readonly string[]>> = {
    "where a row is missing": ["DELETE FROM change WHERE id = (SELECT max(id) FROM change)"],
    "where an older copy took the database's place": [
      "DELETE FROM change WHERE id > 1",
      "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'change'",
    ],
  };
  test.each(Object.entries(damages))("%s", async (_, statements) => {
    await using two = await openTwo();
    await two.server.atomically((stores) => insertMember(stores, "Alice"));
    two.hear();
    if (statements.length === 1) await two.command.atomically((stores) => insertMember(stores, "Bob"));
    for (const statement of statements) two.past.run(statement);
    expect(two.hearLater()).toEqual(["interrupted"]);
    const { ids } = await two.command.atomically((stores) => insertMember(stores, "Carol"));
    expect(two.hearLater()).toEqual([
      [`player:${ids.player}`, `player:${ids.offline}`, `cape:${ids.cape}`, `skin:${ids.skin}`],
    ]);
  });
});

function select({ player }: Made, skin: SkinId | null) {
  return ({ players }: Stores) => players.selectSkin(player.id, skin);
}

/** So many subjects that are no one's. */
async function noteMany({ textures }: Stores, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const hash = parseTextureHash(number.toString(16).padStart(64, "0"));
    if (hash === null) throw new Error("no hash");
    const facts = { digest: "d".repeat(64), width: 64, height: 64, createdAt: 1 };
    await textures.insertTexture({ hash, file: newTextureFile(hash), ...facts });
    await textures.deleteTextureIfUnused(hash);
  }
}
