/** Players in the hands of staff (docs/contract/admin.md#players). */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Descriptor, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, signIn, wearCape, type Member } from "../support/members.ts";
import { badNames } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const chief = await addMember(harness, "Chief", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });
const unready = await addMember(harness, "unready", { finished: false });
const bob = await addMember(harness, "Bob");
let count = 0;
const someone = () => addMember(harness, `Some_${(count += 1)}`);
const freeName = () => `Free_${(count += 1)}`;
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nobody = "00000000-0000-4000-8000-000000000000";

type Shown = Readonly<
  Record<"uuid" | "name" | "skin" | "cape" | "own_cape", string> & {
    main: boolean;
    shares_skin: boolean;
    created: number;
  }
>;

const main = ({ uuid, name }: Pick<Member, "uuid" | "name">, more: Partial<Shown> = {}): Shown => ({
  uuid,
  name,
  main: true,
  skin: "",
  cape: "",
  own_cape: "",
  shares_skin: false,
  created: now,
  ...more,
});
const alt = (uuid: unknown, name: string, more: Partial<Shown> = {}) => ({
  ...main({ uuid: String(uuid), name }, { main: false, ...more }),
  uuid,
});

const adding = ({ uuid }: Pick<Member, "uuid">, json: unknown): Scenario => ({
  name: "",
  actor: chief,
  request: `POST /api/admin/user/${uuid}/players`,
  json,
  status: 200,
  msg: "Player creation successfully",
});
const changing = (uuid: string, json: unknown): Scenario => ({
  name: "",
  actor: chief,
  request: `PATCH /api/admin/players/${uuid}`,
  json,
  status: 200,
  msg: "Player change successfully",
});
const deleting = (uuid: string): Scenario => ({
  name: "",
  actor: chief,
  request: `DELETE /api/admin/players/${uuid}`,
  status: 204,
});
const refused = (scenario: Scenario, status: number, msg: string | RegExp): Scenario => ({
  ...scenario,
  status,
  msg,
});

async function list(member: Pick<Member, "uuid">): Promise<{ max: number; players: readonly Shown[] }> {
  const headers = { authorization: moderator.authorization };
  const response = await harness.fetch(`/api/admin/user/${member.uuid}/players`, { headers });
  return (await readJson<Envelope<{ max: number; players: readonly Shown[] }>>(response)).data;
}
async function add(member: Member, name: string, uuid?: string): Promise<string> {
  await play(harness, adding(member, { name, ...(uuid === undefined ? {} : { uuid }) }));
  return (await list(member)).players.find((player) => player.name === name)!.uuid;
}

type Row = { issuer: string; action: string; for_account_id: number; detail: string };
const told = ({ account }: Member) =>
  (harness.database.everything()["audit_entries"] as readonly Row[])
    .filter(({ for_account_id: id, action }) => id === account.id && action.startsWith("player."))
    .map(({ issuer, action, detail }) => ({ issuer, action, ...JSON.parse(detail) }));
const descriptorOf = async (uuid: string): Promise<Descriptor> =>
  readJson(await harness.fetch(`/api/skin/launcher/${uuid}`));

describe("GET /api/admin/user/{identifier}/players", () => {
  test.each<[string, (member: Member) => string]>([
    ["id", ({ account }) => String(account.id)],
    ["UUID", ({ uuid }) => uuid],
    ["username", ({ name }) => name.toUpperCase()],
    ["mail address", ({ mail }) => mail],
  ])("shows a moderator the players of a user by %s, the main one first", async (_, identifier) => {
    const member = await someone();
    const other = await add(member, freeName());
    const { players } = await list(member);
    expect(players.map(({ uuid, main: isMain }) => [uuid, isMain])).toEqual([
      [member.uuid, true],
      [other, false],
    ]);
    await play(harness, {
      name: "",
      actor: moderator,
      request: `GET /api/admin/user/${identifier(member)}/players`,
      status: 200,
      data: { max: 1, players },
    });
  });

  test("shows no player of an unfinished account, and knows no unknown one", async () => {
    const request = `GET /api/admin/user/${unready.account.id}/players`;
    await play(harness, {
      name: "",
      actor: moderator,
      request,
      status: 200,
      data: { max: 1, players: [] },
    });
    const unknown = { name: "", actor: moderator, request: "GET /api/admin/user/Nobody/players" };
    await play(harness, { ...unknown, status: 404, msg: "No user is known as Nobody" });
  });
});

describe("POST /api/admin/user/{identifier}/players", () => {
  test("makes players beyond the number that the user may make, audited", async () => {
    const member = await someone();
    for (const name of [freeName(), freeName(), freeName()]) {
      await play(harness, {
        ...adding(member, { name }),
        data: alt(expect.stringMatching(v4), name),
        answerHeaders: { location: /^\/api\/admin\/players\/[0-9a-f-]{36}$/ },
      });
    }
    const { max, players } = await list(member);
    expect({ max, players: players.length }).toEqual({ max: 1, players: 4 });
    expect(told(member)).toEqual(
      players.slice(1).map(({ uuid, name }) => ({
        issuer: "Chief",
        action: "player.create",
        new: { uuid, name },
      })),
    );
  });

  test("gives the UUID that is asked for, however it is written", async () => {
    const member = await someone();
    const uuid = crypto.randomUUID();
    const [name, written] = [freeName(), uuid.replaceAll("-", "").toUpperCase()];
    await play(harness, { ...adding(member, { name, uuid: written }), data: alt(uuid, name) });
    expect((await harness.fetch(`/api/skin/launcher/envelope/${uuid}`)).status).toBe(200);
  });

  test("lets the user sign in by the new name", async () => {
    const member = await someone();
    const name = freeName();
    await add(member, name);
    expect(await signIn(harness, name.toUpperCase(), member.password)).not.toBe("");
  });

  test.each(badNames)("refuses a name that is %s", async (_, name) => {
    await play(harness, refused(adding(bob, { name }), 400, /^name: /));
  });

  test.each<[string, unknown]>([
    ["no UUID", "Bob"],
    ["empty", ""],
    ["null", null],
    ["a number", 5],
    ["of version 7", "018f2b6a-7c1d-7e3f-9a60-1c2d3e4f5a6b"],
    ["of version 6", "1ec9414c-232a-6b00-b3c8-9e6bdeced846"],
    ["of version 0", "8f2e4c1a-5b7d-0e3f-9a60-1c2d3e4f5a6b"],
    ["of another variant", "8f2e4c1a-5b7d-4e3f-ca60-1c2d3e4f5a6b"],
    ["all zeros", "00000000-0000-0000-0000-000000000000"],
  ])("refuses a UUID that is %s", async (_, uuid) => {
    await play(harness, refused(adding(bob, { name: freeName(), uuid }), 400, /^uuid: must be /));
  });

  test("refuses an unknown user, an unfinished one, and a name that is taken", async () => {
    const name = freeName();
    await play(harness, refused(adding({ uuid: nobody }, { name }), 404, /^No user is known as/));
    await play(harness, refused(adding(unready, { name }), 409, /unfinished/));
    await play(harness, refused(adding(bob, { name: "CHIEF" }), 409, "name: is taken already"));
  });
});

describe("a UUID", () => {
  test("that is in use is never given to another player: of a player, of an account, of the same account", async () => {
    const [member, other] = [await someone(), await someone()];
    const second = await add(other, freeName());
    const own = await add(member, freeName());
    await play(harness, changing(other.uuid, { uuid: crypto.randomUUID() }));
    // The account's own UUID still names the other account.
    for (const uuid of [other.uuid, second, bob.uuid, own, member.uuid, unready.account.uuid]) {
      await play(harness, refused(adding(member, { name: freeName(), uuid }), 409, /^uuid: /));
      if (uuid !== own) await play(harness, refused(changing(own, { uuid }), 409, /^uuid: /));
    }
    expect((await list(member)).players.map(({ uuid }) => uuid)).toEqual([member.uuid, own]);
  });

  test("that another account's player had formerly is given when an administrator says so", async () => {
    const [member, other] = [await someone(), await someone()];
    const [deleted, changed] = [await add(other, freeName()), await add(other, freeName())];
    await play(harness, deleting(deleted));
    await play(harness, changing(changed, { uuid: crypto.randomUUID() }));
    const name = freeName();
    await play(harness, { ...adding(member, { name, uuid: deleted }), data: alt(deleted, name) });
    await play(harness, { ...changing(member.uuid, { uuid: changed }), data: expect.anything() });
    expect((await list(member)).players.map(({ uuid }) => uuid)).toEqual([changed, deleted]);
  });

  test("of a deleted account is given when an administrator says so, and does not name its account", async () => {
    const [member, gone] = [await someone(), await someone()];
    const request = `DELETE /api/admin/user/${gone.account.id}`;
    await play(harness, { name: "", actor: chief, request, status: 200 });
    const name = freeName();
    await play(harness, { ...adding(member, { name, uuid: gone.uuid }), data: alt(gone.uuid, name) });
    expect((await list({ uuid: gone.uuid })).players.map(({ uuid }) => uuid)).toEqual([
      member.uuid,
      gone.uuid,
    ]);
    const headers = { authorization: gone.authorization };
    expect((await harness.fetch("/api/home", { headers })).status).toBe(401);
  });

  test("is given to one of two who get it at once", async () => {
    const [member, other] = [await someone(), await someone()];
    const uuid = crypto.randomUUID();
    const ask = ({ uuid: path }: Member) =>
      harness.fetch(`/api/admin/user/${path}/players`, {
        method: "POST",
        headers: { authorization: chief.authorization, "content-type": "application/json" },
        body: JSON.stringify({ name: freeName(), uuid }),
      });
    const answers = await Promise.all([ask(member), ask(other)]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
  });
});

describe("PATCH /api/admin/players/{uuid}", () => {
  test("changes name, UUID, skin and cape at once, audited with old and new", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, { file: skinPng(7) });
    const cape = await grantCape(harness, [member], capePng(7));
    const name = freeName();
    const player = await add(member, name);
    const [uuid, renamed] = [crypto.randomUUID(), freeName()];
    await play(harness, {
      ...changing(player, { name: renamed, uuid, skinid: skin, cloakid: cape.uuid }),
      data: alt(uuid, renamed, { skin, cape: cape.uuid, own_cape: cape.uuid }),
    });
    expect(await descriptorOf(uuid)).toHaveProperty("CAPE");
    expect(await descriptorOf(player)).toEqual({});
    expect(told(member).at(-1)).toEqual({
      issuer: "Chief",
      action: "player.update",
      uuid,
      old: { name, uuid: player, skinid: "", cloakid: "" },
      new: { name: renamed, uuid, skinid: skin, cloakid: cape.uuid },
    });
  });

  test("dresses: no cape, the skin's cape, no skin", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, { file: skinPng(8) });
    const cape = await grantCape(harness, [member], capePng(8));
    await wearCape(harness, member, skin, cape);
    const at = (change: object) => changing(member.uuid, change);
    await play(harness, { ...at({ cloakid: "none" }), data: main(member, { skin, own_cape: "none" }) });
    for (const cloakid of [null, ""])
      await play(harness, { ...at({ cloakid }), data: main(member, { skin, cape: cape.uuid }) });
    await play(harness, { ...at({ skinid: null }), data: main(member) });
    await play(harness, { ...at({ skinid: skin }), data: main(member, { skin, cape: cape.uuid }) });
    await play(harness, { ...at({ skinid: "" }), data: main(member) });
  });

  test("keeps the UUID of a renamed player, and holds the old name for its account", async () => {
    const [member, name] = [await someone(), freeName()];
    const player = await add(member, name);
    const renamed = freeName();
    await play(harness, { ...changing(player, { name: renamed }), data: alt(player, renamed) });
    await play(harness, refused(adding(bob, { name }), 409, /held for its former owner/));
    await play(harness, adding(member, { name }));
  });

  test("knows the main player by the account's own UUID, and keeps that as an identifier", async () => {
    const member = await someone();
    const uuid = crypto.randomUUID();
    await play(harness, { ...changing(member.uuid, { uuid }), data: main({ uuid, name: member.name }) });
    const renamed = freeName();
    await play(harness, { ...changing(member.uuid, { name: renamed }), data: main({ uuid, name: renamed }) });
    await play(harness, { ...changing(uuid, { uuid: member.uuid }), data: expect.anything() });
    expect((await list(member)).players).toEqual([main({ uuid: member.uuid, name: renamed })]);
  });

  test("writes no audit where nothing changes", async () => {
    const member = await someone();
    const { uuid, name } = member;
    await play(harness, {
      ...changing(uuid, { name, uuid, skinid: null, cloakid: null }),
      data: main(member),
    });
    expect(told(member)).toEqual([]);
  });

  test("refuses what is not the account's, what is malformed and what is unknown", async () => {
    const [member, other] = [await someone(), await someone()];
    const skin = await addSkin(harness, other, { file: skinPng(9) });
    const cape = await grantCape(harness, [other], capePng(9));
    const at = (change: unknown) => changing(member.uuid, change);
    await play(harness, refused(at({ skinid: skin }), 400, /^skinid: /));
    await play(harness, refused(at({ cloakid: cape.uuid }), 400, /^cloakid: /));
    await play(harness, refused(at({ skinid: nobody }), 400, /^skinid: /));
    await play(harness, refused(at({ cloakid: nobody }), 400, /^cloakid: /));
    await play(harness, refused(at({ skinid: 5 }), 400, /^skinid: /));
    await play(harness, refused(at({ cloakid: "skin" }), 400, /^cloakid: /));
    await play(harness, refused(at({ name: "a b" }), 400, /^name: /));
    await play(harness, refused(at({ name: null }), 400, /^name: /));
    await play(harness, refused(at({ name: "Chief" }), 409, "name: is taken already"));
    await play(harness, refused(at({}), 400, /^body: must hold at least one of /));
    await play(harness, refused(at({ password: "x" }), 400, /^body: must hold at least one of /));
    await play(harness, refused(at([]), 400, /^body: /));
    await play(harness, refused(changing(nobody, { name: freeName() }), 404, /player/));
    await play(harness, refused(changing("Bob", { name: freeName() }), 400, /^uuid: must be a UUID/));
  });

  test("changes all or nothing", async () => {
    const member = await someone();
    await play(harness, refused(changing(member.uuid, { name: freeName(), skinid: nobody }), 400, /^skinid/));
    expect((await list(member)).players).toEqual([main(member)]);
  });
});

describe("DELETE /api/admin/players/{uuid}", () => {
  test("deletes a player, audited; its name is held and skins stay", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, { file: skinPng(10) });
    const name = freeName();
    const player = await add(member, name);
    await play(harness, changing(player, { skinid: skin }));
    await play(harness, deleting(player));
    expect((await list(member)).players).toEqual([main(member, { skin })]);
    expect(await descriptorOf(player)).toEqual({});
    expect(told(member).at(-1)).toEqual({
      issuer: "Chief",
      action: "player.delete",
      old: { uuid: player, name },
    });
    await play(harness, refused(adding(bob, { name }), 409, /held for its former owner/));
    await play(harness, refused(deleting(player), 404, /player/));
  });

  test("refuses the main player, an unknown one and a malformed UUID", async () => {
    await play(harness, refused(deleting(bob.uuid), 409, /main player/));
    await play(harness, refused(deleting(nobody), 404, /player/));
    await play(harness, refused(deleting("Bob"), 400, /^uuid: must be a UUID/));
  });
});

type Session = {
  accessToken: string;
  selectedProfile?: { id: string; name: string };
};
const askAuthserver = (path: string, json: object) =>
  harness.fetch(`/api/yggdrasil/authserver/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  });

/** Signs a launcher in as a new player. */
async function launch() {
  const [member, name] = [await someone(), freeName()];
  const uuid = await add(member, name);
  const signedIn = await askAuthserver("authenticate", { username: name, password: member.password });
  const { accessToken } = await readJson<Session>(signedIn);
  const status = async (path: "validate" | "refresh") => (await askAuthserver(path, { accessToken })).status;
  expect(await status("validate")).toBe(204);
  return { uuid, accessToken, status };
}

describe("a launcher that plays a player", () => {
  test.each<[string, () => object]>([
    ["renamed", () => ({ name: freeName() })],
    ["given another UUID", () => ({ uuid: crypto.randomUUID() })],
  ])("has to refresh its token once the player is %s, and then plays it as it is", async (_, change) => {
    const { uuid, accessToken, status } = await launch();
    const changes: { name?: string; uuid?: string } = change();
    await play(harness, changing(uuid, changes));
    expect(await status("validate")).toBe(403);
    const { selectedProfile } = await readJson<Session>(await askAuthserver("refresh", { accessToken }));
    expect(selectedProfile?.id).toBe((changes.uuid ?? uuid).replaceAll("-", ""));
    if (changes.name !== undefined) expect(selectedProfile?.name).toBe(changes.name);
  });

  test("keeps its token when the player is dressed", async () => {
    const { uuid, status } = await launch();
    await play(harness, changing(uuid, { cloakid: "none" }));
    expect(await status("validate")).toBe(204);
  });

  test("is signed out when the player is deleted, also where its UUID goes to another account", async () => {
    const { uuid, status } = await launch();
    await play(harness, deleting(uuid));
    expect([await status("validate"), await status("refresh")]).toEqual([403, 403]);
    await add(await someone(), freeName(), uuid);
    expect([await status("validate"), await status("refresh")]).toEqual([403, 403]);
  });
});

const setting = (member: Member, players_max: unknown): Scenario => ({
  name: "",
  actor: chief,
  request: `PATCH /api/admin/user/${member.uuid}`,
  json: { players_max },
  status: 200,
});
const withMax = (players_max: number | null) => expect.objectContaining({ players_max });

describe("players_max", () => {
  test("lets the user make that many players, until it is null again; audited", async () => {
    const member = await someone();
    const create = (name = freeName()) => edit(harness, member, "POST /api/home/players", { name });
    expect((await create()).status).toBe(409);
    await play(harness, { ...setting(member, 2), data: withMax(2) });
    expect((await list(member)).max).toBe(2);
    expect([(await create()).status, (await create()).status]).toEqual([200, 409]);
    await play(harness, { ...setting(member, null), data: withMax(null) });
    expect([(await list(member)).max, (await list(member)).players.length]).toEqual([1, 2]);
    expect((await create()).status).toBe(409);
    const entries = (harness.database.everything()["audit_entries"] as readonly Row[])
      .filter(({ for_account_id: id, action }) => id === member.account.id && action === "user.update")
      .map(({ detail }) => JSON.parse(detail));
    expect(entries).toEqual([
      { old: { players_max: null }, new: { players_max: 2 } },
      { old: { players_max: 2 }, new: { players_max: null } },
    ]);
  });

  test.each([1, 100])("takes %i", async (max) => {
    const member = await someone();
    await play(harness, { ...setting(member, max), data: withMax(max) });
  });

  test.each([[0], [101], [-1], [1.5], ["3"], [""], [true], [[3]], [{}]])("refuses %j", async (max) => {
    const msg = "players_max: must be a whole number from 1 to 100, or null";
    await play(harness, refused(setting(bob, max), 400, msg));
  });
});
