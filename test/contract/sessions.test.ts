/** The list of a member's sessions (docs/contract/home.md#sessions). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { homeStatus, orderCode, send } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { claimsOf } from "../support/tokens.ts";
import { signInToGame } from "../yggdrasil/world.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
afterAll(() => harness[Symbol.asyncDispose]());

const chief = await addMember(harness, "Chief", { level: 3 });
let count = 0;
const someone = (where = harness) => addMember(where, `Member${(count += 1)}`);

type Listed = {
  readonly id: string;
  readonly created: number;
  readonly last_used: number;
  readonly current: boolean;
};

async function listFor({ authorization }: { authorization: string }, where = harness) {
  const response = await where.fetch("/api/home/sessions", { headers: { authorization } });
  return (await readJson<Envelope<readonly Listed[]>>(response)).data;
}

/** Another sign-in of the member. */
async function signInAgain(
  member: Member,
  headers: Readonly<Record<string, string>> = {},
  where: Harness = harness,
) {
  const json = { username: member.name, password: member.password };
  const response = await send(where, "POST /api/auth/login", json, headers);
  const { jwt } = (await readJson<Envelope<{ jwt: string }>>(response)).data;
  return { jwt, id: String(claimsOf(jwt)["sid"]), authorization: `Bearer ${jwt}` };
}

const idOf = (member: Member) => String(claimsOf(member.jwt)["sid"]);
const remove = (id: string): Scenario => ({
  name: "",
  request: `DELETE /api/home/sessions/${id}`,
  status: 204,
});

describe("GET /api/home/sessions", () => {
  test("lists when and from where the member signed in, and which session asks", async () => {
    const member = await someone();
    const headers = { "user-agent": "A launcher/1.0", "x-forwarded-for": "2001:DB8::0:7" };
    const other = await signInAgain(member, headers);
    const now = harness.clock.nowSeconds();
    const times = { created: now, last_used: now, expires: now + 24 * 60 * 60 };
    await play(harness, {
      name: "",
      request: "GET /api/home/sessions",
      actor: member,
      status: 200,
      data: expect.arrayContaining([
        { id: idOf(member), ...times, address: "127.0.0.1", user_agent: "", kind: "web", current: true },
        {
          id: other.id,
          ...times,
          address: "2001:db8::7",
          user_agent: "A launcher/1.0",
          kind: "web",
          current: false,
        },
      ]),
      hasNot: [member.jwt, other.jwt, member.mail],
    });
    expect(await listFor(member)).toHaveLength(2);
    expect((await listFor(other)).filter(({ current }) => current).map(({ id }) => id)).toEqual([other.id]);
  });

  test.each([
    ["the member's own", (member: Member) => ["/api/home/sessions", member.authorization] as const],
    [
      "staff's",
      (member: Member) => [`/api/admin/user/${member.account.id}/sessions`, chief.authorization] as const,
    ],
  ])("has pages, as other lists do: %s", async (_, listOf) => {
    const member = await someone();
    for (let n = 0; n < 4; n++) {
      harness.clock.advance(60);
      await signInAgain(member, { "user-agent": `Program ${n}` });
    }
    const [path, authorization] = listOf(member);
    const ask = async (address: string) => {
      const response = await harness.fetch(address, { headers: { authorization } });
      const { data } = await readJson<Envelope<readonly (Listed & { user_agent: string })[]>>(response);
      const [, next = null] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
      return { data, next, total: response.headers.get("x-total-count") };
    };
    const whole = await ask(path);
    expect([whole.data.length, whole.next, whole.total]).toEqual([5, null, "5"]);
    const seen: string[] = [];
    const pages: (readonly [number, string | null])[] = [];
    for (let next: string | null = `${path}?limit=2`; next !== null;) {
      const page = await ask(next);
      seen.push(...page.data.map(({ id }) => id));
      pages.push([page.data.length, page.total]);
      next = page.next;
    }
    expect(seen).toEqual(whole.data.map(({ id }) => id));
    expect(pages).toEqual([
      [2, "5"],
      [2, "5"],
      [1, "5"],
    ]);
  });

  test.each([
    ["limit=0", "limit: must be a whole number from 1 to 1000"],
    ["limit=1001", "limit: must be a whole number from 1 to 1000"],
    ["limit=two", "limit: must be a whole number from 1 to 1000"],
    ["after=7", "after: must be the id of a row of this list; begin again without it"],
    ["after=", "after: must be the id of a row of this list; begin again without it"],
  ])("refuses %s", async (query, msg) => {
    const member = await someone();
    const request = `GET /api/home/sessions?${query}`;
    await play(harness, { name: query, request, actor: member, status: 400, msg });
  });

  test("refuses to go on after a session of another member, or one that has ended", async () => {
    const [member, other] = [await someone(), await someone()];
    const ended = await signInAgain(member);
    await play(harness, { ...remove(ended.id), actor: member });
    for (const id of [idOf(other), ended.id])
      await play(harness, {
        name: id,
        request: `GET /api/home/sessions?after=${id}`,
        actor: member,
        status: 400,
        msg: "after: must be the id of a row of this list; begin again without it",
      });
  });

  test("holds no other member's", async () => {
    const [one, two] = [await someone(), await someone()];
    expect((await listFor(one)).map(({ id }) => id)).toEqual([idOf(one)]);
    expect((await listFor(two)).map(({ id }) => id)).toEqual([idOf(two)]);
  });

  test.each([
    ["cuts what a client calls itself", "x".repeat(300), "x".repeat(256)],
    ["shows markup as it came", "<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("%s", async (_, sent, shown) => {
    const other = await signInAgain(await someone(), { "user-agent": sent });
    expect(await listFor(other)).toContainEqual(expect.objectContaining({ id: other.id, user_agent: shown }));
  });

  test("shows when a session was used to the minute, the last used first", async () => {
    await using other = await openHarness();
    const member = await someone(other);
    const second = await signInAgain(member, {}, other);
    const start = other.clock.nowSeconds();
    const used = async (by: { authorization: string }) =>
      Object.fromEntries((await listFor(by, other)).map(({ id, last_used }) => [id, last_used - start]));
    other.clock.advance(59);
    expect(await used(second)).toEqual({ [idOf(member)]: 0, [second.id]: 0 });
    other.clock.advance(1);
    expect(await used(second)).toEqual({ [idOf(member)]: 0, [second.id]: 60 });
    other.clock.advance(120);
    expect(await homeStatus(other, member.jwt)).toBe(200);
    expect(await used(second)).toEqual({ [idOf(member)]: 180, [second.id]: 180 });
    other.clock.advance(60);
    expect((await listFor(member, other)).map(({ id }) => id)).toEqual([idOf(member), second.id]);
  });

  test("shows it while nothing can be written", async () => {
    await using other = await openHarness();
    const member = await someone(other);
    const start = other.clock.nowSeconds();
    const mayGoOn = Promise.withResolvers<void>();
    const busy = other.services.transact(system, () => mayGoOn.promise);
    other.clock.advance(60);
    const [session] = await listFor(member, other).finally(mayGoOn.resolve);
    await busy;
    expect(session).toMatchObject({ last_used: start + 60 });
  });

  test("writes nothing for a session that was used within the minute", async () => {
    await using other = await openHarness();
    const member = await someone(other);
    const before = other.database.everything();
    other.clock.advance(59);
    for (let time = 0; time < 5; time++) await homeStatus(other, member.jwt);
    await other.services.activity.flush();
    expect(other.database.everything()).toEqual(before);
  });

  test("leaves out what has expired", async () => {
    await using other = await openHarness();
    const member = await someone(other);
    other.clock.advance(24 * 60 * 60 - 1);
    const late = await signInAgain(member, {}, other);
    expect(await listFor(late, other)).toHaveLength(2);
    other.clock.advance(1);
    expect((await listFor(late, other)).map(({ id }) => id)).toEqual([late.id]);
  });

  test("asks for a session", () =>
    play(harness, { name: "", request: "GET /api/home/sessions", status: 401 }));
});

describe("DELETE /api/home/sessions/{id}", () => {
  test("ends another session of the member at once", async () => {
    const member = await someone();
    const other = await signInAgain(member);
    await play(harness, { ...remove(other.id), actor: member });
    expect(await homeStatus(harness, other.jwt)).toBe(401);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect((await listFor(member)).map(({ id }) => id)).toEqual([idOf(member)]);
  });

  test("ends the session that asks", async () => {
    const member = await someone();
    await play(harness, { ...remove(idOf(member)), actor: member });
    await play(harness, { ...remove(idOf(member)), actor: member, status: 401 });
  });

  test.each([
    ["without dashes", (id: string) => id.replaceAll("-", "")],
    ["in capitals", (id: string) => id.toUpperCase()],
  ])("takes the id %s", async (_, write) => {
    const member = await someone();
    const other = await signInAgain(member);
    await play(harness, { ...remove(write(other.id)), actor: member });
    expect(await homeStatus(harness, other.jwt)).toBe(401);
  });

  test("refuses another member's session, in the words for an unknown one", async () => {
    const [one, two] = [await someone(), await someone()];
    const answers = [idOf(two), crypto.randomUUID()].map(async (id) => {
      await play(harness, { ...remove(id), actor: one, status: 404 });
      const response = await send(harness, remove(id).request, undefined, {
        authorization: one.authorization,
      });
      return response.text();
    });
    const [others, unknown] = await Promise.all(answers);
    expect(others).toBe(unknown ?? "");
    expect(await homeStatus(harness, two.jwt)).toBe(200);
  });

  test("refuses what has ended already", async () => {
    const member = await someone();
    const other = await signInAgain(member);
    await play(harness, { ...remove(other.id), actor: member });
    await play(harness, { ...remove(other.id), actor: member, status: 404 });
  });

  test.each([["current"], ["1"], ["%00"], ["x".repeat(36)], ["%27%20OR%201=1%20--"]])(
    "refuses the id %s",
    async (id) => play(harness, { ...remove(id), actor: await someone(), status: 400, msg: /^id: / }),
  );

  test("asks for a session before it looks at the id", async () => {
    await play(harness, { ...remove(idOf(await someone())), status: 401 });
    await play(harness, { ...remove("nonsense"), status: 401 });
  });

  test("answers all that end the same session at once with success, or with 404", async () => {
    const member = await someone();
    const other = await signInAgain(member);
    const { authorization } = member;
    const all = Array.from({ length: 5 }, () =>
      send(harness, remove(other.id).request, undefined, { authorization }),
    );
    for (const { status } of await Promise.all(all)) expect([204, 404]).toContain(status);
    expect(await homeStatus(harness, other.jwt)).toBe(401);
  });
});

test("sessions, codes and held names that have expired are removed, and no others", async () => {
  await using other = await openHarness();
  const member = await someone(other);
  await orderCode(other, "reset", member.mail);
  await other.services.transact(system, ({ players }) =>
    players.holdName("gone", {
      accountId: member.account.id,
      playerId: null,
      heldUntil: 4_102_444_801,
    }),
  );
  other.clock.advance(24 * 60 * 60 + 1);
  const late = await signInAgain(member, {}, other);
  await orderCode(other, "confirm", "late@example.org");
  const rows = () => ["sessions", "codes", "held_names"].map((table) => other.countRows(table));
  expect(rows()).toEqual([2, 2, 1]);
  const log = createLogger({ level: "error", format: "json" });
  await startHousekeeping({ ...other.services, log })[Symbol.asyncDispose]();
  expect(rows()).toEqual([1, 1, 0]);
  expect(await homeStatus(other, late.jwt)).toBe(200);
});

/** A session as a row, past the service. */
const row = (id: string, account: number, createdAt: number, idle: number | null) =>
  `INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at, idle_seconds, methods)
     VALUES ('${id}', ${account}, ${createdAt}, ${createdAt + 86_400}, ${createdAt}, ${idle}, '[]')`;

describe("an account with many sign-ins", () => {
  test("keeps the newest hundred of the website and the console, and those of games", async () => {
    await using world = await openHarness();
    const member = await someone(world);
    await signInToGame(world, member.name, member.password);
    const first = { authorization: member.authorization };
    world.clock.advance(1);
    const now = world.clock.nowSeconds();
    // As a folder of an earlier release has them.
    for (let n = 0; n < 150; n++)
      world.database.change(row(newUuid(), member.account.id, now + n, n % 2 === 0 ? null : 86_400));
    world.clock.advance(200);
    expect(await listFor(first, world)).toHaveLength(152);
    const last = await signInAgain(member, {}, world);
    const kept = await listFor(last, world);
    const created = kept.map((one) => one.created - now).toSorted((one, other) => other - one);
    expect(created).toEqual([
      200,
      ...Array.from({ length: limits.webSessionsMax - 1 }, (_, n) => 149 - n),
      -1,
    ]);
    expect(await homeStatus(world, member.jwt)).toBe(401);
    const browser = openConsoleBrowser(world);
    await browser.signIn(member);
    expect(await listFor(last, world)).toHaveLength(limits.webSessionsMax + 1);
  });

  test("loses none of another account's", async () => {
    await using world = await openHarness();
    const [member, other] = [await someone(world), await someone(world)];
    for (let n = 0; n < limits.webSessionsMax; n++) await signInAgain(member, {}, world);
    expect(await homeStatus(world, member.jwt)).toBe(401);
    expect(await homeStatus(world, other.jwt)).toBe(200);
  });
});
