/** Changes of other users' skins (docs/contract/admin.md#skins). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { openModeratedSkins } from "../support/moderated-skins.ts";
import { badBodies } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const { harness, now, chief, alice, unready, cape, bobsCape, first, hd, legacy, digestOf, asking } =
  await openModeratedSkins();
afterAll(() => harness[Symbol.asyncDispose]());

const fixed = { slim: false, hd: false, cloak_id: "", created: now, selected: true };
const changing = (uuid: string, json: object): Scenario => ({
  ...asking(`PATCH /api/admin/skin/${uuid}`),
  json,
});

describe("PATCH /api/admin/skin/:uuid", () => {
  let count = 0;
  type Options = { readonly width?: number; readonly height?: number };
  /** Somebody who owns a skin called "Before", and the cape. */
  const open = async (size: Options = {}) => {
    const owner = await addMember(harness, `Owner_${(count += 1)}`);
    const own = await grantCape(harness, [owner], capePng(100 + count));
    const file = skinPng(100 + count, size);
    const uuid = await addSkin(harness, owner, { file, slim: "false", name: "Before" });
    const skin = { ...fixed, id: expect.any(Number), uuid, name: "Before", sha256: await digestOf(uuid) };
    return { owner, own, uuid, skin };
  };
  type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
  const told = ({ account }: Member) =>
    (harness.database.everything()["audit_entries"] as readonly Row[])
      .filter(({ for_account_id: about, action }) => about === account.id && action !== "user.create")
      .map(({ issuer, action, at, detail }) => ({ issuer, action, at, ...JSON.parse(detail) }));

  test("changes name, arms and cape of any skin, and is audited", async () => {
    const { owner, own, uuid, skin } = await open();
    const json = { name: " After ", slim: true, hd: false, cloakid: own.uuid };
    const changed = { ...skin, name: "After", slim: true, cloak_id: own.uuid };
    await play(harness, { ...changing(uuid, json), msg: "Skin change successfully", data: changed });
    expect(told(owner)).toEqual([
      {
        issuer: "Moderata",
        action: "skin.update",
        at: now,
        uuid,
        old: { name: "Before", slim: false, cloakid: "" },
        new: { name: "After", slim: true, cloakid: own.uuid },
      },
    ]);
    expect((await harness.fetch(`/api/skin/standart/cape/${owner.uuid}`)).status).toBe(200);
  });

  test.each<[string, object, object]>([
    ["a name alone", { name: "After" }, { name: "After" }],
    ["arms alone", { slim: true }, { slim: true }],
  ])("changes %s", async (_, json, change) => {
    const { uuid, skin } = await open();
    await play(harness, { ...changing(uuid, json), data: { ...skin, ...change } });
  });

  test.each([null, ""])("takes the cape off, at once: %p", async (cloakid) => {
    const { owner, own, uuid, skin } = await open();
    await wearCape(harness, owner, uuid, own);
    const address = `/api/skin/standart/cape/${owner.uuid}`;
    expect((await harness.fetch(address)).status).toBe(200);
    await play(harness, { ...changing(uuid, { cloakid }), data: skin });
    expect((await harness.fetch(address)).status).toBe(404);
    expect(told(owner)).toMatchObject([{ old: { cloakid: own.uuid }, new: { cloakid: "" } }]);
  });

  test("is not audited where nothing changes", async () => {
    const { owner, uuid, skin } = await open({ width: 128 });
    const data = { ...skin, hd: true };
    await play(harness, { ...changing(uuid, { hd: true }), data });
    await play(harness, { ...changing(uuid, { name: "Before", slim: false, cloakid: null }), data });
    expect(told(owner)).toEqual([]);
  });

  test("is for administrators as well", async () => {
    const { uuid, skin } = await open();
    await play(harness, { ...changing(uuid, { slim: false }), actor: chief, data: skin });
  });

  test("refuses a cape whose grant has ended", async () => {
    const { owner, own, uuid } = await open();
    const accounts = [owner.account.id];
    await harness.services.transact(system, ({ textures }) =>
      textures.grantCapes({ accounts, capes: [own.id], grantedAt: now, expiresAt: now }),
    );
    await play(harness, { ...changing(uuid, { cloakid: own.uuid }), status: 400, msg: /^cloakid: / });
  });

  test.each<[string, object, RegExp | string]>([
    ["no field", {}, "body: must hold at least one of name, slim, hd, cloakid"],
    ["no field of ours", { uuid: crypto.randomUUID() }, /^body: /],
    ["hd that is not", { hd: true }, "hd: must be false, for the skin's file is 64x64"],
    ["hd that is a text", { hd: "false" }, "hd: must be true or false"],
    ["arms that are a text", { slim: "true" }, "slim: must be true or false"],
    ["an empty name", { name: "" }, /^name: /],
    ["a long name", { name: "x".repeat(65) }, /^name: /],
    ["no valid name", { name: 1 }, "name: must be a text"],
    ["a name with a line end", { name: "a\nb" }, /^name: /],
    [
      "a cape of the moderator's fancy",
      { cloakid: crypto.randomUUID() },
      /^cloakid: the account was not granted a cape/,
    ],
    ["a cape of somebody else", { cloakid: bobsCape.uuid }, /^cloakid: the account was not granted a cape/],
    ["a cape's number", { cloakid: String(cape.id) }, "cloakid: must be a UUID"],
    ["a cape that is a number", { cloakid: cape.id }, "cloakid: must be a UUID, null or empty"],
    ["one good field and one bad", { name: "After", cloakid: bobsCape.uuid }, /^cloakid: /],
  ])("refuses %s, and changes nothing", async (_, json, msg) => {
    await play(harness, { ...changing(first, json), status: 400, msg });
  });

  test("refuses slim arms on a 64x32 skin, and HD that is denied", async () => {
    await play(harness, { ...changing(legacy, { slim: true }), status: 400, msg: /^slim: a 64x32 skin/ });
    await play(harness, { ...changing(hd, { hd: false }), status: 400, msg: /^hd: must be true/ });
  });

  test.each(badBodies)("refuses %s", async (_, sent, status) => {
    await play(harness, { ...asking(`PATCH /api/admin/skin/${first}`), ...sent, status });
  });

  test.each<[string, string, number]>([
    ["a skin that there is not", crypto.randomUUID(), 404],
    ["a user", alice.uuid, 404],
    ["an id", "1", 400],
    ["a name", "First", 400],
  ])("knows no skin of the address of %s", async (_, uuid, status) => {
    await play(harness, { ...changing(uuid, { name: "After" }), status, msg: /^uuid: / });
  });

  test.each([alice, unready])("refuses players, be it their own skin: $mail", async (actor) => {
    await play(harness, { ...changing(first, { name: "After" }), actor, status: 403 });
    await play(harness, { ...changing(crypto.randomUUID(), {}), actor, status: 403 });
  });

  test("refuses no level", async () => {
    const { actor: _actor, ...scenario } = changing(first, { name: "After" });
    await play(harness, { ...scenario, status: 401 });
  });
});

test("an owner and a moderator get the same message about a cape without a grant", async () => {
  const response = await harness.fetch("/api/home/edit/skin", {
    method: "PUT",
    headers: { authorization: alice.authorization, "content-type": "application/json" },
    body: JSON.stringify({ skinid: first, cloakid: bobsCape.uuid }),
  });
  const { msg } = await readJson<Envelope<object>>(response);
  expect(msg).toBe(`Skin change failed: cloakid: the account was not granted a cape ${bobsCape.uuid}`);
});
