/**
 * How often passwords may be tried by launchers (docs/contract/yggdrasil.md#authserver,
 * docs/contract/limits.md#attempts).
 */
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { system } from "../../src/domain/model/actor.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, type Member } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { badCredentials, done, enter, hasJoined, join, post, type Answer } from "./game-world.ts";

const limited = { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1" };
/** Limits as they are by default, and how many passwords were compared. */
async function openLimited(settings: Readonly<Record<string, string>> = limited) {
  let compared = 0;
  const hasher = {
    ...cheapHasher,
    verify: (password: string, hash: string) => {
      compared += 1;
      return cheapHasher.verify(password, hash);
    },
  };
  const harness = await openHarness({ settings, hasher });
  return { harness, compared: () => compared };
}

type Try = { readonly from?: string; readonly path?: string };

function attempt(
  harness: Harness,
  username: string,
  password: string,
  { from = "192.0.2.1", path = "/authserver/authenticate" }: Try = {},
): Promise<Answer> {
  return post(harness, path, { username, password }, { "x-forwarded-for": from });
}

const right = (harness: Harness, { name, password }: Member, how?: Try) =>
  attempt(harness, name, password, how);
const wrong = (harness: Harness, { name }: Member, how?: Try) =>
  attempt(harness, name, "a wrong password", how);

const refused = (answer: Answer) => answer.status === 429;
/** A try that waits too long. */
const tooMany = {
  status: 429,
  body: { error: "TooManyRequestsException", errorMessage: expect.stringMatching(/\S/) },
};

describe("an account's password", () => {
  test.each([
    ["its name", (member: Member) => [member.name]],
    ["its name and its mail address", (member: Member) => [member.name, member.mail]],
    ["five logins", (member: Member) => ["Anna", "anna", "OTHER", member.mail, member.mail.toUpperCase()]],
  ])("fits once in the interval from however many addresses, by %s", async (_, loginsOf) => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await allowPlayers(world, member);
    await addPlayer(world, member, "Other");
    const logins = loginsOf(member);
    const begunAt = world.clock.steadySeconds();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        attempt(world, logins[at % logins.length] ?? "", member.password, {
          from: `198.51.100.${at}`,
          path: at % 2 === 0 ? "/authenticate" : "/authserver/signout",
        }),
      ),
    );
    const seconds = world.clock.steadySeconds() - begunAt;
    const passed = answers.filter(({ status }) => status < 300);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.length).toBeLessThanOrEqual(2 + seconds);
    for (const answer of answers.filter(refused)) expect(answer).toEqual(tooMany);
    // One of two logins is never taken for wrong, however often strangers try the other one.
    const wrongs = answers.filter(({ status }) => status === 403);
    if (logins.length < 3) expect(wrongs).toEqual([]);
    else for (const answer of wrongs) expect(answer).toEqual(badCredentials);
  });

  test("fits twice in two intervals by however many logins; what is too much is wrong", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await allowPlayers(world, member);
    for (const name of ["Second", "Third"]) await addPlayer(world, member, name);
    const tryAll = async (network: string) => {
      const answers = await Promise.all(
        ["Anna", "Second", "Third", member.mail].map((login, at) =>
          attempt(world, login, member.password, { from: `${network}.${at}` }),
        ),
      );
      return answers.map(({ status }) => status).toSorted((one, other) => one - other);
    };
    expect(await tryAll("198.51.100")).toEqual([200, 200, 403, 403]);
    world.clock.advance(2);
    expect(await tryAll("203.0.113")).toEqual([200, 200, 403, 403]);
  });

  test("is right from a new network, by whatever login, while one site tries all the others", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await allowPlayers(world, member);
    for (const name of ["Second", "Third"]) await addPlayer(world, member, name);
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(
        ["Anna", "Second", "Third"].map((login, at) =>
          attempt(world, login, member.password, { from: `2001:db8:0:${(round * 3 + at).toString(16)}::1` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const owner = { from: `203.0.113.${round}` };
      expect((await attempt(world, member.mail, member.password, owner)).status).toBe(200);
      world.clock.advance(3);
      await endSessions(world, member);
    }
  });

  test("waits for its turn, and is then right", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    const begunAt = world.clock.steadySeconds();
    const stranger = wrong(world, member, { from: "198.51.100.1" });
    const owner = right(world, member);
    expect([(await stranger).status, (await owner).status]).toEqual([403, 200]);
    expect(world.clock.steadySeconds() - begunAt).toBeCloseTo(2);
  });

  test.each([
    ["its name", (member: Member) => member.name],
    ["its mail address", (member: Member) => member.mail],
  ])(
    "is never wrong or late in a network that signed in lately while strangers try %s all the time, also after a restart",
    async (_, loginOf) => {
      const folder = await mkdtemp(joinPath(tmpdir(), "cloakroom-throttle-"));
      await using _gone = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
      const open = () => openHarness({ settings: limited, folder, on: { database: "sqlite" } });
      let member: Member;
      {
        await using world = await open();
        member = await addMember(world, "Anna");
        expect((await right(world, member)).status).toBe(200);
      }
      await using world = await open();
      const login = loginOf(member);
      for (let second = 0; second < 20; second++) {
        const tries = Array.from({ length: 3 }, (_, at) =>
          attempt(world, login, "a wrong password", {
            from: `2001:db8:0:${(second * 3 + at).toString(16)}::1`,
          }),
        );
        const begunAt = world.clock.steadySeconds();
        expect((await attempt(world, login, member.password)).status).toBe(200);
        const waited = world.clock.steadySeconds() - begunAt;
        await Promise.all(tries);
        expect(waited).toBeLessThanOrEqual(2 * tries.length);
        world.clock.advance(3);
      }
    },
  );

  test("is compared while a stranger's try is under way, from a network that signed in lately", async () => {
    const release = Promise.withResolvers<void>();
    const hasher = {
      ...cheapHasher,
      verify: async (password: string, hash: string) => {
        if (password === "a wrong password") await release.promise;
        return cheapHasher.verify(password, hash);
      },
    };
    await using world = await openHarness({ settings: limited, hasher });
    const member = await addMember(world, "Anna");
    expect((await right(world, member)).status).toBe(200);
    world.clock.advance(3);
    const stranger = wrong(world, member, { from: "198.51.100.1" });
    expect((await right(world, member)).status).toBe(200);
    release.resolve();
    expect(await stranger).toEqual(badCredentials);
  });

  test("is right or 429 for a stranger's network too, never wrong, while one site tries it all the time", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    for (let round = 0; round < 4; round++) {
      const tries = Array.from({ length: 6 }, (_, at) =>
        wrong(world, member, { from: `2001:db8:0:${(round * 6 + at).toString(16)}::1` }),
      );
      const owner = right(world, member, { from: `192.0.2.${round}` });
      expect((await owner).status).toBe(200);
      await Promise.all(tries);
      world.clock.advance(3);
    }
  });

  test("opens the website meanwhile", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const { name: username, password, ...member } = await addMember(world, "Anna");
    await wrong(world, { name: username, password, ...member }, { from: "198.51.100.1" });
    expect((await send(world, "POST /api/auth/login", { username, password })).status).toBe(200);
  });

  test.each([{ RATE_LIMIT_FACTOR: "0" }, { RATE_LIMIT_FACTOR: "1", YGGDRASIL_PASSWORD_INTERVAL_MS: "0" }])(
    "is tried without an interval under %p",
    async (settings) => {
      const { harness } = await openLimited({ ...limited, ...settings });
      await using world = harness;
      const member = await addMember(world, "Anna");
      const answers = await Promise.all(Array.from({ length: 5 }, () => right(world, member)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    },
  );
});

describe("a refused try counts", () => {
  test("for its address, so that refusals have an end", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const answers: Answer[] = [];
    for (const login of ["Nobody_1", "Nobody_2", "Nobody_3", "Nobody_4", "Nobody_5"]) {
      const all = Array.from({ length: 4 }, () => attempt(world, login, "a wrong password"));
      answers.push(...(await Promise.all(all)));
    }
    expect(answers.filter(refused).length).toBeGreaterThan(0);
    const response = await world.fetch("/api/yggdrasil/authenticate", {
      method: "POST",
      headers: { "x-forwarded-for": "192.0.2.1" },
      body: JSON.stringify({ username: "Somebody", password: "a wrong password" }),
    });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual(tooMany.body);
  });

  test("not for its login: no one is shut out by a crowd", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    for (let round = 0; round < 8; round++) {
      const crowd = Array.from({ length: 4 }, (_, at) =>
        wrong(world, member, { from: `198.51.100.${round * 4 + at}` }),
      );
      // Once the crowd has all places, which other networks have as much right to.
      await right(world, member, { from: "192.0.2.9" });
      await Promise.all(crowd);
    }
    world.clock.advance(3);
    expect((await right(world, member, { from: "192.0.2.9" })).status).toBe(200);
  });
});

/** No network is known any more. */
async function endSessions({ services }: Harness, { account }: Member): Promise<void> {
  await services.transact(system, ({ sessions }) => sessions.deleteSessionsOf(account.id));
}

type Target = {
  readonly same: string;
  readonly sameMail: string;
  readonly other: string;
  readonly unknown: string;
};

describe.each([{}, { PRIVACY_UNIFORM_ANSWERS: "true" }])(
  "what tries show of two logins, under %p",
  (settings) => {
    /** Tries of two logins, one after the other or at once, from one address or several. */
    const attacks: Readonly<
      Record<string, (harness: Harness, first: string, second: string) => Promise<Answer[]>>
    > = {
      "five of one, then three of the other": (harness, first, second) =>
        inOrder(
          [...Array.from({ length: 5 }, () => first), ...Array.from({ length: 3 }, () => second)],
          (login) => attempt(harness, login, "a wrong password"),
        ),
      "one and the other by turns": (harness, first, second) =>
        inOrder(
          Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? first : second)),
          (login) => attempt(harness, login, "a wrong password"),
        ),
      "at once, one of each": (harness, first, second) =>
        Promise.all(
          [first, second].map((login, at) =>
            attempt(harness, login, "a wrong password", { from: `192.0.2.${at}` }),
          ),
        ),
      "at once, one from everywhere and two of the other": async (harness, first, second) => {
        const flood = Array.from({ length: 9 }, (_, at) =>
          attempt(harness, first, "a wrong password", { from: `198.51.100.${at}` }),
        );
        const probes = [1, 2].map(() => attempt(harness, second, "a wrong password"));
        return Promise.all([...probes, ...flood]);
      },
    };

    test.each(Object.entries(attacks))("is the same whosever they are: %s", async (name, attack) => {
      // Where no statement takes its time, what comes at once always comes in one order.
      const on = name.startsWith("at once") ? ({ database: "sqlite" } as const) : {};
      const seen = async (pick: (target: Target) => string) => {
        await using world = await openHarness({ settings: { ...limited, ...settings }, on });
        const member = await addMember(world, "Anna");
        await allowPlayers(world, member);
        await addPlayer(world, member, "AnnaToo");
        const other = await addMember(world, "Bert");
        world.clock.advance(120);
        const second = pick({ same: "AnnaToo", sameMail: member.mail, other: other.name, unknown: "Nobody" });
        const begunAt = world.clock.steadySeconds();
        const answers = await attack(world, member.name, second);
        return { answers, seconds: (world.clock.steadySeconds() - begunAt).toFixed(2) };
      };
      const unknown = await seen((target) => target.unknown);
      expect(await seen((target) => target.same)).toEqual(unknown);
      expect(await seen((target) => target.sameMail)).toEqual(unknown);
      expect(await seen((target) => target.other)).toEqual(unknown);
    });
  },
);

async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

describe("an address", () => {
  test("signs in as many players as it likes, also all at once", async () => {
    const { harness } = await openLimited({ ...limited, TRUSTED_PROXIES: "" });
    await using world = harness;
    const members: Member[] = [];
    for (let at = 0; at < 60; at++) {
      members.push(await addMember(world, `Guest${at}`));
      world.clock.advance(4);
    }
    const all = await Promise.all(members.map((member) => right(world, member)));
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
    world.clock.advance(1);
    for (const member of members) expect((await right(world, member)).status).toBe(200);
  });

  test("is refused after 20 wrong passwords in a minute, with the time to wait", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    for (let at = 0; at < 20; at++) {
      expect(await attempt(world, `Nobody_${at}`, "a wrong password")).toEqual(badCredentials);
    }
    const response = await world.fetch("/api/yggdrasil/authenticate", {
      method: "POST",
      headers: { "x-forwarded-for": "192.0.2.1" },
      body: JSON.stringify({ username: member.name, password: member.password }),
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.json()).toEqual({
      error: "TooManyRequestsException",
      errorMessage: expect.any(String),
    });
    expect((await right(world, member, { from: "192.0.2.2" })).status).toBe(200);
  });

  test("asks for players who join without any limit", async () => {
    const { harness } = await openLimited({ ...limited, TRUSTED_PROXIES: "" });
    await using world = harness;
    const member = await addMember(world, "Anna");
    const session = await enter(world, member);
    expect(await join(world, session, "abc")).toEqual(done);
    const question = { username: member.name, serverId: "abc" };
    for (let time = 0; time < 1000; time++) {
      if ((await hasJoined(world, question)).status !== 200) throw new Error(`refused after ${time}`);
    }
  });
});
