/** No way gives a player a uuid that another account's player has or had, unless an administrator says so. */
import { describe, expect, test } from "bun:test";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { changePlayer } from "../../src/domain/players/change-player.ts";
import { createPlayer } from "../../src/domain/players/create-player.ts";
import { deletePlayer } from "../../src/domain/players/delete-player.ts";
import { newUuid, parseUuid, type Uuid } from "../../src/kernel/ids.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, edit, type Member } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { createAccount, newPerson, openSocialWorld } from "../support/social/social-world.ts";

const offline = { PLAYER_UUIDS: "offline", NAME_HOLD_DAYS: "0", RENAME_HOURS: "0", PLAYERS_MAX: "9" };
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const uuidKey = (uuid: string) => ({ by: "uuid", value: parseUuid(uuid)! }) as const;

/** The uuids of a member's players by their names. */
async function uuidsOf(harness: Harness, { authorization }: Pick<Member, "authorization">) {
  const response = await harness.fetch("/api/home/players", { headers: { authorization } });
  const { data } = await readJson<Envelope<{ players: readonly { name: string; uuid: string }[] }>>(response);
  return Object.fromEntries(data.players.map(({ name, uuid }) => [name, uuid]));
}

const rename = (harness: Harness, member: Member, uuid: string, name: string) =>
  edit(harness, member, `PATCH /api/home/players/${uuid}`, { name, password: member.password });

test("a uuid of a name is that of servers without authentication", () => {
  expect(offlineUuid("Notch")).toBe("b50ad385-829d-3141-a216-7e7d7539ba7f" as Uuid);
  expect(offlineUuid("notch")).not.toBe(offlineUuid("Notch"));
});

describe("where uuids are random", () => {
  test("the main player has the account's, and others have random ones", async () => {
    await using harness = await openHarness({ settings: { PLAYERS_MAX: "3" } });
    const anna = await addMember(harness, "Anna");
    const { uuid } = await addPlayer(harness, anna, "Berta");
    expect(await uuidsOf(harness, anna)).toEqual({ Anna: anna.uuid, Berta: uuid });
    expect(uuid).toMatch(v4);
    expect(uuid).not.toBe(parseUuid(anna.uuid)!);
  });

  test("a player that is made again has another one", async () => {
    await using harness = await openHarness({ settings: { PLAYERS_MAX: "3" } });
    const anna = await addMember(harness, "Anna");
    const { uuid } = await addPlayer(harness, anna, "Berta");
    await edit(harness, anna, `DELETE /api/home/players/${uuid}`, { password: anna.password });
    expect((await addPlayer(harness, anna, "Berta")).uuid).not.toBe(uuid);
  });
});

describe("where uuids are made from names", () => {
  test("players have those of their names, and the account's own names the main player, too", async () => {
    await using harness = await openHarness({ settings: offline });
    const anna = await addMember(harness, "Anna");
    await addPlayer(harness, anna, "Berta");
    const uuids = { Anna: offlineUuid("Anna"), Berta: offlineUuid("Berta") };
    expect(await uuidsOf(harness, anna)).toEqual(uuids);
    const home = await harness.fetch("/api/home", { headers: { authorization: anna.authorization } });
    expect((await readJson<Envelope<{ Uuid: string }>>(home)).data.Uuid).toBe(uuids.Anna);
    const shown = await harness.fetch(`/api/skin/launcher/envelope/${anna.uuid}`);
    expect((await readJson<Envelope<{ uuid: string }>>(shown)).data.uuid).toBe(uuids.Anna);
    // A key of the home area, too.
    expect((await rename(harness, anna, anna.uuid, "Anne")).status).toBe(200);
    expect(await uuidsOf(harness, anna)).toEqual({ Anne: uuids.Anna, Berta: uuids.Berta });
  });

  test("registration gives the first player that of its name", async () => {
    await using harness = await openHarness({ settings: offline });
    const late = await addMember(harness, "late", { finished: false });
    const json = { username: "Late", password: late.password };
    const headers = { authorization: late.authorization };
    expect((await send(harness, "POST /api/home/registerfinish", json, headers)).status).toBe(200);
    expect(await uuidsOf(harness, late)).toEqual({ Late: offlineUuid("Late") });
    const named = await addMember(harness, "named", { finished: false });
    const change = { username: "Named" };
    await updateUser(harness.services, commandLine, { identifier: named.mail, change });
    expect(await uuidsOf(harness, named)).toEqual({ Named: offlineUuid("Named") });
  });

  test("a name that is chosen in the place of a derived one brings its own", async () => {
    await using world = await openSocialWorld({ settings: offline });
    const { harness } = world;
    newPerson(world, { username: "Derived" });
    const member = { authorization: `Bearer ${await createAccount(world)}` };
    expect(await uuidsOf(harness, member)).toEqual({ Derived: offlineUuid("Derived") });
    const json = { username: "Chosen", password: "x7-Kq!m2-chosen" };
    await send(harness, "POST /api/home/registerfinish", json, member);
    expect(await uuidsOf(harness, member)).toEqual({ Chosen: offlineUuid("Chosen") });
    // It was another account's.
    const other = await addMember(harness, "Derived");
    expect((await uuidsOf(harness, other))["Derived"]).toMatch(v4);
  });

  type Way = (harness: Harness, anna: Member) => Promise<unknown>;
  const ways: Readonly<Record<string, Way>> = {
    "renamed it": (harness, anna) => rename(harness, anna, offlineUuid("Berta"), "Other"),
    "renamed its main player": (harness, anna) => rename(harness, anna, offlineUuid("Anna"), "Other"),
    "deleted it": (harness, anna) =>
      edit(harness, anna, `DELETE /api/home/players/${offlineUuid("Berta")}`, { password: anna.password }),
    "was deleted": ({ services }, anna) => deleteAccount(services, commandLine, anna.mail),
    "lost it to staff": ({ services }) => deletePlayer(services, commandLine, uuidKey(offlineUuid("Berta"))),
    "got other uuids from staff": async ({ services }) => {
      for (const name of ["Anna", "Berta"]) {
        const change = { uuid: newUuid(), name: `${name}_2` };
        await changePlayer(services, commandLine, uuidKey(offlineUuid(name)), change);
      }
    },
    "deleted it, made it again and deleted it again": async (harness, anna) => {
      const json = { password: anna.password };
      const request = `DELETE /api/home/players/${offlineUuid("Berta")}`;
      await edit(harness, anna, request, json);
      expect((await addPlayer(harness, anna, "Berta")).uuid).toBe(offlineUuid("Berta"));
      await edit(harness, anna, request, json);
    },
  };
  test.each(Object.entries(ways))(
    "an account that %s leaves its uuids to no other account",
    async (_, way) => {
      await using harness = await openHarness({ settings: offline });
      const anna = await addMember(harness, "Anna");
      await addPlayer(harness, anna, "Berta");
      await way(harness, anna);
      const had = new Set<string>([offlineUuid("Anna"), offlineUuid("Berta")]);
      const thief = await addMember(harness, "Thief");
      for (const name of ["Anna", "Berta"]) {
        const taken = await edit(harness, thief, "POST /api/home/players", { name });
        if (taken.status === 409) continue;
        const { data } = await readJson<Envelope<{ uuid: string }>>(taken);
        expect(data.uuid).toMatch(v4);
      }
      // Nor by a rename, nor as the main player of another account.
      const last = await addMember(harness, "Last");
      for (const uuid of Object.values(await uuidsOf(harness, thief)).slice(1)) {
        await edit(harness, thief, `DELETE /api/home/players/${uuid}`, { password: thief.password });
      }
      for (const name of ["Anna", "Berta"]) await rename(harness, last, offlineUuid("Last"), name);
      for (const member of [thief, last]) {
        expect(Object.values(await uuidsOf(harness, member)).filter((uuid) => had.has(uuid))).toEqual([]);
      }
    },
  );

  test("a uuid that players of two accounts had goes to neither", async () => {
    await using harness = await openHarness({ settings: offline });
    const [anna, otto] = [await addMember(harness, "Anna"), await addMember(harness, "Otto")];
    const uuid = offlineUuid("Berta");
    for (const { mail: identifier } of [anna, otto]) {
      await createPlayer(harness.services, commandLine, { identifier, name: "Other", uuid });
      await deletePlayer(harness.services, commandLine, uuidKey(uuid));
    }
    for (const member of [anna, otto]) {
      const made = await addPlayer(harness, member, "Berta");
      expect(made.uuid).toMatch(v4);
      await edit(harness, member, `DELETE /api/home/players/${made.uuid}`, { password: member.password });
    }
  });

  test("the account that had a uuid gets it back with the name", async () => {
    await using harness = await openHarness({ settings: offline });
    const anna = await addMember(harness, "Anna");
    const { uuid } = await addPlayer(harness, anna, "Berta");
    await edit(harness, anna, `DELETE /api/home/players/${uuid}`, { password: anna.password });
    expect((await addPlayer(harness, anna, "Berta")).uuid).toBe(uuid);
    // While its own player still has it, another one gets a random one.
    await rename(harness, anna, uuid, "Clara");
    expect((await addPlayer(harness, anna, "Berta")).uuid).toMatch(v4);
  });

  test("of many that take a name at once one has its uuid", async () => {
    await using harness = await openHarness({ settings: offline });
    const members = await Promise.all(["One", "Two", "Three"].map((name) => addMember(harness, name)));
    const asked = members.map((member) => edit(harness, member, "POST /api/home/players", { name: "Same" }));
    const statuses = await Promise.all(asked.map(async (response) => (await response).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    const found = await Promise.all(members.map((member) => uuidsOf(harness, member)));
    expect(found.flatMap(({ Same }) => Same ?? [])).toEqual([offlineUuid("Same")]);
  });

  test("a name that is held is not taken, whatever its capitals", async () => {
    await using harness = await openHarness({ settings: { ...offline, NAME_HOLD_DAYS: "30" } });
    const anna = await addMember(harness, "Anna");
    const { uuid } = await addPlayer(harness, anna, "Berta");
    await edit(harness, anna, `DELETE /api/home/players/${uuid}`, { password: anna.password });
    const thief = await addMember(harness, "Thief");
    for (const name of ["Berta", "BERTA"]) {
      expect((await edit(harness, thief, "POST /api/home/players", { name })).status).toBe(409);
      expect((await rename(harness, thief, offlineUuid("Thief"), name)).status).toBe(409);
    }
  });
});

async function openWorld() {
  const harness = await openHarness({ settings: { PLAYERS_MAX: "1" } });
  const [anna, otto] = [await addMember(harness, "Anna"), await addMember(harness, "Otto")];
  await allowPlayers(harness, anna);
  return { harness, anna, otto, berta: await addPlayer(harness, anna, "Berta") };
}
describe("an administrator", () => {
  const input = { identifier: "Otto", name: "Clara" };

  test("gives a uuid that another account's player had, and players beyond the number", async () => {
    const { harness, berta, otto } = await openWorld();
    await using _ = harness;
    await deletePlayer(harness.services, commandLine, uuidKey(berta.uuid));
    const made = await createPlayer(harness.services, commandLine, { ...input, uuid: berta.uuid });
    expect(await uuidsOf(harness, otto)).toEqual({ Otto: otto.uuid, Clara: made.player.uuid });
    expect(made.player.uuid).toBe(berta.uuid);
  });

  test("gives none that an account or player has", async () => {
    const { harness, anna, otto, berta } = await openWorld();
    await using _ = harness;
    const { services } = harness;
    for (const uuid of [anna.uuid, otto.uuid, berta.uuid].map((text) => parseUuid(text)!)) {
      const refused = { kind: "conflict", field: "uuid" };
      expect(createPlayer(services, commandLine, { ...input, uuid })).rejects.toMatchObject(refused);
      if (uuid === berta.uuid) continue;
      const given = changePlayer(services, commandLine, uuidKey(berta.uuid), { uuid });
      expect(given).rejects.toMatchObject(refused);
      await given.catch(() => undefined);
    }
    expect(Object.keys(await uuidsOf(harness, otto))).toEqual(["Otto"]);
  });

  test("gives the account's own to its main player alone", async () => {
    const { harness, anna, berta } = await openWorld();
    await using _ = harness;
    const { services } = harness;
    const uuid = parseUuid(anna.uuid)!;
    await changePlayer(services, commandLine, uuidKey(anna.uuid), { uuid: newUuid() });
    const refused = { kind: "conflict", field: "uuid" };
    const given = changePlayer(services, commandLine, uuidKey(berta.uuid), { uuid });
    expect(given).rejects.toMatchObject(refused);
    const made = createPlayer(services, commandLine, { ...input, identifier: anna.mail, uuid });
    expect(made).rejects.toMatchObject(refused);
    await Promise.allSettled([given, made]);
    await changePlayer(services, commandLine, uuidKey(anna.uuid), { uuid });
    expect((await uuidsOf(harness, anna))["Anna"]).toBe(uuid);
  });

  test.each([
    ["version 7", "0190d9a8-3f5b-7c1d-8e2f-0a1b2c3d4e5f"],
    ["version 0", "00000000-0000-0000-8000-000000000000"],
    ["version 8", "0190d9a8-3f5b-8c1d-8e2f-0a1b2c3d4e5f"],
    ["version 12", "0190d9a8-3f5b-cc1d-8e2f-0a1b2c3d4e5f"],
    ["another variant", "0190d9a8-3f5b-4c1d-ce2f-0a1b2c3d4e5f"],
    ["the nil uuid", "00000000-0000-0000-0000-000000000000"],
  ])("gives none that games refuse: %s", async (_, text) => {
    const { harness, berta } = await openWorld();
    await using __ = harness;
    const uuid = parseUuid(text)!;
    const refused = { kind: "invalid", field: "uuid" };
    const made = createPlayer(harness.services, commandLine, { ...input, uuid });
    expect(made).rejects.toMatchObject(refused);
    const changed = changePlayer(harness.services, commandLine, uuidKey(berta.uuid), { uuid });
    expect(changed).rejects.toMatchObject(refused);
    await Promise.allSettled([made, changed]);
  });

  test("of two that give one uuid at once one does", async () => {
    const { harness } = await openWorld();
    await using _ = harness;
    const uuid = newUuid();
    const made = await Promise.allSettled(
      ["Clara", "Doris"].map((name) => createPlayer(harness.services, commandLine, { ...input, name, uuid })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("makes none for an unfinished account, and deletes no main player", async () => {
    const { harness, otto } = await openWorld();
    await using _ = harness;
    const { services } = harness;
    const late = await addMember(harness, "late", { finished: false });
    const made = createPlayer(services, commandLine, { ...input, identifier: late.mail, uuid: null });
    expect(made).rejects.toMatchObject({ kind: "conflict" });
    const gone = deletePlayer(services, commandLine, uuidKey(otto.uuid));
    expect(gone).rejects.toMatchObject({ kind: "conflict" });
    await Promise.allSettled([made, gone]);
  });
});
