/**
 * `GET /api/home` from memory: never another answer than one that is read at this moment, whatever was
 * changed, by whichever process, and whatever has ended.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { setCapes } from "../../src/domain/members/grants.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import type { SessionId } from "../../src/kernel/ids.ts";
import { createMemberAnswers } from "../../src/http/member-answers.ts";
import { createRequestContexts } from "../../src/http/request-context.ts";
import { limits } from "../../src/kernel/limits.ts";
import { playSeries, serviceToken } from "../events/recorded-series.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape } from "../support/members.ts";
import { isLeftOut } from "../support/storages.ts";

/**
 * What a member is answered, and the number of times that their skins, capes and identity were read for it.
 */
function watchHomes({ services, fetch }: Pick<Harness, "services" | "fetch">) {
  let reads = 0;
  const { accounts } = services.reads;
  const { findBelongings } = accounts;
  const counting: typeof findBelongings = (account, now) => {
    reads += 1;
    return findBelongings(account, now);
  };
  Object.assign(accounts, { findBelongings: counting });
  return async (authorization: string, more: Readonly<Record<string, string>> = {}, query = "") => {
    const before = reads;
    const answer = await fetch(`/api/home${query}`, { headers: { authorization, ...more } });
    const text = await answer.text();
    return { status: answer.status, text, headers: [...answer.headers], reads: reads - before };
  };
}

const dataOf = ({ text }: { readonly text: string }) =>
  (JSON.parse(text) as { readonly data: { readonly Capes: readonly object[]; readonly PermLvl: number } })
    .data;

/** An answer to another site's page is never remembered. */
const fromElsewhere = { Origin: "https://elsewhere.example" };

const isSqlite = !isLeftOut("sqlite", "what is remembered for members");

test.skipIf(!isSqlite)(
  "shows what each change leaves, of members, staff, services, jobs and other processes",
  async () => {
    await using harness = await openHarness({
      settings: { SERVICE_API_TOKEN: serviceToken, RENAME_HOURS: "0", SHARED_SKINS: "true" },
    });
    const tokens = new Set<string>();
    const noted: Harness = {
      ...harness,
      fetch: (path, init) => {
        const authorization = new Headers(init?.headers).get("authorization") ?? "";
        if (authorization.startsWith("Bearer ey")) tokens.add(authorization);
        return harness.fetch(path, init);
      },
    };
    const home = watchHomes(harness);
    let remembered = 0;
    const compare = async (title: string) => {
      for (const token of tokens) {
        const { reads: _, ...given } = await home(token);
        const { reads, ...wanted } = await home(token, fromElsewhere);
        expect({ title, status: given.status, text: given.text }).toEqual({
          title,
          status: wanted.status,
          text: wanted.text,
        });
        if (wanted.status !== 200) continue;
        expect(reads).toBe(1);
        // So the next step finds it in memory.
        const again = await home(token);
        remembered += again.reads === 0 ? 1 : 0;
        expect(again.headers).toEqual(given.headers);
      }
    };
    const step = async (title: string, work: () => Promise<unknown>) => {
      await work().catch(() => undefined);
      await compare(title);
    };
    await playSeries(noted, { step, lines: [] });
    expect(tokens.size).toBeGreaterThan(5);
    expect(remembered).toBeGreaterThan(300);
  },
  120_000,
);

describe.skipIf(!isSqlite)("an answer from memory", async () => {
  const harness = await openHarness({ settings: { LOG_REQUESTS: "api" } });
  afterAll(() => harness[Symbol.asyncDispose]());
  const { clock, services } = harness;
  const home = watchHomes(harness);
  const alice = await addMember(harness, "Alice");
  await addSkin(harness, alice, {});
  const cape = await grantCape(harness, [alice]);
  const token = alice.authorization;

  test("is given until something is committed, and read again then", async () => {
    await home(token);
    const first = await home(token);
    expect(first).toMatchObject({ status: 200, reads: 0 });
    await addMember(harness, "Somebody");
    expect(await home(token)).toEqual({ ...first, reads: 1 });
    expect(await home(token)).toEqual(first);
  });

  test("is another one for another token, coding or page, and none for another method", async () => {
    const bob = await addMember(harness, "Bob");
    const asBob = await home(bob.authorization);
    await home(token);
    expect((await home(bob.authorization)).text).toBe(asBob.text);
    expect((await home(token)).text).not.toBe(asBob.text);
    expect((await home(token, { "Accept-Encoding": "zstd" })).reads).toBe(1);
    expect((await home(token, fromElsewhere)).reads).toBe(1);
    expect((await home(`${token}x`)).status).toBe(401);
    const head = await harness.fetch("/api/home", { method: "HEAD", headers: { authorization: token } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(
      (await harness.fetch("/api/home", { method: "POST", headers: { authorization: token } })).status,
    ).toBe(405);
  });

  test("is read each time at an address with a query, of which there is no end", async () => {
    for (let time = 0; time < 2; time++) expect((await home(token, {}, "?1")).reads).toBe(1);
  });

  test("ends with the grant of a cape and with a level, at their second", async () => {
    const account = alice.account.id;
    const grantEnd = clock.nowSeconds() + 30;
    await setCapes(services, commandLine, {
      account,
      grants: [{ cape: { by: "id", value: cape.id }, expiresAt: grantEnd }],
    });
    await setLevel(services, commandLine, { account, level: 2, expiresAt: grantEnd + 30 });
    const seen: object[] = [];
    const look = async () => {
      const { reads } = await home(token);
      const { Capes, PermLvl } = dataOf(await home(token));
      seen.push({ reads, capes: Capes.length, level: PermLvl });
    };
    for (const seconds of [0, 29, 1, 29, 1]) {
      clock.advance(seconds);
      await look();
    }
    expect(seen).toEqual([
      { reads: 1, capes: 1, level: 2 },
      { reads: 0, capes: 1, level: 2 },
      { reads: 1, capes: 0, level: 2 },
      { reads: 0, capes: 0, level: 2 },
      { reads: 1, capes: 0, level: 1 },
    ]);
  });

  test("is a use of the session, has its line and is counted", async () => {
    const carol = await addMember(harness, "Carol");
    await home(carol.authorization);
    const counted = async () =>
      Number(/route="\/api\/home",status="200"\} (\d+)/.exec(await harness.metrics())?.[1]);
    const before = await counted();
    harness.takeRequests();
    clock.advance(300);
    expect((await home(carol.authorization)).reads).toBe(0);
    expect(harness.takeRequests()).toMatchObject([
      { method: "GET", route: "/api/home", status: 200, user: carol.account.id },
    ]);
    expect(await counted()).toBe(before + 1);
    await services.activity.flush();
    const [session] = await services.reads.sessions.listSessions(carol.account.id, clock.nowSeconds());
    expect(session?.lastUsedAt).toBe(clock.nowSeconds());
  });
});

test.skipIf(!isSqlite)(
  "an answer from memory does not outlive its session, nor a clock set back",
  async () => {
    await using harness = await openHarness();
    const { clock } = harness;
    const home = watchHomes(harness);
    const { authorization } = await addMember(harness, "Eve");
    await home(authorization);
    clock.advance(-1);
    expect((await home(authorization)).reads).toBe(1);
    clock.advance(1);
    clock.advance(limits.sessionSeconds - 100);
    expect(await home(authorization)).toMatchObject({ status: 200, reads: 0 });
    clock.advance(100);
    expect((await home(authorization)).status).toBe(401);
  },
);

const requestOf = (number: number) =>
  new Request("http://localhost/api/home", { headers: { authorization: `Bearer ${number}` } });

test("the memory is bounded by bytes", async () => {
  const answers = createMemberAnswers({
    changes: { version: () => 1 },
    observer: { ofReady: () => ({ GET: () => undefined, HEAD: () => undefined }) },
    clock: { nowSeconds: () => 10, steadySeconds: () => 10 },
    sessions: { noteUse: () => undefined },
  });
  const contexts = createRequestContexts();
  const remember = (number: number) => {
    const session = { id: "1" as SessionId, lastUsedAt: 10 };
    const found = { version: 1, session, endsAt: 20 };
    const context = { ...contexts.begin(requestOf(number)), found, holdsUntil: 20 };
    return answers.remember(requestOf(number), context, new Response("x".repeat(100_000)));
  };
  const known = (count: number) =>
    Array.from({ length: count }, (_, number) => answers.answer(requestOf(number))).filter(Boolean).length;
  const fitting = Math.floor(limits.memberAnswersBytesMax / 102_100);
  for (let number = 0; number < fitting; number++) await remember(number);
  expect(known(fitting)).toBe(fitting);
  await remember(fitting);
  expect(known(fitting + 1)).toBe(1);
});
