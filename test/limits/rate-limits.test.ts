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

/** A request that arrives, and whose body says what it is for. */
function send<Said extends { readonly address: string }>(
  limit: { readonly arrive: (attempt: Said) => void; readonly take: (attempt: Said) => void },
  attempt: Said,
): void {
  limit.arrive(attempt);
  limit.take(attempt);
}

/** Seconds to wait by the answer; 0 when the attempt passes. */
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
    expect(passing(() => send(limits.signIn, alice))).toBe(5);
    expect(wait(() => send(limits.signIn, alice))).toBe(60);
    turn(59);
    expect(wait(() => send(limits.signIn, alice))).toBe(1);
    turn(1);
    expect(wait(() => send(limits.signIn, alice))).toBe(0);
  });

  test("says in words how long to wait", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    expect(() => send(limits.signIn, alice)).toThrow("Too many attempts to sign in; try again in 60 seconds");
    turn(59);
    expect(() => send(limits.signIn, alice)).toThrow("Too many attempts to sign in; try again in a second");
  });

  test("waits whole seconds, which is all that Retry-After can say", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    turn(0.4);
    expect(wait(() => send(limits.signIn, alice))).toBe(59);
    turn(0.3);
    expect(wait(() => send(limits.signIn, alice))).toBe(59);
  });

  test("waits twice as long each time, up to a quarter of an hour", () => {
    const { limits, turn } = openLimits();
    const waits = Array.from({ length: 7 }, () => {
      passing(() => send(limits.signIn, alice));
      const seconds = wait(() => send(limits.signIn, alice));
      turn(seconds);
      return seconds;
    });
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  test("grows slow too for a client that never tries five times within a minute", () => {
    const { limits, turn } = openLimits();
    const passed = passing(() => {
      turn(20);
      send(limits.signIn, alice);
    });
    expect(passed).toBe(5);
  });

  test("begins again after a success", () => {
    const { limits } = openLimits();
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 4; time++) send(limits.signIn, alice);
      limits.signIn.succeeded(alice);
    }
    expect(passing(() => send(limits.signIn, alice))).toBe(5);
  });

  test("begins again after a quarter of an hour without an attempt", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    turn(60);
    passing(() => send(limits.signIn, alice));
    turn(120 + 900);
    expect(passing(() => send(limits.signIn, alice))).toBe(5);
    expect(wait(() => send(limits.signIn, alice))).toBe(60);
  });

  test("makes no client wait longer for trying while it waits", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    for (let time = 0; time < 100; time++) wait(() => send(limits.signIn, alice));
    expect(wait(() => send(limits.signIn, alice))).toBe(60);
    turn(60);
    expect(passing(() => send(limits.signIn, alice))).toBe(5);
  });

  test("is open to the owner elsewhere while a stranger guesses", () => {
    const { limits } = openLimits();
    passing(() => send(limits.signIn, { ...alice, address: elsewhere }));
    expect(wait(() => send(limits.signIn, alice))).toBe(0);
  });

  test("is tried 20 times a minute from one address, whatever the accounts", () => {
    const { limits, turn } = openLimits();
    const take = (index: number) => send(limits.signIn, { account: `a${index}`, address: home });
    expect(passing(take)).toBe(20);
    expect(wait(() => send(limits.signIn, { account: "fresh", address: home }))).toBe(60);
    expect(wait(() => send(limits.signIn, { account: "fresh", address: elsewhere }))).toBe(0);
    turn(60);
    expect(passing((index) => take(100 + index))).toBe(20);
  });

  test("is counted by address also when it succeeds", () => {
    const { limits } = openLimits();
    const passed = passing(() => {
      send(limits.signIn, alice);
      limits.signIn.succeeded(alice);
    });
    expect(passed).toBe(20);
  });

  test("spends none of the address's attempts when the account's are used up", () => {
    const { limits } = openLimits();
    for (let time = 0; time < 100; time++) wait(() => send(limits.signIn, alice));
    expect(passing((index) => send(limits.signIn, { account: `a${index}`, address: home }))).toBe(15);
  });

  test("spends none of the account's attempts when the address's are used up", () => {
    const { limits, turn } = openLimits();
    passing((index) => send(limits.signIn, { account: `a${index}`, address: home }));
    for (let time = 0; time < 100; time++) wait(() => send(limits.signIn, alice));
    turn(60);
    expect(passing(() => send(limits.signIn, alice))).toBe(5);
  });

  test.each([
    ["case", "Alice", "aLICE"],
    ["compatible letters", "Alice", "Ａｌｉｃｅ"],
    ["a mail address's case", "Alice@Example.org", "alice@example.ORG"],
    ["what follows a name that is too long", `${"a".repeat(300)}x`, `${"a".repeat(300)}y`],
  ])("takes no other %s for another account", (_, account, other) => {
    const { limits } = openLimits();
    passing(() => send(limits.signIn, { account, address: home }));
    expect(wait(() => send(limits.signIn, { account: other, address: home }))).toBe(60);
  });

  test("does not show that a name and a mail address are of one account", () => {
    const { limits } = openLimits();
    passing(() => send(limits.signIn, alice));
    expect(wait(() => send(limits.signIn, { account: "alice@example.org", address: home }))).toBe(0);
  });

  test("keeps account and address apart in whatever they hold", () => {
    const { limits } = openLimits();
    passing(() => send(limits.signIn, { account: "b c", address: "a" }));
    expect(wait(() => send(limits.signIn, { account: "c", address: "a b" }))).toBe(0);
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

/** One of the 65,536 networks of a customer. */
const network = (n: number, site = "2001:db8:1") => `${site}:${n.toString(16)}::1`;

describe("a customer's whole IPv6 network", () => {
  type Take = (limits: RateLimits, address: string) => void;
  const budgets: readonly (readonly [what: string, times: number, take: Take])[] = [
    ["signs in", 20, ({ signIn }, address) => signIn.arrive({ address })],
    ["registers", 20, ({ register }, address) => register.arrive({ address })],
    ["resets", 20, ({ forgetpass }, address) => forgetpass.arrive({ address })],
    ["finishes registrations", 20, ({ finish }, address) => finish.take({ address })],
    ["uses codes", 20, ({ code }, address) => code.take({ address })],
    ["comes from a provider", 60, ({ social }, address) => social.take({ address })],
    ["makes accounts", 20, ({ socialCreation }, address) => socialCreation.take({ address })],
    ["sends what is refused", 300, ({ broken }, address) => broken.take({ address })],
  ];
  test.each(budgets)("%s at most four times as often as one of its parts", (_, times, take) => {
    const { limits } = openLimits();
    const most = 10_000;
    expect(passing((n) => take(limits, network(n)), most)).toBe(4 * times);
    expect(wait(() => take(limits, network(9_999)))).toBeGreaterThan(0);
    expect(wait(() => take(limits, network(0, "2001:db8:2")))).toBe(0);
    expect(wait(() => take(limits, home))).toBe(0);
  });

  test.each(budgets)("is not used up by one part that %s without end", (_, times, take) => {
    const { limits } = openLimits();
    expect(passing(() => take(limits, network(1)), 10_000)).toBe(times);
    for (let n = 0; n < 1000; n++) wait(() => take(limits, network(1)));
    expect(passing(() => take(limits, network(2)), 10_000)).toBe(times);
  });

  test("gets back what an account's own limit refused", () => {
    const { limits } = openLimits();
    const guess = () => send(limits.signIn, { account: "Alice", address: network(1) });
    passing(guess);
    for (let n = 0; n < 200; n++) wait(guess);
    expect(passing((n) => limits.signIn.arrive({ address: network(100 + n) }))).toBe(75);
  });
});

describe("requests whose body was refused", () => {
  test("stop an address for a while, and only that one", () => {
    const { limits, turn } = openLimits();
    for (let n = 0; n < 300; n++) {
      expect(wait(() => limits.broken.check({ address: home }))).toBe(0);
      limits.broken.count({ address: home });
    }
    expect(() => limits.broken.check({ address: home })).toThrow(
      "Too many requests that were refused; try again in 60 seconds",
    );
    expect(wait(() => limits.broken.check({ address: elsewhere }))).toBe(0);
    turn(60);
    expect(wait(() => limits.broken.check({ address: home }))).toBe(0);
  });

  test.each([
    [2, 600],
    [0.01, 3],
    [0, 1000],
  ])("with the factor %d are %d", (factor, most) => {
    const { limits } = openLimits({ factor });
    expect(passing(() => limits.broken.take({ address: home }))).toBe(most);
  });
});

/** Begins as many as an address may. */
function begin({ beginBody }: RateLimits, addressOf: (n: number) => string): (() => void)[] {
  const ends: (() => void)[] = [];
  while (ends.length < 10_000) {
    const end = beginBody({ address: addressOf(ends.length) });
    if (end === null) break;
    ends.push(end);
  }
  return ends;
}

describe("bodies that are on their way at once", () => {
  test.each([
    ["32 of one address", 1, () => home, 32],
    ["32 of one IPv6 network", 1, (n: number) => `2001:db8::${n.toString(16)}`, 32],
    ["128 of a customer's whole network", 1, (n: number) => network(n), 128],
    ["4096 of all", 1, address, 4096],
    ["as many times more as the factor says", 2, () => home, 64],
    ["one at least", 0.001, () => home, 1],
    ["any number of one address with the factor 0, up to what memory bears", 0, () => home, 4096],
  ])("may be %s", (_, factor, addressOf, most) => {
    expect(begin(openLimits({ factor }).limits, addressOf)).toHaveLength(most);
  });

  test("make room when they end, once each", () => {
    const { limits } = openLimits();
    const ends = begin(limits, () => home);
    expect(limits.beginBody({ address: elsewhere })).not.toBeNull();
    for (const _ of ends) ends[0]?.();
    expect(begin(limits, () => home)).toHaveLength(1);
    ends.slice(1).forEach((end) => end());
    expect(begin(limits, () => home)).toHaveLength(31);
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
    (limits, n) => send(limits.signIn, { account: `a${n}`, address: home }),
  ],
  [
    "registering from one address",
    20,
    600,
    (limits, n) => send(limits.register, { mail: `a${n}@b.example`, address: home }),
  ],
  [
    "registering one mail address",
    10,
    600,
    (limits, n) => send(limits.register, { mail: "A@b.example", address: `192.0.2.${n % 256}` }),
  ],
  ["using codes from one address", 20, 60, ({ code }) => code.take({ address: home })],
  [
    "resetting from one address",
    20,
    600,
    (limits, n) => send(limits.forgetpass, { mail: `a${n}@b.example`, address: home }),
  ],
  ["uploading from one account", 30, 60, ({ upload }) => upload.take({ account: 7 as AccountId })],
  [
    "resetting one mail address",
    10,
    600,
    (limits, n) => send(limits.forgetpass, { mail: "A@b.example", address: `192.0.2.${n % 256}` }),
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
  passing((n) => send(limits.register, { mail: first, address: `192.0.2.${n}` }));
  expect(wait(() => send(limits.register, { mail: second, address: home })) > 0).toBe(same);
});

test("registrations, codes, resets and sign-ins do not count for each other", () => {
  const { limits } = openLimits();
  passing(() => limits.code.take({ address: home }));
  passing(() => send(limits.register, { mail: "a@b.example", address: home }));
  expect(wait(() => send(limits.forgetpass, { mail: "a@b.example", address: home }))).toBe(0);
  expect(wait(() => send(limits.signIn, alice))).toBe(0);
});

test("the factor 0 lets everything pass", () => {
  const { limits } = openLimits({ factor: 0 });
  expect(passing(() => send(limits.signIn, alice))).toBe(1000);
  expect(passing(() => send(limits.register, { mail: "a@b.example", address: home }))).toBe(1000);
  expect(passing(() => limits.code.take({ address: home }))).toBe(1000);
  expect(passing(() => send(limits.forgetpass, { mail: "a@b.example", address: home }))).toBe(1000);
});

describe("a clock that is set back", () => {
  test("makes no client wait longer", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    passing(() => limits.code.take({ address: home }));
    turn(-86_400);
    expect(wait(() => send(limits.signIn, alice))).toBe(60);
    expect(wait(() => limits.code.take({ address: home }))).toBe(60);
    turn(60);
    expect(wait(() => send(limits.signIn, alice))).toBe(0);
    expect(wait(() => limits.code.take({ address: home }))).toBe(0);
  });

  test("sets no client free", () => {
    const { limits, turn } = openLimits();
    passing(() => send(limits.signIn, alice));
    turn(-30);
    turn(30);
    expect(wait(() => send(limits.signIn, alice))).toBeGreaterThan(0);
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
