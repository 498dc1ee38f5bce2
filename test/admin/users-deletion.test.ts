/** Deletion of accounts over HTTP (docs/contract/admin.md#users). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, playerOf, wearCape, type Member } from "../support/members.ts";
import { homeStatus, send as sendJson, signInStatus, statusesOf } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();

const chief = await addMember(harness, "Chief", { level: 3 });
const alice = await addMember(harness, "Alice");

function identityOf({ account }: Member, subject: string) {
  const person = {
    provider: "discord",
    issuer: "https://discord.com",
    subject,
    username: "alice#1",
    avatar: "",
  };
  return { ...person, accountId: account.id, linkedAt: now };
}

const deleting = (identifier: string | number): Scenario => ({
  name: "",
  actor: chief,
  request: `DELETE /api/admin/user/${identifier}`,
  status: 200,
  msg: "User deletion successfully",
  data: {},
});

describe("DELETE /api/admin/user/{identifier}", () => {
  test.each(["id", "uuid", "name", "mail"] as const)("deletes a user by %s", async (by) => {
    const member = await addMember(harness, `Goner_${by}`);
    const identifier = by === "id" ? member.account.id : member[by];
    await play(harness, deleting(identifier));
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(401);
    await play(harness, { ...deleting(identifier), status: 404, msg: /^No user is known as/ });
  });

  test("takes sessions, skins, grants and the social link along, but no cape", async () => {
    await using other = await openHarness();
    const boss = await addMember(other, "Boss", { level: 3 });
    const tables = [
      "accounts",
      "players",
      "sessions",
      "skins",
      "textures",
      "identities",
      "cape_grants",
      "codes",
    ];
    const rows = () => Object.fromEntries(tables.map((table) => [table, other.countRows(table)]));
    const [before, files] = [rows(), await other.countFiles()];
    const member = await addMember(other, "Goner");
    const [worn] = [await addSkin(other, member, {}), await addSkin(other, member, { file: skinPng(7) })];
    const given = await grantCape(other, [member]);
    await wearCape(other, member, worn, given);
    await other.services.transact(system, ({ identities }) =>
      identities.insertIdentity(identityOf(member, "9")),
    );
    await play(other, { ...deleting("Goner"), actor: boss });
    expect(rows()).toEqual({ ...before, textures: 1 });
    expect(await other.countFiles()).toBe(files + 1);
  });

  test("holds the name, and says in the audit what was deleted", async () => {
    const member = await addMember(harness, "Remembered");
    await play(harness, deleting("Remembered"));
    expect(harness.database.everything()["audit_entries"]?.at(-1)).toMatchObject({
      issuer: "Chief",
      action: "user.delete",
      for_account_id: member.account.id,
      at: now,
      detail: JSON.stringify({ old: { uuid: member.uuid, username: "Remembered", mail: member.mail } }),
    });
    const again = { username: "Remembered", password: alice.password };
    const response = await edit(harness, alice, "PATCH /api/home/edit/username", again);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("held")]);
  });

  test("succeeds once where it is asked for several times at once", async () => {
    await addMember(harness, "Contested");
    const requests = Array.from({ length: 6 }, () =>
      sendJson(harness, deleting("Contested").request, undefined, { authorization: chief.authorization }),
    );
    expect(await statusesOf(requests)).toEqual([200, 404, 404, 404, 404, 404]);
  });

  test("lets the skin of who is left alone", async () => {
    const [one, two] = [await addMember(harness, "Twin_1"), await addMember(harness, "Twin_2")];
    for (const twin of [one, two]) await addSkin(harness, twin, { file: skinPng(9) });
    await play(harness, deleting("Twin_1"));
    const player = await playerOf(harness, two);
    expect((await harness.fetch(`/api/skin/standart/${player.uuid}?default=none`)).status).toBe(200);
  });
});
