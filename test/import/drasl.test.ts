import { expect, test } from "bun:test";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDrasl } from "../../src/adapters/sources/drasl.ts";
import type { SourceGiven } from "../../src/adapters/sources/given.ts";
import { copyAlone, type DraslFolder, makeDrasl } from "./drasl-database.ts";
import { faultOf, givenFor, recordsOf, rowsOf, sourceTools } from "./read-source.ts";

const salt = "8a57295dd309583b634fb2bea287680b";
const key = "83e89330147d6a240419114c14f71fcbd0bf85b93aea11318707beb782432037";
const skin = "a".repeat(64);
const cape = "b".repeat(64);

const open = (given: Partial<SourceGiven>) => openDrasl(givenFor("drasl", given), sourceTools);

function addUser(
  { run }: DraslFolder,
  uuid: string,
  row: Readonly<Record<string, string | number | Uint8Array | null>>,
): void {
  const whole = {
    is_admin: 0,
    is_locked: 0,
    username: uuid,
    password_salt: Uint8Array.fromHex(salt),
    password_hash: Uint8Array.fromHex(key),
    minecraft_token: "MC_SECRET",
    api_token: "SECRET",
    preferred_language: "en",
    max_player_count: -2,
    ...row,
    uuid,
  };
  run(
    `INSERT INTO users (${Object.keys(whole).join(", ")}) VALUES (${Object.keys(whole)
      .map(() => "?")
      .join(", ")})`,
    Object.values(whole),
  );
}

function addPlayer(
  { run }: DraslFolder,
  uuid: string,
  [name, user, at]: readonly [string, string, string],
  looks: { readonly skin?: string; readonly model?: string; readonly cape?: string } = {},
): void {
  run(
    `INSERT INTO players (uuid, name, offline_uuid, created_at, skin_hash, skin_model, cape_hash, fallback_player, user_uuid)
     VALUES (?, ?, '', ?, ?, ?, ?, 'Notch', ?)`,
    [uuid, name, at, looks.skin ?? null, looks.model ?? "classic", looks.cape ?? null, user],
  );
}

test("reads what is in the log alone, while the program runs", async () => {
  await using drasl = await makeDrasl();
  addUser(drasl, "u1", { username: "ada", is_admin: 1, preferred_language: "ru", max_player_count: -1 });
  addUser(drasl, "u2", { username: "bob@example.org", is_locked: 1, max_player_count: 3 });
  addUser(drasl, "u3", { username: "oidc", password_salt: null, password_hash: new Uint8Array() });
  addPlayer(drasl, "p1", ["ada", "u1", "2026-11-22 06:48:57.7+00:00"], { skin, model: "slim", cape });
  addPlayer(drasl, "p2", ["older", "u1", "2025-01-01 00:00:00+00:00"], { skin });
  addPlayer(drasl, "p3", ["lost", "gone", "2026-01-01 00:00:00+00:00"]);
  drasl.run("INSERT INTO user_oidc_identities VALUES (1, 'u3', 'subject-3', 'https://id.example.org')");
  drasl.run("INSERT INTO invites VALUES ('SECRETCODE', '2026-01-01 00:00:00+00:00')");
  await using source = await open({ file: drasl.file });
  expect(source.facts).toMatchObject({ accounts: 3, uuidRule: null, isAboutOthers: false });
  const found = await recordsOf(source);
  const rest = { mailVerified: false, lastSeenAt: null, uuid: null };
  const password = { text: key, kind: "scrypt", salt };
  expect(found.accounts).toEqual([
    {
      ...rest,
      key: "users:u1",
      login: "ada",
      mail: null,
      password,
      level: 3,
      suspended: null,
      language: "ru",
      createdAt: Date.parse("2025-01-01T00:00:00Z") / 1000,
      playersMax: 100,
    },
    {
      ...rest,
      key: "users:u2",
      login: null,
      mail: "bob@example.org",
      password,
      level: 1,
      suspended: { until: null, reason: "" },
      language: "en",
      createdAt: null,
      playersMax: 3,
    },
    {
      ...rest,
      key: "users:u3",
      login: "oidc",
      mail: null,
      password: null,
      level: 1,
      suspended: null,
      language: "en",
      createdAt: null,
      playersMax: null,
    },
  ]);
  expect(found.players).toEqual([
    {
      key: "players:p1",
      account: "users:u1",
      name: "ada",
      uuid: "p1",
      skin: `skin:${skin}`,
      skinModel: "slim",
      cape: `cape:${cape}`,
      createdAt: Date.parse("2026-11-22T06:48:57Z") / 1000,
    },
    {
      key: "players:p2",
      account: "users:u1",
      name: "older",
      uuid: "p2",
      skin: `skin:${skin}`,
      skinModel: "classic",
      cape: null,
      createdAt: Date.parse("2025-01-01T00:00:00Z") / 1000,
    },
    {
      key: "players:p3",
      account: "users:gone",
      name: "lost",
      uuid: "p3",
      skin: null,
      skinModel: "classic",
      cape: null,
      createdAt: Date.parse("2026-01-01T00:00:00Z") / 1000,
    },
  ]);
  const texture = { name: null, model: null, createdAt: null };
  expect(found.textures).toEqual([
    { ...texture, key: `skin:${skin}`, kind: "skin", file: skin },
    { ...texture, key: `cape:${cape}`, kind: "cape", file: cape },
  ]);
  expect(found.identities).toEqual([
    {
      key: "user_oidc_identities:1",
      account: "users:u3",
      issuer: "https://id.example.org",
      subject: "subject-3",
      username: null,
    },
  ]);
  expect(found.factors.map(({ account }) => account)).toEqual(["users:u1", "users:u2", "users:u3"]);
  expect(found.invites).toEqual([{ key: "invites:1" }]);
  expect(JSON.stringify(found)).not.toContain("SECRET");
});

test("refuses a copy without its log, and takes one with it", async () => {
  await using drasl = await makeDrasl();
  addUser(drasl, "u1", {});
  const copy = await copyAlone(drasl);
  expect(await faultOf(open({ file: copy }))).toMatch(
    /copy\.db: it has no tables; .*copy\.db-wal alone: copy both files/,
  );
  await cp(`${drasl.file}-wal`, `${copy}-wal`);
  await using source = await open({ file: copy });
  expect(await rowsOf(source.accounts())).toHaveLength(1);
});

test("refuses a database without people", async () => {
  await using drasl = await makeDrasl();
  expect(await faultOf(open({ file: drasl.file }))).toMatch(/it has no users; .*-wal alone/);
});

test.each([
  [5, /its version is 5, of a drasl before 4, .*: start drasl 4 once/],
  [7, /its version is 7, of a newer drasl/],
])("refuses version %d", async (version, sentence) => {
  await using drasl = await makeDrasl({ version });
  addUser(drasl, "u1", {});
  expect(await faultOf(open({ file: drasl.file }))).toMatch(sentence);
});

test("refuses what is no drasl.db", async () => {
  await using drasl = await makeDrasl();
  drasl.run("DROP TABLE users");
  expect(await faultOf(open({ file: drasl.file }))).toMatch(
    /there is no table users .*is this the file drasl\.db/,
  );
  await writeFile(join(drasl.folder, "text.db"), "no database ".repeat(100));
  expect(await faultOf(open({ file: join(drasl.folder, "text.db") }))).toMatch(/it is no SQLite database/);
  expect(await faultOf(open({ file: drasl.folder }))).toMatch(/it is a folder/);
  expect(await faultOf(open({ file: join(drasl.folder, "none.db") }))).toMatch(
    "none.db: no such file or folder",
  );
  expect(await faultOf(open({}))).toMatch(/drasl needs its database/);
});

test("reads textures beside the file, in another state folder, or in folders of their own", async () => {
  await using drasl = await makeDrasl();
  addUser(drasl, "u1", {});
  addPlayer(drasl, "p1", ["ada", "u1", "2026-11-22 06:48:57+00:00"], { skin, cape });
  await writeFile(join(drasl.folder, `skin/${skin}.png`), "skin");
  await writeFile(join(drasl.folder, `cape/${cape}.png`), "cape");
  const given: readonly Partial<SourceGiven>[] = [
    {},
    { textures: drasl.folder },
    { textures: join(drasl.folder, "skin"), capes: join(drasl.folder, "cape") },
  ];
  for (const folders of given) {
    await using source = await open({ file: drasl.file, ...folders });
    const textures = await rowsOf(source.textures());
    const files = await Promise.all(textures.map((texture) => source.readTexture(texture, 10)));
    expect(files.map((bytes) => new TextDecoder().decode(bytes ?? undefined))).toEqual(["skin", "cape"]);
  }
  expect(await faultOf(open({ file: drasl.file, textures: "/nowhere" }))).toMatch("no such file or folder");
});

test("does not follow a name out of the folder", async () => {
  await using drasl = await makeDrasl();
  addUser(drasl, "u1", {});
  addPlayer(drasl, "p1", ["ada", "u1", "2026-11-22 06:48:57+00:00"], { skin: "../../etc/passwd" });
  await using source = await open({ file: drasl.file });
  const [texture] = await rowsOf(source.textures());
  if (texture === undefined) throw new Error("a texture lacks");
  expect(await faultOf(source.readTexture(texture, 10))).toBe("its file has no name of drasl's");
});
