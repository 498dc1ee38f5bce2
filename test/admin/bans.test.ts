/** Bans of bitmaps (docs/contract/admin.md#bans). */
import { afterAll, describe, expect, test } from "bun:test";
import { compose } from "../../src/boot/compose.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { banTexture, purgeBanned } from "../../src/domain/textures/ban-texture.ts";
import { addCape } from "../../src/domain/textures/capes.ts";
import { uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { parseTextureHash, type TextureHash } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { capeForm } from "../support/capes.ts";
import { addMember, addSkin, grantCape, playerOf, upload, type Member } from "../support/members.ts";
import { openModeratedSkins } from "../support/moderated-skins.ts";
import { profileOf, statusesOf } from "../support/registration.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";
import { bitmapHash, capePng, skinBitmap, skinPng, textureFiles } from "../support/textures.ts";

const { harness, now, chief, moderator, alice, bob, unready, first, asking } = await openModeratedSkins();
afterAll(() => harness[Symbol.asyncDispose]());

/** Its files in the folder; in a bucket, where they stay for an hour, those that a row names. */
const filesOf = (hash: TextureHash) =>
  harness.config.blobs === null
    ? textureFiles(harness.folder, hash)
    : harness.services.reads.textures.listTextureFiles([hash]);

let count = 0;
/** A bitmap that is in no wardrobe yet. */
const someBitmap = () => {
  const seed = (count += 1) + 500;
  return { file: skinPng(seed), hash: parseTextureHash(bitmapHash(skinBitmap(seed)))! };
};
const banned = async (reason = "") => {
  const { file, hash } = someBitmap();
  await banTexture(harness.services, commandLine, { hash, reason });
  return { file, hash };
};
const removing = (uuid: string, json: object): Scenario => ({
  ...asking(`DELETE /api/admin/skin/${uuid}`),
  json,
  status: 204,
});
const lifting = (hash: string): Scenario => ({ ...asking(`DELETE /api/admin/bans/${hash}`), status: 204 });
const statusOf = async (path: string) => (await harness.fetch(path)).status;

type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
const audited = () => {
  const rows = harness.database.everything()["audit_entries"] as readonly Row[];
  const { issuer, action, for_account_id: about, detail } = rows.at(-1)!;
  return { issuer, action, about, ...JSON.parse(detail) };
};
const bansOf = async (query = "") => {
  const headers = { authorization: moderator.authorization };
  const response = await harness.fetch(`/api/admin/bans${query}`, { headers });
  return ((await response.json()) as { data: readonly { id: number; hash: string }[] }).data;
};

describe("DELETE /api/admin/skin/:uuid with a ban", () => {
  test("removes the bitmap from every wardrobe, and mails its owner alone why", async () => {
    const { file, hash } = someBitmap();
    const owners: Member[] = [];
    for (const name of ["One", "Two", "Three"]) owners.push(await addMember(harness, `${name}${count}`));
    const skins: string[] = [];
    for (const owner of [...owners, owners[0]!]) skins.push(await addSkin(harness, owner, { file }));
    const own = await addSkin(harness, owners[1]!, { file: someBitmap().file });
    const heads = owners.map(({ uuid }) => `/api/skin/head/${uuid}`);
    for (const path of [`/textures/${hash}`, ...heads]) expect(await statusOf(path)).toBe(200);
    const files = await harness.countFiles();

    const reason = "It shows a forbidden symbol";
    const mail = { template: "skin-removed", username: owners[2]!.name, skin: expect.any(String), reason };
    await play(harness, {
      ...removing(skins[2]!, { reason, ban: true }),
      mails: [{ to: owners[2]!.mail, language: "en", mail }],
    });

    for (const skin of skins) await expectError(await harness.fetch(`/api/skin/public/${skin}`), 404);
    await expectError(await harness.fetch(`/textures/${hash}`), 404);
    for (const path of heads)
      expect((await harness.fetch(path)).headers.get("x-texture-default")).not.toBeNull();
    expect(await harness.countFiles()).toBe(files - 1);
    expect(await profileOf(harness, owners[1]!)).toMatchObject({ Skin: [{ Uuid: own }] });
    expect(audited()).toMatchObject({
      issuer: "Moderata",
      action: "skin.delete",
      about: owners[2]!.account.id,
      old: { hash },
      reason,
      ban: true,
      skins_removed: 4,
    });
    expect((await bansOf(`?q=${hash}`)) as readonly unknown[]).toEqual([
      { id: expect.any(Number), hash, iss: "Moderata", time: now, reason },
    ]);
  });

  test("is refused while a cape shows the bitmap, whose deletion is for administrators", async () => {
    const file = capePng(80);
    const cape = await grantCape(harness, [bob], file);
    const skin = await addSkin(harness, alice, { file });
    await play(harness, {
      ...removing(skin, { ban: true }),
      status: 409,
      msg: `ban: a cape shows the bitmap ${cape.texture.hash}; an administrator has to delete the cape first`,
    });
    await play(harness, removing(skin, { ban: false }));
  });

  test("lets others read and write while it goes through many wardrobes", async () => {
    const { file, hash } = someBitmap();
    const named = await addSkin(harness, alice, { file });
    await fillWardrobes(hash, 500);
    const done: string[] = [];
    const ban = harness
      .fetch(`/api/admin/skin/${named}`, {
        method: "DELETE",
        headers: { authorization: moderator.authorization, "content-type": "application/json" },
        body: JSON.stringify({ ban: true }),
      })
      .then(({ status }) => done.push(`ban ${status}`));
    const reading = statusOf("/api/skin/launcher/envelope/" + bob.uuid).then((status) =>
      done.push(`read ${status}`),
    );
    const writing = harness.services
      .transact(system, ({ players }) => players.deleteExpiredHolds(0))
      .then(() => done.push("write"));
    await Promise.all([ban, reading, writing]);
    expect(done.toSorted()).toEqual(["ban 204", "read 200", "write"]);
    expect(done.at(-1)).toBe("ban 204");
    expect(skinsWith(hash)).toBe(0);
    expect(await statusOf(`/textures/${hash}`)).toBe(404);
  });

  test("gives the event loop back after every step", async () => {
    const { file, hash } = someBitmap();
    await addSkin(harness, alice, { file });
    await fillWardrobes(hash, 219);
    const row = { hash, issuer: "cli", createdAt: now, reason: "" };
    await harness.services.transact(system, ({ textures }) => textures.insertBan(row));
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const steps: { removed: number; turns: number }[] = [];
    await purgeBanned(harness.services, hash, (removed) => steps.push({ removed, turns }));
    isOver = true;
    expect(steps.map(({ removed }) => removed)).toEqual([50, 100, 150, 200, 220]);
    expect(new Set(steps.map((step) => step.turns)).size).toBe(steps.length);
  });
});

describe("a banned bitmap is refused", () => {
  const msg = "this picture is banned here; choose another one";

  test("as a skin of a member, in whatever file it comes", async () => {
    const { file } = await banned();
    const before = await harness.countFiles();
    await expectError(await upload(harness, bob, { file }), 400, new RegExp(`^Skin upload failed: ${msg}$`));
    await expectError(await upload(harness, bob, { file, slim: "true", name: "Innocent" }), 400);
    expect(await harness.countFiles()).toBe(before);
    expect((await upload(harness, bob, { file: someBitmap().file })).status).toBe(200);
  });

  test("as a cape", async () => {
    const file = capePng(81);
    const skin = await addSkin(harness, alice, { file });
    await play(harness, removing(skin, { ban: true }));
    const body = capeForm({ cape: file });
    const request = "POST /api/admin/user/cape/upload";
    await play(harness, { ...asking(request, chief), body, status: 400, msg });
    const input = { file, name: "Founders", owners: [], expiresAt: null };
    expect(addCape(harness.services, commandLine, input)).rejects.toThrow(new PlainError("invalid", msg));
  });

  test("on the command line", async () => {
    const { file } = await banned();
    const player = await playerOf(harness, bob);
    const input = { file, model: null, name: null, select: true };
    expect(uploadSkin(harness.services, commandLine, player, input)).rejects.toThrow(msg);
  });

  test.each(["one process", "two processes"])("also when both come at once, in %s", async (where) => {
    await using other = await compose(harness.config);
    const second = where === "one process" ? harness.services : other;
    for (let round = 0; round < 10; round++) {
      const { file, hash } = someBitmap();
      const owner = await playerOf(harness, await addMember(harness, `Round_${count}`));
      const input = { file, model: null, name: null, select: true };
      await Promise.all([
        uploadSkin(harness.services, commandLine, owner, input).catch(() => null),
        banTexture(second, commandLine, { hash, reason: "" }),
      ]);
      expect(skinsWith(hash)).toBe(0);
      expect(await filesOf(hash)).toEqual([]);
    }
  });
});

describe("what a killed process left of a ban", () => {
  test("is finished by the housekeeping of the next one", async () => {
    const { file, hash } = someBitmap();
    const skin = await addSkin(harness, alice, { file });
    const row = { hash, issuer: "cli", createdAt: now, reason: "" };
    await harness.services.transact(system, ({ textures }) => textures.insertBan(row));
    const log = createLogger({ level: "error", format: "json", write: () => undefined });
    await startHousekeeping({ ...harness.services, log })[Symbol.asyncDispose]();
    expect(await statusOf(`/api/skin/public/${skin}`)).toBe(404);
    expect(await statusOf(`/textures/${hash}`)).toBe(404);
    expect(await filesOf(hash)).toEqual([]);
  });

  test("is finished by a removal of such a skin, and the first ban stays", async () => {
    const { file, hash } = someBitmap();
    const skin = await addSkin(harness, alice, { file });
    const row = { hash, issuer: "Chief", createdAt: now - 5, reason: "First" };
    await harness.services.transact(system, ({ textures }) => textures.insertBan(row));
    await play(harness, removing(skin, { ban: true }));
    expect(skinsWith(hash)).toBe(0);
    expect(await bansOf(`?q=${hash}`)).toMatchObject([{ iss: "Chief", reason: "First" }]);
  });

  test("stays where the ban was lifted", async () => {
    const { file, hash } = someBitmap();
    const skin = await addSkin(harness, alice, { file });
    await purgeBanned(harness.services, hash);
    expect(await statusOf(`/api/skin/public/${skin}`)).toBe(200);
  });
});

describe("GET /api/admin/bans", () => {
  test("lists bans by id, in pages", async () => {
    const before = (await bansOf()).length;
    const made = [await banned("One"), await banned(), await banned("Three")];
    const all = await bansOf();
    expect(all.slice(before).map(({ hash }) => hash)).toEqual(made.map(({ hash }): string => hash));
    const [one, two, three] = all.slice(before);
    expect(one as object).toEqual({ id: one!.id, hash: one!.hash, iss: "cli", time: now, reason: "One" });
    expect(two).toMatchObject({ reason: "" });
    const total = String(before + 3);
    await play(harness, {
      ...asking(`GET /api/admin/bans?limit=2&after=${one!.id - 1}`),
      msg: "Bans",
      data: [one, two],
      answerHeaders: {
        "x-total-count": total,
        link: `</api/admin/bans?limit=2&after=${two!.id}>; rel="next"`,
      },
    });
    await play(harness, {
      ...asking(`GET /api/admin/bans?limit=2&after=${two!.id}`),
      data: [three],
      answerHeaders: { "x-total-count": total, link: null },
    });
    // Another's hash may begin with the digits of the id.
    expect(await bansOf(`?q=${two!.id}`)).toContainEqual(two!);
    for (const q of [two!.hash, two!.hash.slice(0, 12), two!.hash.toUpperCase()]) {
      const answerHeaders = { "x-total-count": "1", link: null };
      await play(harness, { ...asking(`GET /api/admin/bans?q=${q}`), data: [two], answerHeaders });
    }
    await play(harness, { ...asking(`GET /api/admin/bans?q=${"0".repeat(64)}`), data: [] });
    await play(harness, { ...asking("GET /api/admin/bans?q=One_of_them%25"), data: [] });
  });

  test.each(["limit=0", "limit=1001", "after=x", `q=${"x".repeat(255)}`, "q=a%00b"])(
    "refuses %s",
    async (query) => {
      const scenario = asking(`GET /api/admin/bans?${query}`);
      await play(harness, { ...scenario, status: 400, msg: /^(?:limit|after|q): / });
    },
  );

  test.each([alice, unready])("refuses players: $mail", async (actor) => {
    await play(harness, { ...asking("GET /api/admin/bans", actor), status: 403 });
  });
});

describe("DELETE /api/admin/bans/:hash", () => {
  test("lets the bitmap in again, and writes audit", async () => {
    const { file, hash } = await banned("Rude");
    await play(harness, lifting(hash));
    const old = { hash, iss: "cli", time: now, reason: "Rude" };
    expect(audited()).toEqual({ issuer: "Moderata", action: "texture.unban", about: 0, old });
    expect((await upload(harness, bob, { file })).status).toBe(200);
    expect(await statusOf(`/textures/${hash}`)).toBe(200);
    await play(harness, { ...lifting(hash), status: 404, msg: `hash: there is no ban of ${hash}` });
  });

  test("works once of those that come at once", async () => {
    const { hash } = await banned();
    const headers = { authorization: chief.authorization };
    const once = () => harness.fetch(`/api/admin/bans/${hash}`, { method: "DELETE", headers });
    expect(await statusesOf([once(), once(), once()])).toEqual([204, 404, 404]);
  });

  test.each<[string, string, number]>([
    ["a bitmap that is not banned", "0".repeat(64), 404],
    ["a hash in upper case", "A".repeat(64), 400],
    ["half a hash", "a".repeat(32), 400],
    ["an id", "1", 400],
    ["a path", "..%2f..", 400],
  ])("knows no ban of %s", async (_, hash, status) => {
    await play(harness, { ...lifting(hash), status, msg: /^hash: / });
  });

  test.each([alice, unready])("refuses players before it says what there is: $mail", async (actor) => {
    const { hash } = await banned();
    await play(harness, { ...lifting(hash), actor, status: 403 });
    await play(harness, { ...lifting("0".repeat(64)), actor, status: 403 });
    await play(harness, { ...lifting("x"), actor, status: 403 });
  });
});

test("a bitmap is banned once", async () => {
  const { hash } = await banned();
  const again = banTexture(harness.services, commandLine, { hash, reason: "Again" });
  expect(again).rejects.toThrow(`hash: ${hash} is banned already`);
  expect(first).toBeString();
});

/** Puts the bitmap into the wardrobes of so many new accounts, past the service. */
function fillWardrobes(hash: TextureHash, length: number): Promise<void> {
  const account = {
    mail: null,
    registration: "unconfirmed",
    mailVerified: false,
    passwordHash: null,
    language: "en",
    createdAt: 1,
    permanentLevel: 1,
  } as const;
  return harness.services.transact(system, async ({ accounts, textures }) => {
    for (let i = 0; i < length; i++) {
      const uuid = crypto.randomUUID() as Member["account"]["uuid"];
      const { id: accountId } = await accounts.insertAccount({ ...account, uuid });
      const skin = {
        uuid,
        accountId,
        textureHash: hash,
        name: "Diver",
        model: "classic",
        capeId: null,
      } as const;
      await textures.insertSkin({ ...skin, createdAt: 1 });
    }
  });
}

function skinsWith(hash: string): number {
  const rows = harness.database.everything()["skins"] as readonly { texture_hash: string }[];
  return rows.filter(({ texture_hash: of }) => of === hash).length;
}
