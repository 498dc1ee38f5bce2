/** Removal of skins (docs/contract/admin.md#skins). */
import { afterAll, describe, expect, test } from "bun:test";
import { compose } from "../../src/boot/compose.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { removeSkin } from "../../src/domain/textures/moderate-skin.ts";
import type { Uuid } from "../../src/kernel/ids.ts";
import { grantCape, addMember, addSkin, wearCape, type Member } from "../support/members.ts";
import { openModeratedSkins } from "../support/moderated-skins.ts";
import { badBodies, profileOf, statusesOf } from "../support/registration.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";

const { harness, now, chief, alice, unready, first, asking } = await openModeratedSkins();
afterAll(() => harness[Symbol.asyncDispose]());

let count = 0;
/** Somebody who wears a skin of a bitmap of its own. */
const openWearer = async (options: Parameters<typeof addMember>[2] = {}) => {
  const seed = (count += 1) + 300;
  const owner = await addMember(harness, `Owner_${count}`, options);
  const uuid = await addSkin(harness, owner, { file: skinPng(seed), slim: "false", name: "Rude" });
  return { owner, uuid, file: skinPng(seed), hash: bitmapHash(skinBitmap(seed)) };
};
const removing = (uuid: string, json?: object): Scenario => ({
  ...asking(`DELETE /api/admin/skin/${uuid}`),
  ...(json === undefined ? {} : { json }),
  status: 204,
});

/** Where the skin shows by itself, and where it shows on its owner. */
const ownAddresses = (uuid: string, hash: string) => [
  `/api/skin/public/${uuid}`,
  `/api/skin/cloak/${uuid}`,
  `/api/skin/cloak/${uuid}?type=player&size=16`,
  `/api/skin/head/${uuid}?size=16`,
  `/api/skin/body/${uuid}?type=player&size=16`,
  `/textures/${hash}`,
];
const statusOf = async (path: string) => (await harness.fetch(path)).status;
const statusesAt = (paths: readonly string[]) => Promise.all(paths.map(statusOf));

type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
const audited = ({ account }: Member) =>
  (harness.database.everything()["audit_entries"] as readonly Row[])
    .filter(({ for_account_id: about, action }) => about === account.id && action !== "user.create")
    .map(({ issuer, action, at, detail }) => ({ issuer, action, at, ...JSON.parse(detail) }));

describe("DELETE /api/admin/skin/:uuid", () => {
  test("removes the skin from every address at once, those that were answered before included", async () => {
    const { owner, uuid, hash } = await openWearer();
    const addresses = ownAddresses(uuid, hash);
    // Twice: the second answer comes from memory.
    for (let round = 0; round < 2; round++)
      expect(await statusesAt(addresses)).toEqual(addresses.map(() => 200));
    const head = `/api/skin/head/${owner.uuid}`;
    expect((await harness.fetch(head)).headers.get("x-texture-default")).toBeNull();
    const files = await harness.countFiles();

    await play(harness, removing(uuid));

    for (const address of addresses) await expectError(await harness.fetch(address), 404);
    expect((await harness.fetch(head)).headers.get("x-texture-default")).toMatch(/^(?:classic|slim)$/);
    expect(await (await harness.fetch(`/api/skin/launcher/${owner.uuid}`)).json()).toEqual({});
    expect(await profileOf(harness, owner)).toMatchObject({ Skin: [], Selected_Skin: "" });
    expect(await harness.countFiles()).toBe(files - 1);
  });

  test("records in the audit whose skin it was, of which bitmap, and why", async () => {
    const { owner, uuid, hash } = await openWearer();
    const reason = "It shows a forbidden symbol";
    const mail = { template: "skin-removed", username: owner.name, skin: "Rude", reason };
    await play(harness, {
      ...removing(uuid, { reason: `  ${reason} ` }),
      mails: [{ to: owner.mail, language: "en", mail }],
    });
    const old = { owner: owner.name, name: "Rude", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), hash };
    expect(audited(owner)).toEqual([
      { issuer: "Moderata", action: "skin.delete", at: now, uuid, old, reason, ban: false },
    ]);
  });

  test("may be an administrator's, too", async () => {
    const { uuid } = await openWearer({ level: 3 });
    await play(harness, removing(uuid));
    const another = await openWearer();
    await play(harness, { ...removing(another.uuid), actor: chief });
  });

  test.each<[string, object | undefined]>([
    ["no body", undefined],
    ["an empty body", {}],
    ["an empty reason", { reason: "" }],
    ["blanks for a reason", { reason: "  ", ban: false }],
  ])("mails nothing with %s", async (_, json) => {
    const { owner, uuid } = await openWearer();
    await play(harness, removing(uuid, json));
    expect(audited(owner)).toMatchObject([{ action: "skin.delete", reason: "", ban: false }]);
  });

  test("mails a reason to no address that is not verified", async () => {
    const { uuid } = await openWearer({ mailVerified: false });
    await play(harness, removing(uuid, { reason: "Rude" }));
  });

  test("keeps the file while another wardrobe or a cape has the bitmap", async () => {
    const { owner, uuid, file, hash } = await openWearer();
    const other = await addMember(harness, "Another");
    const kept = await addSkin(harness, other, { file });
    await play(harness, removing(uuid));
    expect(
      await statusesAt([`/api/skin/public/${uuid}`, `/api/skin/public/${kept}`, `/textures/${hash}`]),
    ).toEqual([404, 200, 200]);
    const cape = await grantCape(harness, [owner], capePng(70));
    const skin = await addSkin(harness, owner, { file: capePng(70) });
    await play(harness, removing(skin));
    expect(await statusOf(`/textures/${cape.texture.hash}`)).toBe(200);
  });

  test("removes one of two equal skins, and leaves the cape that it had", async () => {
    const { owner, uuid, file } = await openWearer();
    const twin = await addSkin(harness, owner, { file, name: "Twin" });
    const cape = await grantCape(harness, [owner], capePng(71));
    await wearCape(harness, owner, uuid, cape);
    await play(harness, removing(uuid));
    expect(await profileOf(harness, owner)).toMatchObject({
      Skin: [{ Uuid: twin }],
      Capes: [{ Id: cape.id }],
      Selected_Skin: "",
    });
  });

  test("works once of those that come at once", async () => {
    const { owner, uuid } = await openWearer();
    const headers = { authorization: chief.authorization };
    const once = () => harness.fetch(`/api/admin/skin/${uuid}`, { method: "DELETE", headers });
    expect(await statusesOf([once(), once(), once()])).toEqual([204, 404, 404]);
    expect(audited(owner)).toHaveLength(1);
  });

  test("shows within 100 ms when another process does it", async () => {
    const { uuid, hash } = await openWearer();
    const addresses = ownAddresses(uuid, hash);
    expect(await statusesAt(addresses)).toEqual(addresses.map(() => 200));
    await using services = await compose(harness.config);
    await removeSkin(services, commandLine, uuid as Uuid, { reason: "", ban: false });
    for (const address of addresses) expect(await becomes404(address)).toBe(true);
  });

  test.each<[string, string, number]>([
    ["a skin that there is not", crypto.randomUUID(), 404],
    ["a user", alice.uuid, 404],
    ["an id", "1", 400],
    ["a name", "First", 400],
  ])("knows no skin of the address of %s", async (_, uuid, status) => {
    await play(harness, { ...removing(uuid), status, msg: /^uuid: / });
  });

  const reasonRule = /^reason: must be one line of 1 to 500 characters/;
  test.each<[string, unknown, RegExp | string]>([
    ["a reason that is a number", { reason: 1 }, "reason: must be a text"],
    ["no reason by null", { reason: null }, "reason: must be a text"],
    ["a long reason", { reason: "x".repeat(501) }, reasonRule],
    ["a reason of two lines", { reason: "a\nb" }, reasonRule],
    ["a reason with a NUL", { reason: "a\u0000b" }, reasonRule],
    ["a reason of nothing that shows", { reason: "\u200b" }, reasonRule],
    ["half a surrogate pair", { reason: "\ud800" }, reasonRule],
    ["a ban that is a text", { ban: "true" }, "ban: must be true or false"],
    ["a list", [], /./],
    ["null", null, /./],
  ])("refuses %s, and changes nothing", async (_, json, msg) => {
    await play(harness, { ...asking(`DELETE /api/admin/skin/${first}`), json, status: 400, msg });
  });

  test.each(badBodies.filter(([what]) => what !== "no body"))("refuses %s", async (_, sent, status) => {
    await play(harness, { ...asking(`DELETE /api/admin/skin/${first}`), ...sent, status });
  });

  test.each([alice, unready])("refuses players before it says what there is: $mail", async (actor) => {
    await play(harness, { ...removing(first), actor, status: 403 });
    await play(harness, { ...removing(crypto.randomUUID()), actor, status: 403 });
    await play(harness, { ...removing("1"), actor, status: 403 });
  });

  test("refuses strangers", async () => {
    const { actor: _actor, ...scenario } = removing(first);
    await play(harness, { ...scenario, status: 401 });
  });
});

/** Asks until the answer is 404, and once more when the time is up, so that a slow machine fails no test. */
async function becomes404(path: string): Promise<boolean> {
  const deadline = performance.now() + 100;
  for (;;) {
    const isLast = performance.now() >= deadline;
    if ((await statusOf(path)) === 404) return true;
    if (isLast) return false;
    await Bun.sleep(5);
  }
}
