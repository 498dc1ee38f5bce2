import { describe, expect, test } from "bun:test";
import { createRateLimits, type RateLimits } from "../../src/domain/limits/rate-limits.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";

/** Limits on a clock that stands still until a test turns it, back as well as forth. */
function openLimits({ factor = 1 } = {}) {
  let now = 4_000_000_000;
  // Waits are whole seconds on a clock that is between two.
  let steady = 1.9;
  const clock = { nowSeconds: () => now, steadySeconds: () => steady };
  const turn = (seconds: number) => {
    now += seconds;
    steady += Math.max(0, seconds);
  };
  return { limits: createRateLimits({ factor, clock }), turn };
}

const home = "192.0.2.1";
const elsewhere = "198.51.100.7";
const alice = { account: "Alice", address: home };

/** Seconds that the answer tells to wait; 0 when the attempt passes. */
function wait(attempt: () => void): number {
  try {
    attempt();
    return 0;
  } catch (error) {
    if (error instanceof AppError && error.code === "limited") return error.retryAfterSeconds ?? -1;
    throw error;
  }
}

/** How many attempts pass before one is refused. */
function passing(attempt: (index: number) => void, most = 1000): number {
  for (let index = 0; index < most; index++) if (wait(() => attempt(index)) > 0) return index;
  return most;
}

describe("signing in", () => {
  test("is tried five times with one account from one address, then waits a minute", () => {
    const { limits, turn } = openLimits();
    expect(passing(() => limits.signIn.take(alice))).toBe(5);
    expect(wait(() => limits.signIn.take(alice))).toBe(60);
    turn(59);
    expect(wait(() => limits.signIn.take(alice))).toBe(1);
    turn(1);
    expect(wait(() => limits.signIn.take(alice))).toBe(0);
  });

  test("says in words how long to wait", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    expect(() => limits.signIn.take(alice)).toThrow("Too many attempts to sign in; try again in 60 seconds");
    turn(59);
    expect(() => limits.signIn.take(alice)).toThrow("Too many attempts to sign in; try again in a second");
  });

  test("waits whole seconds, which is all that Retry-After can say", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    turn(0.4);
    expect(wait(() => limits.signIn.take(alice))).toBe(59);
    turn(0.3);
    expect(wait(() => limits.signIn.take(alice))).toBe(59);
  });

  test("waits twice as long each time, up to a quarter of an hour", () => {
    const { limits, turn } = openLimits();
    const waits = Array.from({ length: 7 }, () => {
      passing(() => limits.signIn.take(alice));
      const seconds = wait(() => limits.signIn.take(alice));
      turn(seconds);
      return seconds;
    });
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  test("grows slow too for who never tries five times within a minute", () => {
    const { limits, turn } = openLimits();
    const passed = passing(() => {
      turn(20);
      limits.signIn.take(alice);
    });
    expect(passed).toBe(5);
  });

  test("begins anew after a success", () => {
    const { limits } = openLimits();
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 4; time++) limits.signIn.take(alice);
      limits.signIn.succeeded(alice);
    }
    expect(passing(() => limits.signIn.take(alice))).toBe(5);
  });

  test("begins anew after a quarter of an hour without an attempt", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    turn(60);
    passing(() => limits.signIn.take(alice));
    turn(120 + 900);
    expect(passing(() => limits.signIn.take(alice))).toBe(5);
    expect(wait(() => limits.signIn.take(alice))).toBe(60);
  });

  test("makes nobody wait longer for trying while they wait", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    for (let time = 0; time < 100; time++) wait(() => limits.signIn.take(alice));
    expect(wait(() => limits.signIn.take(alice))).toBe(60);
    turn(60);
    expect(passing(() => limits.signIn.take(alice))).toBe(5);
  });

  test("is open to the owner elsewhere while a stranger guesses", () => {
    const { limits } = openLimits();
    passing(() => limits.signIn.take({ ...alice, address: elsewhere }));
    expect(wait(() => limits.signIn.take(alice))).toBe(0);
  });

  test("is tried 20 times a minute from one address, whatever the accounts", () => {
    const { limits, turn } = openLimits();
    const take = (index: number) => limits.signIn.take({ account: `a${index}`, address: home });
    expect(passing(take)).toBe(20);
    expect(wait(() => limits.signIn.take({ account: "fresh", address: home }))).toBe(60);
    expect(wait(() => limits.signIn.take({ account: "fresh", address: elsewhere }))).toBe(0);
    turn(60);
    expect(passing((index) => take(100 + index))).toBe(20);
  });

  test("is counted by address also when it succeeds", () => {
    const { limits } = openLimits();
    const passed = passing(() => {
      limits.signIn.take(alice);
      limits.signIn.succeeded(alice);
    });
    expect(passed).toBe(20);
  });

  test("spends none of the address's attempts when the account's are used up", () => {
    const { limits } = openLimits();
    for (let time = 0; time < 100; time++) wait(() => limits.signIn.take(alice));
    expect(passing((index) => limits.signIn.take({ account: `a${index}`, address: home }))).toBe(15);
  });

  test("spends none of the account's attempts when the address's are used up", () => {
    const { limits, turn } = openLimits();
    passing((index) => limits.signIn.take({ account: `a${index}`, address: home }));
    for (let time = 0; time < 100; time++) wait(() => limits.signIn.take(alice));
    turn(60);
    expect(passing(() => limits.signIn.take(alice))).toBe(5);
  });

  test.each([
    ["case", "Alice", "aLICE"],
    ["compatible letters", "Alice", "Ａｌｉｃｅ"],
    ["a mail address's case", "Alice@Example.org", "alice@example.ORG"],
    ["what follows a name that is nobody's", `${"a".repeat(300)}x`, `${"a".repeat(300)}y`],
  ])("takes no other %s for another account", (_, account, other) => {
    const { limits } = openLimits();
    passing(() => limits.signIn.take({ account, address: home }));
    expect(wait(() => limits.signIn.take({ account: other, address: home }))).toBe(60);
  });

  test("does not tell that a name and a mail address are of one account", () => {
    const { limits } = openLimits();
    passing(() => limits.signIn.take(alice));
    expect(wait(() => limits.signIn.take({ account: "alice@example.org", address: home }))).toBe(0);
  });

  test("keeps account and address apart in whatever they hold", () => {
    const { limits } = openLimits();
    passing(() => limits.signIn.take({ account: "b c", address: "a" }));
    expect(wait(() => limits.signIn.take({ account: "c", address: "a b" }))).toBe(0);
  });
});

describe("addresses are counted", () => {
  test.each([
    ["IPv4 by itself", "192.0.2.1", "192.0.2.2", false],
    ["IPv4 as IPv6 as itself", "192.0.2.1", "::ffff:192.0.2.1", true],
    ["IPv4 as IPv6 in digits as itself", "192.0.2.1", "::FFFF:c000:201", true],
    ["IPv4 as IPv6 apart from its neighbours", "::ffff:192.0.2.1", "::ffff:192.0.2.2", false],
    ["IPv6 by /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["IPv6 of another /64 apart", "2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["IPv6 in any spelling", "2001:DB8::1", "2001:0db8:0000:0000:0000:0000:0000:0001", true],
    ["no address as one", "", "", true],
    ["nonsense by itself", "nonsense", "other", false],
  ])("%s", (_, first, second, same) => {
    const { limits } = openLimits();
    passing(() => limits.code.take({ address: first }));
    expect(wait(() => limits.code.take({ address: second })) > 0).toBe(same);
  });
});

type Case = readonly [
  what: string,
  times: number,
  seconds: number,
  take: (limits: RateLimits, index: number) => void,
];
const windows: readonly Case[] = [
  [
    "signing in from one address",
    20,
    60,
    ({ signIn }, n) => signIn.take({ account: `a${n}`, address: home }),
  ],
  [
    "registering from one address",
    20,
    600,
    ({ register }, n) => register.take({ mail: `a${n}@b.example`, address: home }),
  ],
  [
    "registering one mail address",
    10,
    600,
    ({ register }, n) => register.take({ mail: "A@b.example", address: `192.0.2.${n % 256}` }),
  ],
  ["using codes from one address", 20, 60, ({ code }) => code.take({ address: home })],
  [
    "resetting from one address",
    20,
    600,
    ({ forgetpass }, n) => forgetpass.take({ mail: `a${n}@b.example`, address: home }),
  ],
  ["uploading from one account", 30, 60, ({ upload }) => upload.take({ account: 7 as AccountId })],
  [
    "resetting one mail address",
    10,
    600,
    ({ forgetpass }, n) => forgetpass.take({ mail: "A@b.example", address: `192.0.2.${n % 256}` }),
  ],
];

describe.each(windows)("%s: %d times in %d seconds", (_, times, seconds, take) => {
  test("and no more, then again when the first is that long ago", () => {
    const { limits, turn } = openLimits();
    expect(passing((index) => take(limits, index))).toBe(times);
    expect(wait(() => take(limits, 1))).toBe(seconds);
    turn(seconds - 1);
    expect(wait(() => take(limits, 1))).toBe(1);
    turn(1);
    expect(passing((index) => take(limits, index))).toBe(times);
  });

  test("wherever the window begins", () => {
    const { limits, turn } = openLimits();
    const passedAt: number[] = [];
    for (let at = 0; at < 3 * seconds; at++, turn(1)) {
      while (wait(() => take(limits, passedAt.length)) === 0) passedAt.push(at);
    }
    const most = Math.max(
      ...passedAt.map((from) => passedAt.filter((at) => at >= from && at < from + seconds).length),
    );
    expect(most).toBe(times);
  });

  test.each([
    ["twice as many with the factor 2", 2, times * 2],
    ["half as many with 0.5", 0.5, times / 2],
    ["one at least", 0.001, 1],
  ])("%s", (_, factor, expected) => {
    const { limits } = openLimits({ factor });
    expect(passing((index) => take(limits, index))).toBe(expected);
  });
});

test.each([
  ["mail addresses are compared without case", "a@b.example", "A@B.EXAMPLE", true],
  ["other mail addresses are others", "a@b.example", "b@b.example", false],
])("%s", (_, first, second, same) => {
  const { limits } = openLimits();
  passing((n) => limits.register.take({ mail: first, address: `192.0.2.${n}` }));
  expect(wait(() => limits.register.take({ mail: second, address: home })) > 0).toBe(same);
});

test("registrations, codes, resets and sign-ins do not count for each other", () => {
  const { limits } = openLimits();
  passing(() => limits.code.take({ address: home }));
  passing(() => limits.register.take({ mail: "a@b.example", address: home }));
  expect(wait(() => limits.forgetpass.take({ mail: "a@b.example", address: home }))).toBe(0);
  expect(wait(() => limits.signIn.take(alice))).toBe(0);
});

test("the factor 0 lets everything pass", () => {
  const { limits } = openLimits({ factor: 0 });
  expect(passing(() => limits.signIn.take(alice))).toBe(1000);
  expect(passing(() => limits.register.take({ mail: "a@b.example", address: home }))).toBe(1000);
  expect(passing(() => limits.code.take({ address: home }))).toBe(1000);
  expect(passing(() => limits.forgetpass.take({ mail: "a@b.example", address: home }))).toBe(1000);
});

describe("a clock that is set back", () => {
  test("makes nobody wait longer", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    passing(() => limits.code.take({ address: home }));
    turn(-86_400);
    expect(wait(() => limits.signIn.take(alice))).toBe(60);
    expect(wait(() => limits.code.take({ address: home }))).toBe(60);
    turn(60);
    expect(wait(() => limits.signIn.take(alice))).toBe(0);
    expect(wait(() => limits.code.take({ address: home }))).toBe(0);
  });

  test("sets nobody free", () => {
    const { limits, turn } = openLimits();
    passing(() => limits.signIn.take(alice));
    turn(-30);
    turn(30);
    expect(wait(() => limits.signIn.take(alice))).toBeGreaterThan(0);
  });
});

/** One of 65,536 addresses. */
function address(n: number): string {
  return `10.0.${n >> 8}.${n & 255}`;
}

test("the oldest of too many addresses are forgotten, not the newest", () => {
  const { limits } = openLimits();
  const many = 10_000;
  passing(() => limits.code.take({ address: address(0) }));
  for (let n = 1; n < many; n++) limits.code.take({ address: address(n) });
  expect(wait(() => limits.code.take({ address: address(0) }))).toBe(60);
  limits.code.take({ address: address(many) });
  expect(wait(() => limits.code.take({ address: address(0) }))).toBe(0);
  expect(passing(() => limits.code.take({ address: address(many) }))).toBe(19);
});
