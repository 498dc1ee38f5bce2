/** Upload and deletion of capes (docs/contract/admin.md#capes). */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Descriptor, type Envelope } from "../support/answers.ts";
import { capeForm, uploadCape, type CapeParts, type UploadedCape } from "../support/capes.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { profileOf, statusesOf } from "../support/registration.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";
import { capePng, sha256, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const hour = 3600;

const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });
const alice = await addMember(harness, "Alice");
const bob = await addMember(harness, "Bob");
const unready = await addMember(harness, "unready", { finished: false });
const [a, b] = [alice.account.id, bob.account.id];

const uploading = (parts: CapeParts = {}): Scenario => ({
  name: "",
  actor: chief,
  request: "POST /api/admin/user/cape/upload",
  body: capeForm(parts),
  status: 200,
});

type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
const entries = (world: Harness) => world.database.everything()["audit_entries"] as readonly Row[];
const told = (world = harness) => {
  const { issuer, action, for_account_id: about, at, detail } = entries(world).at(-1)!;
  return { issuer, action, about, at, ...JSON.parse(detail) };
};
const stored = async () => ({
  capes: harness.countRows("capes"),
  grants: harness.countRows("cape_grants"),
  textures: harness.countRows("textures"),
  entries: harness.countRows("audit_entries"),
  files: await harness.countFiles(),
});

const capesOf = async (member: Member) => (await profileOf(harness, member))["Capes"];

const list = (length: number) => Array.from({ length }, (_, i) => 1_000_000_000 + i);
const deleting = (capeid: unknown): Scenario => ({
  name: "",
  actor: chief,
  request: "DELETE /api/admin/user/cape/upload",
  json: { capeid },
  status: 200,
});

describe("POST /api/admin/user/cape/upload", () => {
  test("makes a cape that its owners may wear at once", async () => {
    const carol = await addMember(harness, "Carol");
    const c = carol.account.id;
    const response = await harness.fetch("/api/admin/user/cape/upload", {
      method: "POST",
      headers: { authorization: chief.authorization },
      body: capeForm({ cape: capePng(10), name: " Diver ", owners: `[${c}, ${b}]` }),
    });
    expect(response.status).toBe(200);
    const { data, ...envelope } = await readJson<Envelope<UploadedCape>>(response);
    expect(envelope).toEqual({ error: false, msg: "Cape upload successfully", url: null } as object as never);
    const { capeid, id } = data;
    expect(data).toEqual({ capeid, id, name: "Diver", owners: [c, b] } as UploadedCape);
    expect(response.headers.get("location")).toBe(`/api/skin/public/cape/${capeid}`);
    const png = await (await harness.fetch(`/api/skin/public/cape/${capeid}`)).bytes();
    const detail = { capeid, name: "Diver", owners: [c, b], sha256: sha256(png) };
    expect(told()).toEqual({ issuer: "Chief", action: "cape.upload", about: 0, at: now, ...detail });
    expect(await capesOf(carol)).toEqual([{ Id: id, Name: "Diver", Uuid: capeid, Expires_at: null }]);
    const skin = await addSkin(harness, carol, {});
    await wearCape(harness, carol, skin, await capeOf(capeid));
    expect((await harness.fetch(`/api/skin/standart/cape/${carol.uuid}`)).status).toBe(200);
  });

  test.each<[string, CapeParts["owners"], number[]]>([
    ["no owners", undefined, []],
    ["an empty text", "", []],
    ["blanks", "  ", []],
    ["an empty list", "[]", []],
    ["one id", `${a}`, [a]],
    ["ids and commas", `${b},${a}`, [b, a]],
    ["ids, commas and blanks", ` ${a} , ${b} `, [a, b]],
    ["a list", `[${a},${b}]`, [a, b]],
    ["a list of texts", `["${a}", "${b}"]`, [a, b]],
    ["an id that comes twice", `${a},${b},${a}`, [a, b]],
    ["the part coming twice", [`${a}`, `${b}`], [a, b]],
    ["somebody whose registration is unfinished", `${unready.account.id}`, [unready.account.id]],
  ])("takes owners as %s", async (_, owners, expected) => {
    const { id, owners: answered } = await uploadCape(harness, chief, { cape: capePng(20), owners });
    expect(answered).toEqual(expected);
    const kept = harness.database.everything()["cape_grants"] as readonly Record<string, unknown>[];
    expect(
      kept.filter(({ cape_id: cape }) => cape === id).map((row) => [row["account_id"], row["expires_at"]]),
    ).toEqual(expected.map((owner) => [owner, null]));
  });

  test.each<[string, string, number]>([
    ["seconds", `${now + hour}`, now + hour],
    ["milliseconds", `${(now + hour) * 1000 + 999}`, now + hour],
    ["ISO 8601 with a zone", new Date((now + hour) * 1000).toISOString(), now + hour],
    ["ISO 8601 with an offset", "2100-01-01T03:00+02:00", now + hour],
  ])("takes an end in %s", async (_, text, end) => {
    const owners = `[${a}]`;
    await play(harness, {
      ...uploading({ cape: capePng(30), owners, expired_at: text }),
      data: {
        capeid: expect.any(String),
        id: expect.any(Number),
        name: "Founders",
        owners: [a],
        expired_at: end,
      },
    });
    expect(told()).toMatchObject({ action: "cape.upload", owners: [a], expired_at: end });
  });

  test("takes an empty end for none, as a page sends it", async () => {
    const data = { capeid: expect.any(String), id: expect.any(Number), name: "Founders", owners: [] };
    await play(harness, { ...uploading({ expired_at: "", owners: "" }), data });
  });

  test("takes the old formats, and a file whatever the part calls it", async () => {
    const { capeid } = await uploadCape(harness, chief, { cape: capePng(31, { width: 22, height: 17 }) });
    expect(await capeOf(capeid)).toMatchObject({ texture: { width: 64, height: 32 } });
  });

  test("stores equal bitmaps once", async () => {
    await uploadCape(harness, chief, { cape: capePng(32) });
    const before = await stored();
    await uploadCape(harness, chief, { cape: capePng(32), name: "Again" });
    const { capes, files, textures } = await stored();
    expect([capes, files, textures]).toEqual([before.capes + 1, before.files, before.textures]);
  });

  const ownersRule = "owners: must be users' ids, as a JSON array or separated by commas";
  const timeRule = "expired_at: must be ISO 8601 text with a zone, or a whole number of Unix seconds";
  test.each<[string, CapeParts, string | RegExp]>([
    ["no file", { cape: undefined }, "cape: must be one file part with a PNG in it"],
    ["a file under another name", { cape: undefined, file: capePng(1) }, /^cape: /],
    ["a text for a file", { cape: "PNG" }, /^cape: /],
    ["two files", { cape: [capePng(1), capePng(2)] }, /^cape: /],
    ["a file that is no PNG", { cape: new TextEncoder().encode("GIF89a") }, /PNG/],
    ["an empty file", { cape: new Uint8Array() }, /./],
    ["a skin", { cape: skinPng(1) }, /64 x 64/],
    ["no name", { name: undefined }, "name: must be a text"],
    ["an empty name", { name: "" }, /^name: must have 1 to 64 characters/],
    ["a long name", { name: "x".repeat(65) }, /^name: must have 1 to 64 characters/],
    ["a name with a line end", { name: "a\nb" }, /^name: /],
    ["two names", { name: ["a", "b"] }, "name: must be a text"],
    ["an owner who does not exist", { owners: `[${a},4711]` }, "owners: there is no user 4711"],
    [
      "many who do not exist",
      { owners: "[4711,4712,4713,4714,4715,4716,4717]" },
      "owners: there is no user 4711, 4712, 4713, 4714, 4715 and 2 more",
    ],
    ["10,000 who do not exist", { owners: list(10_000).join(", ") }, /and 9995 more$/],
    ["10,001 owners", { owners: JSON.stringify(list(10_001)) }, "owners: must be 10000 users' ids at most"],
    ["10,001 times the same owner", { owners: JSON.stringify(list(10_001).map(() => a)) }, /10000/],
    ["a file for owners", { owners: capePng(1) }, "owners: must be a list of users' ids"],
    ["a username", { owners: "Alice" }, ownersRule],
    ["zero", { owners: "0" }, ownersRule],
    ["a negative id", { owners: `-${a}` }, ownersRule],
    ["a fraction", { owners: "[1.5]" }, ownersRule],
    ["a huge id", { owners: "99999999999999999999" }, ownersRule],
    ["an open list", { owners: `[${a}` }, ownersRule],
    ["a list in a list", { owners: `[[${a}]]` }, ownersRule],
    ["null in a list", { owners: "[null]" }, ownersRule],
    ["an object", { owners: `{"0":${a}}` }, ownersRule],
    ["a comma too many", { owners: `${a},` }, ownersRule],
    ["the present as an end", { expired_at: `${now}` }, "expired_at: must lie in the future"],
    ["a past end", { expired_at: "2001-01-01T00:00:00Z" }, "expired_at: must lie in the future"],
    ["an end without a zone", { expired_at: "2101-01-01T00:00:00" }, timeRule],
    ["a negative end", { expired_at: "-5" }, timeRule],
    ["a huge end", { expired_at: "9".repeat(30) }, timeRule],
    ["a word for an end", { expired_at: "never" }, timeRule],
  ])("refuses %s, and stores nothing", async (_, parts, msg) => {
    const before = await stored();
    await play(harness, { ...uploading(parts), status: 400, msg });
    expect(await stored()).toEqual(before);
  });

  test.each<[string, Partial<Scenario>, number]>([
    ["nobody", { actor: undefined as never }, 401],
    ["a moderator", { actor: moderator }, 403],
    ["a player", { actor: alice }, 403],
    ["somebody whose registration is unfinished", { actor: unready }, 403],
    ["JSON", { body: "{}", headers: { "content-type": "application/json" } }, 415],
    ["over a megabyte", { body: capeForm({ cape: new Uint8Array(2_000_000) }) }, 413],
    ["no form", { body: "x", headers: { "content-type": "multipart/form-data" } }, 400],
  ])("refuses %s", async (_, changed, status) => {
    const { actor, ...scenario } = { ...uploading(), ...changed, status };
    await play(harness, actor === undefined ? scenario : { ...scenario, actor });
  });

  test("refuses before it reads the body", async () => {
    const body = capeForm({ cape: new Uint8Array(2_000_000) });
    await play(harness, { ...uploading(), actor: alice, body, status: 403, hasNot: ["bytes"] });
  });
});

describe("DELETE /api/admin/user/cape/upload", () => {
  test("takes the cape from its owners and off their skins, which shows at once", async () => {
    const wearer = await addMember(harness, "Wearer");
    const cape = await grantCape(harness, [wearer, bob], capePng(60));
    const skin = await addSkin(harness, wearer, { file: skinPng(60) });
    await wearCape(harness, wearer, skin, cape);
    const addresses = [
      `/api/skin/standart/cape/${wearer.uuid}`,
      `/api/skin/public/cape/${cape.uuid}`,
      `/api/skin/cloak/${cape.id}`,
      `/textures/${cape.texture.hash}`,
    ];
    for (const address of addresses) expect((await harness.fetch(address)).status).toBe(200);
    expect(await descriptorOf(wearer)).toMatchObject({
      CAPE: { url: `${publicUrl}/textures/${cape.texture.hash}` },
    });
    const files = await harness.countFiles();

    await play(harness, { ...deleting(cape.uuid), msg: "Cape deletion successfully", data: {} });

    for (const address of addresses) await expectError(await harness.fetch(address), 404);
    expect(await descriptorOf(wearer)).not.toHaveProperty("CAPE");
    const { uuid: capeid, id, name, texture } = cape;
    const old = { capeid, id, name, sha256: texture.digest, owners_count: 2 };
    expect(told()).toEqual({ issuer: "Chief", action: "cape.delete", about: 0, at: now, old });
    expect(await profileOf(harness, wearer)).toMatchObject({
      Capes: [],
      Selected_Cape: 0,
      Selected_Skin: skin,
    });
    expect(await harness.countFiles()).toBe(files - 1);
    await play(harness, { ...deleting(cape.uuid), status: 404 });
  });

  test("keeps the file while another cape or a skin has it", async () => {
    const file = capePng(61);
    const cape = await grantCape(harness, [], file);
    const other = await grantCape(harness, [], file);
    await play(harness, deleting(cape.uuid));
    expect((await harness.fetch(`/api/skin/public/cape/${other.uuid}`)).status).toBe(200);
    await play(harness, deleting(other.uuid.replaceAll("-", "").toUpperCase()));
    await expectError(await harness.fetch(`/textures/${cape.texture.hash}`), 404);
  });

  test("leaves the other capes of its owners", async () => {
    const wearer = await addMember(harness, "Wearer2");
    const [gone, worn] = [
      await grantCape(harness, [wearer], capePng(62)),
      await grantCape(harness, [wearer], capePng(63)),
    ];
    const skin = await addSkin(harness, wearer, {});
    await wearCape(harness, wearer, skin, worn);
    await play(harness, deleting(gone.uuid));
    expect(await profileOf(harness, wearer)).toMatchObject({
      Selected_Cape: worn.id,
      Capes: [{ Id: worn.id }],
    });
  });

  test("works once of those that come at once", async () => {
    const { uuid } = await grantCape(harness, [alice], capePng(64));
    const headers = { authorization: chief.authorization, "content-type": "application/json" };
    const body = JSON.stringify({ capeid: uuid });
    const once = () => harness.fetch("/api/admin/user/cape/upload", { method: "DELETE", headers, body });
    expect(await statusesOf([once(), once(), once()])).toEqual([200, 404, 404]);
    expect(
      entries(harness)
        .filter(({ detail }) => detail.includes(uuid))
        .map(({ action }) => action),
    ).toEqual(["cape.upload", "cape.delete"]);
  });

  test.each<[string, unknown, number]>([
    ["no cape", undefined, 400],
    ["null", null, 400],
    ["a number", 1, 400],
    ["a number as a text", "1", 400],
    ["an empty text", "", 400],
    ["a list", [crypto.randomUUID()], 400],
    ["a cape that there is not", crypto.randomUUID(), 404],
  ])("refuses %s", async (_, capeid, status) => {
    await play(harness, { ...deleting(capeid), status, msg: /^capeid: / });
  });

  test.each([moderator, alice, unready])(
    "refuses members who are not administrators: $mail",
    async (actor) => {
      const { uuid } = await grantCape(harness, [], capePng(65));
      await play(harness, { ...deleting(uuid), actor, status: 403 });
      await play(harness, { ...deleting(crypto.randomUUID()), actor, status: 403 });
    },
  );
});

async function capeOf(uuid: string) {
  const cape = await harness.services.reads.textures.findCape({
    by: "uuid",
    value: uuid as Member["account"]["uuid"],
  });
  if (cape === null) throw new Error(`there is no cape ${uuid}`);
  return cape;
}

async function descriptorOf({ uuid }: Member): Promise<Descriptor> {
  return readJson(await harness.fetch(`/api/skin/launcher/${uuid}`));
}
