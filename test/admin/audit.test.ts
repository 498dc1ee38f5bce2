/** The list of the audit (docs/contract/admin.md#audit, docs/contract/answers.md#lists). */
import { afterAll, describe, expect, test } from "bun:test";
import type { AuditEntry } from "../../src/domain/ports/audit-store.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createToken, revokeToken } from "../../src/domain/services/tokens.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { named } from "../support/actors.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { openOtherEngine } from "../support/other-engine.ts";
import { send } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";

type Entry = {
  readonly id: number;
  readonly iss: string;
  readonly actor_id: number | null;
  readonly actor_via: string | null;
  readonly by: object | null;
  readonly action: string;
  readonly for: number;
  readonly about: object | null;
  readonly time: number;
  readonly detail: unknown;
};

/** A service whose audit holds what its people were made with, 1 to 3, and then these. */
async function openWorld(entries: readonly Partial<AuditEntry>[] = []) {
  const harness = await openHarness();
  const chief = await addMember(harness, "Chief", { level: 3 });
  const moderator = await addMember(harness, "Moderata", { level: 2 });
  const player = await addMember(harness, "Player");
  const at = harness.clock.nowSeconds();
  await using database = await openOtherEngine(harness);
  await database.atomically(async ({ audit }) => {
    for (const entry of entries) {
      const rest = { actor: named("Somebody"), action: "some.thing", forAccountId: null, at, detail: {} };
      await audit.append({ ...rest, ...entry });
    }
  });
  return { harness, chief, moderator, player };
}

const made: readonly Partial<AuditEntry>[] = [
  { actor: named("Chief"), action: "role.set", forAccountId: 77 as AccountId, detail: { old: { perms: 1 } } },
  { actor: named("service:web-shop"), action: "role.set", forAccountId: 3 as AccountId },
  { actor: named("Chief77"), action: "cape.grant" },
  { actor: named("system"), action: "cape.expire", forAccountId: 77 as AccountId },
];
const { harness, chief, moderator, player } = await openWorld(made);
afterAll(() => harness[Symbol.asyncDispose]());

test("an entry names its actor as they are called when it is written", async () => {
  const waiting: (() => Promise<unknown>)[] = [];
  await using world = await openHarness({ beforeTransaction: async () => void (await waiting.pop()?.()) });
  const boss = await addMember(world, "Chief", { level: 3 });
  await addMember(world, "Player");
  const change = { username: "Boss" };
  const renaming = { identifier: "Chief", change };
  waiting.push(() => updateUser(world.services, commandLine, renaming));
  const headers = { authorization: boss.authorization };
  const posted = await send(world, "POST /api/admin/mail", { subject: "Hello", message: "Hello" }, headers);
  expect(posted.status).toBe(200);
  const [entry] = await entriesOf(await ask(world, boss, "?limit=1"));
  expect(entry).toMatchObject({ iss: "Boss", action: "mail.bulk", actor_id: boss.account.id });
  expect(world.database.everything()["bulk_mails"]).toMatchObject([{ issuer: "Boss" }]);
});

function ask(world: Harness, member: Member, query = ""): Promise<Response> {
  return world.fetch(`/api/admin/audit${query}`, { headers: { authorization: member.authorization } });
}

async function entriesOf(response: Response): Promise<readonly Entry[]> {
  expect(response.status).toBe(200);
  return (await readJson<Envelope<readonly Entry[]>>(response)).data;
}

const idsOf = async (query: string) =>
  (await entriesOf(await ask(harness, chief, query))).map(({ id }) => id);

test("lists every entry, the newest first, in the contract's words", async () => {
  const response = await ask(harness, moderator);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-total-count": "7",
    "cache-control": "no-store",
  });
  expect(response.headers.has("link")).toBe(false);
  const entries = await entriesOf(response);
  expect(entries.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  const time = harness.clock.nowSeconds();
  expect(entries[3]).toEqual({
    id: 4,
    iss: "Chief",
    actor_id: null,
    actor_via: null,
    by: null,
    action: "role.set",
    for: 77,
    about: { id: 77, name: "", deleted: true },
    time,
    detail: { old: { perms: 1 } },
  });
  expect(entries[1]).toEqual({
    id: 6,
    iss: "Chief77",
    actor_id: null,
    actor_via: null,
    by: null,
    action: "cape.grant",
    for: 0,
    about: null,
    time,
    detail: {},
  });
  expect(entries[4]).toMatchObject({ iss: "cli", action: "user.create", for: player.account.id });
});

describe("finds", () => {
  test.each([
    ["a part of an issuer", "chie", [6, 4]],
    ["a part of an issuer in capitals", "CHIE", [6, 4]],
    ["a service", "service:", [5]],
    ["an action", "role.set", [5, 4]],
    ["a part of an action", "cape.", [7, 6]],
    ["what concerns a user, by a number that stands in no name", "3", [5, 3]],
    ["what concerns a user, by a short number", "77", [7, 4]],
    ["nothing by a text that is nowhere", "user.delete", []],
    ["nothing by a user without entries", "4711", []],
    ["nothing by an expression", "chief OR role", []],
    ["everything without a text", "", [7, 6, 5, 4, 3, 2, 1]],
  ])("%s", async (_, q, ids) => {
    const query = `?q=${encodeURIComponent(q)}`;
    expect(await idsOf(query)).toEqual(ids);
    expect((await ask(harness, chief, query)).headers.get("x-total-count")).toBe(String(ids.length));
  });
});

test("comes in pages from new to old, each with the address of the next", async () => {
  const pages: (readonly number[])[] = [];
  let path: string | undefined = "/api/admin/audit?limit=3";
  while (path !== undefined) {
    const response: Response = await ask(harness, chief, path.replace("/api/admin/audit", ""));
    expect(response.headers.get("x-total-count")).toBe("7");
    pages.push((await entriesOf(response)).map(({ id }) => id));
    path = /^<(\/api\/admin\/audit\?[^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
  }
  expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
});

test("a search comes in pages too, and what happens meanwhile does not move them", async () => {
  const own = await openWorld(made);
  await using world = own.harness;
  const first = await ask(world, own.chief, "?q=chief&limit=1");
  expect(first.headers.get("link")).toBe('</api/admin/audit?limit=1&after=6&q=chief>; rel="next"');
  await world.services.transact(named("Chief"), async ({ audit }) => audit("user.update", null, {}));
  const second = await ask(world, own.chief, "?q=chief&limit=1&after=6");
  expect((await entriesOf(second)).map(({ id }) => id)).toEqual([4]);
  expect(second.headers.has("link")).toBe(false);
});

test("shows an entry whose detail somebody has spoilt, and the others", async () => {
  const own = await openWorld(made);
  await using world = own.harness;
  world.database.change("UPDATE audit_entries SET detail = '{' WHERE id = 6");
  world.database.change("UPDATE audit_entries SET detail = '7' WHERE id = 5");
  const entries = await entriesOf(await ask(world, own.chief, "?limit=3"));
  expect(entries.map(({ detail }) => detail)).toEqual([{}, { unreadable: "{" }, { unreadable: "7" }]);
});

const get = (query: string): Pick<Scenario, "request"> => ({ request: `GET /api/admin/audit${query}` });
const limit = "limit: must be a whole number from 1 to 1000";
const after = "after: must be the id of a row, or 0";
const refusals: readonly Scenario[] = [
  { name: "nobody", ...get(""), status: 401 },
  { name: "a player", actor: player, ...get(""), status: 403, msg: /level 2/ },
  { name: "a limit of 0", actor: chief, ...get("?limit=0"), status: 400, msg: limit },
  { name: "a limit of 1001", actor: chief, ...get("?limit=1001"), status: 400, msg: limit },
  { name: "a negative limit", actor: chief, ...get("?limit=-1"), status: 400, msg: limit },
  { name: "a limit with an exponent", actor: chief, ...get("?limit=1e2"), status: 400, msg: limit },
  { name: "a limit that is no number", actor: chief, ...get("?limit=all"), status: 400, msg: limit },
  { name: "a negative start", actor: chief, ...get("?after=-1"), status: 400, msg: after },
  { name: "a huge start", actor: chief, ...get(`?after=${"9".repeat(30)}`), status: 400, msg: after },
  { name: "an empty start", actor: chief, ...get("?after="), status: 400, msg: after },
  {
    name: "a search of 255 characters",
    actor: chief,
    ...get(`?q=${"x".repeat(255)}`),
    status: 400,
    msg: "q: must have 254 characters at most",
  },
  {
    name: "a text that is too short to be looked for",
    actor: chief,
    ...get("?q=ch"),
    status: 400,
    msg: "q: must have 3 characters or more (2 where they are Chinese, Japanese or Korean), unless it is a whole id, UUID or username",
  },
  { name: "another method", actor: chief, request: "POST /api/admin/audit", status: 405 },
];
test.each(refusals.map((scenario) => [scenario.name, scenario] as const))("refuses %s", (_, scenario) =>
  play(harness, scenario),
);

test.each(["?after=0", "?after=999", "?limit=1000", "?q=%20%20"])("takes %s", async (query) => {
  expect(await idsOf(query)).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

const actorsOf = async (world: Harness, member: Member, limit = 2) =>
  (await entriesOf(await ask(world, member, `?limit=${limit}`))).map((entry) => [
    entry.iss,
    entry.action,
    entry.actor_id,
    entry.actor_via,
  ]);

/** The id of the session that a member signed in with. */
function sessionOf({ jwt }: Member): string {
  const [, claims = ""] = jwt.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sid;
}

describe("names who acted by what does not change", () => {
  test("an administrator, before and after another name, by account and session", async () => {
    const own = await openWorld();
    await using world = own.harness;
    const { account } = own.chief;
    const act = (request: string, json: unknown) =>
      play(world, { name: request, actor: own.chief, request, json, status: 200 });
    const renaming = { username: "Boss", password: own.chief.password };
    await act("PATCH /api/admin/user/Player", { perms: 2 });
    await act("PATCH /api/home/edit/username", renaming);
    await act("PATCH /api/admin/user/Player", { perms: 1 });
    const via = `session:${sessionOf(own.chief)}`;
    expect(await actorsOf(world, own.moderator, 3)).toEqual([
      ["Boss", "user.update", account.id, via],
      ["Chief", "user.rename", account.id, via],
      ["Chief", "user.update", account.id, via],
    ]);
    const { services } = world;
    await revokeToken(services, commandLine, (await createToken(services, commandLine, "shop")).created.name);
    expect(await actorsOf(world, own.moderator)).toEqual([
      ["cli", "token.revoke", null, null],
      ["cli", "token.create", null, null],
    ]);
  });

  test("a service by its token", async () => {
    const setting = "a service token that is long enough";
    await using world = await openHarness({ settings: { SERVICE_API_TOKEN: setting } });
    const boss = await addMember(world, "Boss", { level: 3 });
    const { account } = await addMember(world, "Player");
    await createToken(world.services, commandLine, "other");
    const { created, token } = await createToken(world.services, commandLine, "shop");
    for (const [authorization, permission] of [
      [token, 2],
      [setting, 3],
    ] as const) {
      const json = { userid: account.id, permission };
      await send(world, "POST /api/service/permission", json, { authorization });
    }
    expect(created.id).toBe(2);
    expect(await actorsOf(world, boss)).toEqual([
      ["service:default", "role.set", null, "token:default"],
      ["service:shop", "role.set", null, "token:2"],
    ]);
  });
});

describe("a member's own rename", () => {
  test("is in it, with the old and the new name", async () => {
    const own = await openWorld();
    await using world = own.harness;
    const rename = (username: string) =>
      play(world, {
        name: username,
        actor: own.player,
        request: "PATCH /api/home/edit/username",
        json: { username, password: own.player.password },
        status: 200,
      });
    await rename("Another");
    const [entry] = await entriesOf(await ask(world, own.chief, "?limit=1"));
    expect(entry).toMatchObject({
      iss: "Player",
      actor_id: own.player.account.id,
      action: "user.rename",
      for: own.player.account.id,
      detail: { old: { username: "Player" }, new: { username: "Another" } },
    });
    await rename("Another");
    expect(world.countRows("audit_entries")).toBe(4);
  });

  test("that is refused is not", async () => {
    const own = await openWorld();
    await using world = own.harness;
    const request = "PATCH /api/home/edit/username";
    const json = { username: "Chief", password: own.player.password };
    await play(world, { name: "", actor: own.player, request, json, status: 400 });
    expect(world.countRows("audit_entries")).toBe(3);
  });
});
