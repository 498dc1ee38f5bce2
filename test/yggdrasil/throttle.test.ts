/** How often passwords may be tried by launchers (docs/contract/yggdrasil.md#authserver, docs/contract/limits.md#attempts). */
import { describe, expect, test } from "bun:test";
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

describe("an account's password", () => {
  test("is tried once of 50 times at once, by whichever name and from wherever", async () => {
    const { harness, compared } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await allowPlayers(world, member);
    await addPlayer(world, member, "Other");
    const before = compared();
    const names = ["Anna", "anna", "OTHER", member.mail, member.mail.toUpperCase()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        attempt(world, names[at % names.length] ?? "", member.password, {
          from: `198.51.100.${at}`,
          path: at % 2 === 0 ? "/authenticate" : "/authserver/signout",
        }),
      ),
    );
    const passed = answers.filter(({ status }) => status < 300);
    expect(passed).toHaveLength(1);
    expect(compared() - before).toBe(1);
    for (const answer of answers.filter(({ status }) => status >= 300))
      expect(answer).toEqual(badCredentials);
  });

  test("waits for the interval after each try, also after a success", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    const statuses = async (make: () => Promise<Answer>) => {
      const first = (await make()).status;
      world.clock.advance(0.9);
      const second = (await right(world, member)).status;
      world.clock.advance(0.1);
      return [first, second, (await right(world, member)).status];
    };
    expect(await statuses(() => right(world, member))).toEqual([200, 403, 200]);
    world.clock.advance(1);
    expect(await statuses(() => wrong(world, member))).toEqual([403, 403, 200]);
    world.clock.advance(1);
    expect(await statuses(() => right(world, member, { path: "/signout" }))).toEqual([204, 403, 200]);
  });

  test("is not longer out of reach because somebody else tries it all the time", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await wrong(world, member, { from: "198.51.100.1" });
    for (let at = 0; at < 9; at++) {
      world.clock.advance(0.1);
      expect((await wrong(world, member, { from: "198.51.100.1" })).status).toBe(403);
    }
    world.clock.advance(0.1);
    expect((await right(world, member)).status).toBe(200);
  });

  test("is refused for an unknown name alike, which counts by its text", async () => {
    const { harness, compared } = await openLimited();
    await using world = harness;
    const before = compared();
    for (const name of ["Nobody", "nobody", "NOBODY"]) {
      expect(await attempt(world, name, "a wrong password")).toEqual(badCredentials);
    }
    expect(compared() - before).toBe(1);
    expect(await attempt(world, "Nobody_2", "a wrong password")).toEqual(badCredentials);
    expect(compared() - before).toBe(2);
  });

  test.each([
    ["Anna", "\uFF21nna"],
    ["anna@example.org", "\uFF41nna@example.org"],
    ["anna@example.org", "anna\uFF20example.org"],
    ["anna@example.org", "anna@example.org "],
  ])("is compared as often for %j after %j, whether there is an account or not", async (login, other) => {
    const { harness, compared } = await openLimited();
    await using world = harness;
    const tryBoth = async (logins: readonly string[]) => {
      const before = compared();
      for (const text of logins) expect(await attempt(world, text, "wrong")).toEqual(badCredentials);
      return compared() - before;
    };
    const ofNobody = await tryBoth([other, login]);
    world.clock.advance(1);
    await addMember(world, "Anna");
    expect(await tryBoth([other, login])).toBe(ofNobody);
  });

  test("opens the website meanwhile", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const { name: username, password, ...member } = await addMember(world, "Anna");
    await wrong(world, { name: username, password, ...member }, { from: "198.51.100.1" });
    expect((await send(world, "POST /api/auth/login", { username, password })).status).toBe(200);
  });

  test("refused by the interval counts for nothing else", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    await right(world, member);
    for (let time = 0; time < 100; time++) expect(await wrong(world, member)).toEqual(badCredentials);
    world.clock.advance(1);
    expect((await right(world, member)).status).toBe(200);
  });

  test("refused by the limits does not begin an interval", async () => {
    const { harness } = await openLimited();
    await using world = harness;
    const member = await addMember(world, "Anna");
    const other = await addMember(world, "Bert");
    for (let time = 0; time < 6; time++) {
      await wrong(world, member, { from: "198.51.100.1" });
      world.clock.advance(1);
    }
    expect((await wrong(world, member, { from: "198.51.100.1" })).status).toBe(429);
    expect((await right(world, member)).status).toBe(200);
    expect((await right(world, other)).status).toBe(200);
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
