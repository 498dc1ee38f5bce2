/** What renaming and deleting a player means to the game sessions that are bound to it, and to no other. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { updateUser } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { changePlayer } from "../../src/domain/players/change-player.ts";
import { deletePlayer } from "../../src/domain/players/delete-player.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, edit, type Member } from "../support/members.ts";

let harness: Harness;
let serial = 0;
beforeAll(async () => {
  harness = await openHarness({ settings: { RENAME_HOURS: "0" } });
});
afterAll(() => harness[Symbol.asyncDispose]());

type Profile = { readonly id: string; readonly name: string };
type Token = { readonly accessToken: string; readonly selectedProfile: Profile };

function ask(call: string, json: object): Promise<Response> {
  return harness.fetch(`/api/yggdrasil/authserver/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  });
}

async function signIn({ password }: Member, username: string): Promise<Token> {
  return readJson<Token>(await ask("authenticate", { username, password }));
}

const statusOf = async (call: string, { accessToken }: Token) => (await ask(call, { accessToken })).status;

/** A member who plays as two players, each with a token. */
async function openWorld() {
  serial += 1;
  const member = await addMember(harness, `Main_${serial}`);
  await allowPlayers(harness, member);
  const { uuid, name } = await addPlayer(harness, member, `Second_${serial}`);
  const [main, second] = [await signIn(member, member.name), await signIn(member, name)];
  expect([main.selectedProfile.name, second.selectedProfile.name]).toEqual([member.name, name]);
  return { member, uuid, main, second, next: `Next_${serial}` };
}

type World = { readonly member: Member; readonly uuid: Uuid; readonly next: string };
const key = ({ uuid }: World) => ({ by: "uuid", value: uuid }) as const;

describe("a session of a player that", () => {
  const renames: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "its owner renames": ({ member, uuid, next: name }) =>
      edit(harness, member, `PATCH /api/home/players/${uuid}`, { name, password: member.password }),
    "staff rename": (world) => changePlayer(harness.services, commandLine, key(world), { name: world.next }),
    "gets another uuid": (world) =>
      changePlayer(harness.services, commandLine, key(world), { name: world.next, uuid: newUuid() }),
  };
  test.each(Object.entries(renames))("%s can be refreshed only", async (_, rename) => {
    const world = await openWorld();
    const { main, second } = world;
    expect(await statusOf("validate", second)).toBe(204);
    await rename(world);
    expect([await statusOf("validate", second), await statusOf("validate", main)]).toEqual([403, 204]);
    const refreshed = await readJson<Token>(await ask("refresh", { accessToken: second.accessToken }));
    expect(refreshed.selectedProfile.name).toBe(world.next);
    expect(await statusOf("validate", refreshed)).toBe(204);
  });

  test("is the main one, and is renamed, can be refreshed only", async () => {
    const world = await openWorld();
    const change = { username: world.next };
    await updateUser(harness.services, commandLine, { identifier: world.member.uuid, change });
    const { main, second } = world;
    expect([await statusOf("validate", main), await statusOf("validate", second)]).toEqual([403, 204]);
  });

  const deletions: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "its owner deletes": ({ member, uuid }) =>
      edit(harness, member, `DELETE /api/home/players/${uuid}`, { password: member.password }),
    "staff delete": (world) => deletePlayer(harness.services, commandLine, key(world)),
  };
  test.each(Object.entries(deletions))("%s is over", async (_, remove) => {
    const world = await openWorld();
    const { main, second, member } = world;
    const rows = harness.countRows("sessions");
    await remove(world);
    expect(harness.countRows("sessions")).toBe(rows - 1);
    expect([await statusOf("validate", second), await statusOf("validate", main)]).toEqual([403, 204]);
    expect(await statusOf("refresh", second)).toBe(403);
    const home = await harness.fetch("/api/home", { headers: { authorization: member.authorization } });
    expect(home.status).toBe(200);
  });
});
