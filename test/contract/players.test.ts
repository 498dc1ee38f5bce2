/** Several players of an account (docs/contract/home.md#players). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import {
  addMember,
  addSkin,
  allowPlayers,
  edit,
  grantCape,
  signIn,
  wearCape,
  type Member,
} from "../support/members.ts";
import { play } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

type Shown = {
  readonly uuid: string;
  readonly name: string;
  readonly main: boolean;
  readonly skin: string;
  readonly cape: string;
  readonly own_cape: string;
  readonly shares_skin: boolean;
  readonly created: number;
};

let harness: Harness;
let anna: Member;
let serial = 0;
beforeAll(async () => {
  harness = await openHarness({ settings: { PLAYERS_MAX: "3" } });
  anna = await addMember(harness, "Anna");
});
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

async function ask(
  request: string,
  actor: Member | null,
  json?: unknown,
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly msg: string;
  readonly data: Shown;
}> {
  const [method = "", path = ""] = request.split(" ");
  const response = await harness.fetch(path, {
    method,
    headers: {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(actor && { authorization: actor.authorization }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const { status, headers } = response;
  if (status === 204) return { status, headers, msg: await response.text(), data: {} as Shown };
  const { msg, data } = await readJson<Envelope<Shown> & { readonly msg: string }>(response);
  return { status, headers, msg, data };
}

async function list(actor: Member): Promise<{ readonly max: number; readonly players: readonly Shown[] }> {
  const { data } = await ask("GET /api/home/players", actor);
  return data as unknown as { readonly max: number; readonly players: readonly Shown[] };
}

async function create(actor: Member, name: string): Promise<Shown> {
  const answer = await ask("POST /api/home/players", actor, { name });
  expect([answer.status, answer.msg]).toEqual([200, "Player creation successfully"]);
  return answer.data;
}

/** A member of their own for a test, with a name of its own. */
function somebody(): Promise<Member> {
  serial += 1;
  return addMember(harness, `Some_${serial}`);
}
const freeName = () => `Free_${(serial += 1)}`;
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("the list", () => {
  test("holds the main player alone at first", async () => {
    const created = anna.account.createdAt;
    const bare = { skin: "", cape: "", own_cape: "", shares_skin: false };
    const main = { uuid: anna.uuid, name: "Anna", main: true, ...bare, created };
    expect(await list(anna)).toEqual({ max: 3, players: [main] });
  });

  test("holds the others behind the main one, the oldest first", async () => {
    const member = await somebody();
    const [one, two] = [await create(member, freeName()), await create(member, freeName())];
    const { players } = await list(member);
    expect(players.map(({ name, main }) => [name, main])).toEqual([
      [member.name, true],
      [one.name, false],
      [two.name, false],
    ]);
    expect(players.slice(1)).toEqual([one, two]);
  });

  test("says how many the account may have by its own number", async () => {
    const member = await somebody();
    await allowPlayers(harness, member, 7);
    expect((await list(member)).max).toBe(7);
  });
});

describe("a new player", () => {
  test("has a random uuid, wears nothing, and is found under the address that is answered", async () => {
    const member = await somebody();
    const name = freeName();
    const { headers, data } = await ask("POST /api/home/players", member, { name });
    expect(data).toEqual({
      uuid: expect.stringMatching(v4),
      name,
      main: false,
      skin: "",
      cape: "",
      own_cape: "",
      shares_skin: false,
      created: harness.clock.nowSeconds(),
    });
    expect(headers.get("location")).toBe(`/api/home/players/${data.uuid}`);
    expect((await list(member)).players[1]).toEqual(data);
  });

  test("signs the account in by its name, and is found by services and pictures", async () => {
    const member = await somebody();
    const { name, uuid } = await create(member, freeName());
    const jwt = await signIn(harness, name.toUpperCase(), member.password);
    const home = await harness.fetch("/api/home", { headers: { authorization: `Bearer ${jwt}` } });
    expect((await readJson<Envelope<{ Username: string }>>(home)).data.Username).toBe(member.name);
    for (const path of [
      `/api/skin/head/${uuid}?size=8`,
      `/api/skin/body/${name}?size=8`,
      `/api/skin/standart/${name.toLowerCase()}`,
      `/api/skin/launcher/${uuid}`,
      `/api/skin/launcher/envelope/${uuid}`,
      `/api/skin/standart/cape/${uuid}?default=transparent`,
    ]) {
      expect(`${path} ${(await harness.fetch(path)).status}`).toBe(`${path} 200`);
    }
  });

  test.each<[string, unknown, RegExp]>([
    ["no name", {}, /^name: /],
    ["null", { name: null }, /^name: /],
    ["a number", { name: 5 }, /^name: /],
    ["a list", { name: ["Anna"] }, /^name: /],
    ["too short a name", { name: "ab" }, /^name: must match/],
    ["blanks", { name: "A b c" }, /^name: /],
    ["digits alone", { name: "12345" }, /^name: /],
    ["a reserved name", { name: "Admin" }, /^name: .*reserved/],
    ["other scripts", { name: "Аnna" }, /^name: /],
    ["10 kB", { name: "x".repeat(8000) }, /^name: /],
    ["NUL", { name: "An\0na" }, /^name: /],
    ["a body that is a list", ["Anna_2"], /./],
  ])("is refused with %s", async (_, json, msg) => {
    const request = "POST /api/home/players";
    await play(harness, { name: "", actor: anna, request, json, status: 400, msg });
  });

  test("is refused with a name that is taken, in whatever case, or held for another", async () => {
    const other = await somebody();
    const taken = await create(other, freeName());
    const request = "POST /api/home/players";
    const refuse = (name: string, msg: RegExp) =>
      play(harness, { name, actor: anna, request, json: { name }, status: 409, msg });
    await refuse(other.name.toUpperCase(), /^name: is taken already$/);
    await refuse(taken.name.toLowerCase(), /^name: is taken already$/);
    await refuse(anna.name, /^name: is taken already$/);
    await ask(`DELETE /api/home/players/${taken.uuid}`, other, { password: other.password });
    await refuse(taken.name, /^name: .*held/);
    expect((await create(other, taken.name)).uuid).not.toBe(taken.uuid);
  });

  test("is refused beyond the number that the account may have, also to many at once", async () => {
    const member = await somebody();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask("POST /api/home/players", member, { name: freeName() })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 409, 409, 409, 409,
    ]);
    expect((await list(member)).players).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.msg).toBe("This account may have 3 players and no more");
  });

  test("is made once when two ask for a name at once", async () => {
    const [one, other] = [await somebody(), await somebody()];
    const name = freeName();
    const answers = await Promise.all([
      ask("POST /api/home/players", one, { name }),
      ask("POST /api/home/players", other, { name: name.toUpperCase() }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  test("takes a finished registration and a session", async () => {
    const member = await addMember(harness, `unfinished${(serial += 1)}`, { finished: false });
    for (const [request, json] of [
      ["GET /api/home/players", undefined],
      ["POST /api/home/players", { name: freeName() }],
      [`PATCH /api/home/players/${anna.uuid}`, { skinid: null }],
      [`DELETE /api/home/players/${anna.uuid}`, { password: member.password }],
    ] as const) {
      expect((await ask(request, member, json)).status).toBe(403);
      expect((await ask(request, null, json)).status).toBe(401);
    }
  });
});

describe("a change", () => {
  test("of the name takes the password, keeps the uuid, and holds the old name", async () => {
    const member = await somebody();
    const { uuid, name } = await create(member, freeName());
    const next = freeName();
    const request = `PATCH /api/home/players/${uuid}`;
    const refuse = (json: object, msg: RegExp) =>
      play(harness, { name: "", actor: member, request, json, status: 400, msg });
    await refuse({ name: next }, /^password: must be given with name$/);
    await refuse({ name: next, password: "not the password" }, /^password: is not your current password$/);
    const { status, msg, data } = await ask(request, member, { name: next, password: member.password });
    expect([status, msg, data.uuid, data.name]).toEqual([200, "Player change successfully", uuid, next]);
    const entries = harness.database.everything()["audit_entries"] as readonly {
      detail: string;
      action: string;
    }[];
    const { action, detail } = entries.at(-1)!;
    const names = { old: { username: name }, new: { username: next } };
    expect([action, JSON.parse(detail)]).toEqual(["user.rename", { uuid, ...names }]);
    expect((await ask("POST /api/home/players", anna, { name })).status).toBe(409);
    expect((await harness.fetch(`/api/skin/launcher/${uuid}`)).status).toBe(200);
    expect((await harness.fetch(`/api/skin/head/${name}?size=8`)).status).toBe(404);
    const { password } = member;
    const home = { name: "", actor: member, request, json: { name: anna.name, password }, status: 409 };
    await play(harness, home);
  });

  test("of the skin and the cape", async () => {
    const member = await somebody();
    const { uuid } = await create(member, freeName());
    const skin = await addSkin(harness, member, { file: skinPng(3) });
    const [linked, own] = [
      await grantCape(harness, [member], capePng(3)),
      await grantCape(harness, [member], capePng(4)),
    ];
    await wearCape(harness, member, skin, linked);
    const change = async (json: object) => {
      const { status, data } = await ask(`PATCH /api/home/players/${uuid}`, member, json);
      const envelope = await harness.fetch(`/api/skin/launcher/envelope/${uuid}`);
      const shown = await readJson<Envelope<{ SKIN?: object; CAPE?: { url: string } }>>(envelope);
      expect([Boolean(shown.data.SKIN), Boolean(shown.data.CAPE)]).toEqual([
        data.skin !== "",
        data.cape !== "",
      ]);
      return [status, data.skin, data.cape, data.own_cape];
    };
    expect(await change({ cloakid: own.uuid })).toEqual([200, "", own.uuid, own.uuid]);
    expect(await change({ skinid: skin })).toEqual([200, skin, own.uuid, own.uuid]);
    expect(await change({ cloakid: null })).toEqual([200, skin, linked.uuid, ""]);
    expect(await change({ cloakid: "none" })).toEqual([200, skin, "", "none"]);
    expect(await change({ cloakid: own.uuid, skinid: "" })).toEqual([200, "", own.uuid, own.uuid]);
    expect(await change({ cloakid: "" })).toEqual([200, "", "", ""]);
    expect(await change({ skinid: skin.toUpperCase().replaceAll("-", "") })).toEqual([
      200,
      skin,
      linked.uuid,
      "",
    ]);
    // The main player wears what it wore.
    expect((await list(member)).players[0]).toMatchObject({ skin, own_cape: "" });
  });

  test("of everything at once, or of nothing", async () => {
    const member = await somebody();
    const { uuid } = await create(member, freeName());
    const skinid = await addSkin(harness, member, { file: skinPng(3) });
    const { password } = member;
    const [name, request] = [freeName(), `PATCH /api/home/players/${uuid}`];
    const strange = { name, password, skinid, cloakid: anna.uuid };
    await play(harness, { name: "", actor: member, request, json: strange, status: 400, msg: /^cloakid: / });
    const { data } = await ask(request, member, { ...strange, cloakid: "none" });
    expect(data).toMatchObject({ uuid, name, skin: skinid, own_cape: "none" });
  });

  test("of the main player is the contract's own", async () => {
    const member = await somebody();
    const skinid = await addSkin(harness, member, { file: skinPng(5) });
    const cape = await grantCape(harness, [member], capePng(5));
    const name = freeName();
    const change = { name, password: member.password, cloakid: cape.uuid, skinid };
    expect((await ask(`PATCH /api/home/players/${member.uuid}`, member, change)).status).toBe(200);
    const { data } = await ask("GET /api/home", member);
    expect(data).toMatchObject({ Username: name, Selected_Skin: skinid, Selected_Cape: cape.id });
    await ask(`PATCH /api/home/players/${member.uuid}`, member, { cloakid: "none" });
    expect((await ask("GET /api/home", member)).data).toMatchObject({ Selected_Cape: 0 });
    const other = await addSkin(harness, member, { file: skinPng(6) });
    await edit(harness, member, "POST /api/home/edit/skin/select", { skinid: other });
    expect((await list(member)).players[0]?.skin).toBe(other);
  });

  test.each<[string, unknown, number, RegExp]>([
    ["nothing", {}, 400, /^body: must hold at least one of name, skinid, cloakid, shares_skin$/],
    ["the password alone", { password: "x" }, 400, /^body: /],
    ["a skin that is no UUID", { skinid: "x" }, 400, /^skinid: /],
    ["a skin that is a number", { skinid: 5 }, 400, /^skinid: /],
    ["an unknown skin", { skinid: "5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11" }, 400, /^skinid: /],
    ["a cape that is no UUID", { cloakid: "nothing" }, 400, /^cloakid: /],
    ["an unknown cape", { cloakid: "5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11" }, 400, /^cloakid: /],
    ["a malformed name", { name: "a b", password: "x" }, 400, /^name: /],
    ["a name that is null", { name: null, password: "x" }, 400, /^name: /],
  ])("with %s is refused", async (_, json, status, msg) => {
    const request = `PATCH /api/home/players/${anna.uuid}`;
    await play(harness, { name: "", actor: anna, request, json, status, msg });
  });

  test("takes neither another's skin nor a cape that was not granted", async () => {
    const other = await somebody();
    const skinid = await addSkin(harness, other, { file: skinPng(8) });
    const { uuid: cloakid } = await grantCape(harness, [other], capePng(8));
    const request = `PATCH /api/home/players/${anna.uuid}`;
    for (const json of [{ skinid }, { cloakid }])
      await play(harness, { name: "", actor: anna, request, json, status: 400 });
  });
});

describe("a player that is not theirs, or is none", () => {
  test.each(["PATCH", "DELETE"])("%s", async (method) => {
    const other = await somebody();
    const { uuid } = await create(other, freeName());
    const json = method === "PATCH" ? { skinid: null } : { password: anna.password };
    for (const [wanted, status, msg] of [
      [uuid, 404, /^You have no such player$/],
      [other.uuid, 404, /^You have no such player$/],
      ["5f0c1f3e-9d4a-4c52-8f7e-0a6b2d9c4e11", 404, /^You have no such player$/],
      ["nobody", 400, /^uuid: must be a UUID$/],
      [other.name, 400, /^uuid: must be a UUID$/],
    ] as const) {
      const request = `${method} /api/home/players/${wanted}`;
      await play(harness, { name: "", actor: anna, request, json, status, msg });
    }
  });
});

test("of two deletions at once one finds the player", async () => {
  const member = await somebody();
  const { uuid } = await create(member, freeName());
  const remove = () => ask(`DELETE /api/home/players/${uuid}`, member, { password: member.password });
  const answers = await Promise.all([remove(), remove()]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 404]);
});

test.each(["pl\ud800ayer", "player\u0000", "ｐｌａｙｅｒ", "..", "a/../b", "x".repeat(10_000), "Pla yer"])(
  "no player is called %j",
  async (name) => {
    const { password } = anna;
    for (const [request, json] of [
      ["POST /api/home/players", { name }],
      [`PATCH /api/home/players/${anna.uuid}`, { name, password }],
    ] as const) {
      expect((await ask(request, anna, json)).status).toBeOneOf([400, 413]);
    }
  },
);

describe("deleting", () => {
  test("takes the password, and leaves wardrobe, capes and the other players", async () => {
    const member = await somebody();
    const { uuid, name } = await create(member, freeName());
    const skinid = await addSkin(harness, member, { file: skinPng(9) });
    await ask(`PATCH /api/home/players/${uuid}`, member, { skinid });
    const request = `DELETE /api/home/players/${uuid}`;
    const refuse = (json: object) =>
      play(harness, { name: "", actor: member, request, json, status: 400, msg: /^password: / });
    await refuse({});
    await refuse({ password: 5 });
    await refuse({ password: "not the password" });
    expect(await ask(request, member, { password: member.password })).toMatchObject({ status: 204, msg: "" });
    expect((await list(member)).players.map((player) => player.name)).toEqual([member.name]);
    expect((await ask(request, member, { password: member.password })).status).toBe(404);
    expect(await (await harness.fetch(`/api/skin/launcher/${uuid}`)).json()).toEqual({});
    expect((await harness.fetch(`/api/skin/head/${name}?size=8`)).status).toBe(404);
    expect((await harness.fetch(`/api/skin/public/${skinid}`)).status).toBe(200);
    const login = { username: name, password: member.password };
    expect((await ask("POST /api/auth/login", null, login)).status).toBe(401);
  });

  test("does not take the main player", async () => {
    const member = await somebody();
    await create(member, freeName());
    const json = { password: member.password };
    const request = `DELETE /api/home/players/${member.uuid}`;
    await play(harness, { name: "", actor: member, request, json, status: 409, msg: /main player/ });
  });
});
