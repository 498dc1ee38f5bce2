import { describe, expect, test } from "bun:test";
import type { RateLimits } from "../../src/domain/limits/rate-limits.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import {
  address,
  alice,
  elsewhere,
  home,
  limitsOver,
  passing,
  refusal,
  send,
  wait,
  type OpenAttempts,
} from "./limits-world.ts";

/** One of the 65,536 networks of a customer. */
const network = (n: number, site = "2001:db8:1") => `${site}:${n.toString(16)}::1`;

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

type Case = readonly [
  what: string,
  times: number,
  seconds: number,
  take: (limits: RateLimits, index: number) => unknown,
];
const windows: readonly Case[] = [
  [
    "signing in from one address",
    20,
    60,
    (limits, n) => send(limits.signIn, { account: `a${n}`, address: home }),
  ],
  ["registering from one address", 20, 600, ({ register }) => register.take({ address: home })],
  ["using codes from one address", 20, 60, ({ code }) => code.take({ address: home })],
  ["resetting from one address", 20, 600, ({ forgetpass }) => forgetpass.take({ address: home })],
  ["uploading from one account", 30, 60, ({ upload }) => upload.take({ account: 7 as AccountId })],
  [
    "changing what the players of one account show",
    30,
    60,
    async ({ looks }) => looks?.takeHere({ account: 7 as AccountId, times: 1 }).takeForAll(),
  ],
  [
    "asking for codes for new addresses from one account",
    5,
    86_400,
    ({ mailChange }) => mailChange.take({ account: 7 as AccountId }),
  ],
];

/** What every store of attempts must make of the limits. */
export function rateLimitsSuite(name: string, open: OpenAttempts): void {
  const openLimits = limitsOver(open);
  describe(name, () => {
    describe("signing in", () => {
      test("is tried five times with one account from one address, then waits a minute", async () => {
        const { limits, turn } = openLimits();
        expect(await passing(() => send(limits.signIn, alice))).toBe(5);
        expect(await wait(() => send(limits.signIn, alice))).toBe(60);
        turn(59);
        expect(await wait(() => send(limits.signIn, alice))).toBe(1);
        turn(1);
        expect(await wait(() => send(limits.signIn, alice))).toBe(0);
      });

      test("says in words how long to wait", async () => {
        const { limits, turn } = openLimits();
        await passing(() => send(limits.signIn, alice));
        expect(await refusal(() => send(limits.signIn, alice))).toBe(
          "Too many attempts to sign in; try again in 60 seconds",
        );
        turn(59);
        expect(await refusal(() => send(limits.signIn, alice))).toBe(
          "Too many attempts to sign in; try again in a second",
        );
      });

      test("waits whole seconds, which is all that Retry-After can say", async () => {
        const { limits, turn } = openLimits();
        await passing(() => send(limits.signIn, alice));
        turn(0.4);
        expect(await wait(() => send(limits.signIn, alice))).toBe(59);
        turn(0.3);
        expect(await wait(() => send(limits.signIn, alice))).toBe(59);
      });

      test("waits twice as long each time, up to a quarter of an hour", async () => {
        const { limits, turn } = openLimits();
        const waits: number[] = [];
        for (let round = 0; round < 7; round++) {
          await passing(() => send(limits.signIn, alice));
          const seconds = await wait(() => send(limits.signIn, alice));
          turn(seconds);
          waits.push(seconds);
        }
        expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
      });

      test("grows slow too for a client that never tries five times within a minute", async () => {
        const { limits, turn } = openLimits();
        const passed = await passing(async () => {
          turn(20);
          await send(limits.signIn, alice);
        });
        expect(passed).toBe(5);
      });

      test("begins again after a success", async () => {
        const { limits } = openLimits();
        for (let round = 0; round < 3; round++) {
          for (let time = 0; time < 4; time++) await send(limits.signIn, alice);
          await limits.signIn.reset(alice, { account: null, address: false });
        }
        expect(await passing(() => send(limits.signIn, alice))).toBe(5);
      });

      test("counts for the account out of sight, under whichever names, until one is right", async () => {
        const { limits, turn } = openLimits();
        const account = 5 as AccountId;
        const fits = async (name: string, address = home) => {
          await send(limits.signIn, { account: name, address });
          return limits.signIn.mayFit({ account: name, address }, account);
        };
        const names = ["Alice", "alice@example.org", "AliceToo"];
        const seen: boolean[] = [];
        for (let time = 0; time < 8; time++) seen.push(await fits(names[time % 3] ?? ""));
        expect(seen).toEqual([true, true, true, true, true, false, false, false]);
        expect(await fits("Alice", elsewhere)).toBe(true);
        expect(await limits.signIn.mayFit({ account: "Bob", address: home }, 6 as AccountId)).toBe(true);
        expect(await limits.signIn.mayFit({ account: "Bob", address: home }, null)).toBe(true);
        // A change of the account by its owner counts with them, in sight.
        expect(await wait(() => send(limits.signIn, { account, address: home }))).toBeGreaterThan(0);
        turn(60);
        expect(await fits("Alice")).toBe(true);
        await limits.signIn.reset({ account: "Alice", address: home }, { account, address: false });
        expect(await passing(() => send(limits.signIn, { account, address: home }))).toBe(5);
      });

      test("is open again when the wait in sight has ended, although it counted a second later", async () => {
        const { limits, turn } = openLimits();
        for (let time = 0; time < 5; time++) {
          await send(limits.signIn, alice);
          if (time === 4) turn(1);
          expect(await limits.signIn.mayFit(alice, 5 as AccountId)).toBe(true);
        }
        turn(59);
        expect(await wait(() => send(limits.signIn, alice))).toBe(0);
        expect(await limits.signIn.mayFit(alice, 5 as AccountId)).toBe(true);
      });

      test("forgets a try that was not made, with the wait that began with it", async () => {
        const { limits, turn } = openLimits();
        const account = 5 as AccountId;
        for (let time = 0; time < 30; time++) {
          await send(limits.signIn, alice);
          expect(await limits.signIn.mayFit(alice, account)).toBe(true);
          if (time >= 4) await limits.signIn.refund(alice, { account, address: true });
        }
        await send(limits.signIn, alice);
        expect(await limits.signIn.mayFit(alice, account)).toBe(true);
        expect(await wait(() => send(limits.signIn, alice))).toBe(60);
        expect(await limits.signIn.mayFit(alice, account)).toBe(false);
        turn(60);
        await send(limits.signIn, alice);
        for (let time = 0; time < 3; time++)
          await limits.signIn.refund(alice, { account: null, address: false });
        expect(await passing((n) => send(limits.signIn, { account: `a${n}`, address: home }))).toBe(19);
      });

      test("begins again after a quarter of an hour without an attempt", async () => {
        const { limits, turn } = openLimits();
        await passing(() => send(limits.signIn, alice));
        turn(60);
        await passing(() => send(limits.signIn, alice));
        turn(120 + 900);
        expect(await passing(() => send(limits.signIn, alice))).toBe(5);
        expect(await wait(() => send(limits.signIn, alice))).toBe(60);
      });

      test("makes no client wait longer for trying while it waits", async () => {
        const { limits, turn } = openLimits();
        await passing(() => send(limits.signIn, alice));
        for (let time = 0; time < 100; time++) await wait(() => send(limits.signIn, alice));
        expect(await wait(() => send(limits.signIn, alice))).toBe(60);
        turn(60);
        expect(await passing(() => send(limits.signIn, alice))).toBe(5);
      });

      test("is open to the owner elsewhere while a stranger guesses", async () => {
        const { limits } = openLimits();
        await passing(() => send(limits.signIn, { ...alice, address: elsewhere }));
        expect(await wait(() => send(limits.signIn, alice))).toBe(0);
      });

      test("is tried 20 times a minute from one address, whatever the accounts", async () => {
        const { limits, turn } = openLimits();
        const take = (index: number) => send(limits.signIn, { account: `a${index}`, address: home });
        expect(await passing(take)).toBe(20);
        expect(await wait(() => send(limits.signIn, { account: "fresh", address: home }))).toBe(60);
        expect(await wait(() => send(limits.signIn, { account: "fresh", address: elsewhere }))).toBe(0);
        turn(60);
        expect(await passing((index) => take(100 + index))).toBe(20);
      });

      test("is counted by address also when it succeeds", async () => {
        const { limits } = openLimits();
        const passed = await passing(async () => {
          await send(limits.signIn, alice);
          await limits.signIn.reset(alice, { account: null, address: false });
        });
        expect(passed).toBe(20);
      });

      test("spends none of the address's attempts when the account's are used up", async () => {
        const { limits } = openLimits();
        for (let time = 0; time < 100; time++) await wait(() => send(limits.signIn, alice));
        expect(await passing((index) => send(limits.signIn, { account: `a${index}`, address: home }))).toBe(
          15,
        );
      });

      test("spends none of the account's attempts when the address's are used up", async () => {
        const { limits, turn } = openLimits();
        await passing((index) => send(limits.signIn, { account: `a${index}`, address: home }));
        for (let time = 0; time < 100; time++) await wait(() => send(limits.signIn, alice));
        turn(60);
        expect(await passing(() => send(limits.signIn, alice))).toBe(5);
      });

      test.each([
        ["case", "Alice", "aLICE"],
        ["compatible letters", "Alice", "Ａｌｉｃｅ"],
        ["a mail address's case", "Alice@Example.org", "alice@example.ORG"],
        ["what follows a name that is too long", `${"a".repeat(300)}x`, `${"a".repeat(300)}y`],
      ])("takes no other %s for another account", async (_, account, other) => {
        const { limits } = openLimits();
        await passing(() => send(limits.signIn, { account, address: home }));
        expect(await wait(() => send(limits.signIn, { account: other, address: home }))).toBe(60);
      });

      test("does not show that a name and a mail address are of one account", async () => {
        const { limits } = openLimits();
        await passing(() => send(limits.signIn, alice));
        expect(await wait(() => send(limits.signIn, { account: "alice@example.org", address: home }))).toBe(
          0,
        );
      });

      test("keeps account and address apart in whatever they hold", async () => {
        const { limits } = openLimits();
        await passing(() => send(limits.signIn, { account: "b c", address: "a" }));
        expect(await wait(() => send(limits.signIn, { account: "c", address: "a b" }))).toBe(0);
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
      ])("%s", async (_, first, second, same) => {
        const { limits } = openLimits();
        await passing(() => limits.code.take({ address: first }));
        expect((await wait(() => limits.code.take({ address: second }))) > 0).toBe(same);
      });
    });

    describe("a customer's whole IPv6 network", () => {
      type Take = (limits: RateLimits, address: string) => unknown;
      const budgets: readonly (readonly [what: string, times: number, take: Take])[] = [
        ["signs in", 20, ({ signIn }, address) => signIn.takeHere({ address })],
        ["registers", 20, ({ register }, address) => register.takeHere({ address })],
        ["resets", 20, ({ forgetpass }, address) => forgetpass.takeHere({ address })],
        ["finishes registrations", 20, ({ finish }, address) => finish.take({ address })],
        ["uses codes", 20, ({ code }, address) => code.take({ address })],
        ["comes from a provider", 60, ({ social }, address) => social.take({ address })],
        ["makes accounts", 20, ({ socialCreation }, address) => socialCreation.take({ address })],
        ["sends what is refused", 300, ({ broken }, address) => broken.take({ address })],
      ];
      test.each(budgets)("%s at most four times as often as one of its parts", async (_, times, take) => {
        const { limits } = openLimits();
        const most = 10_000;
        expect(await passing((n) => take(limits, network(n)), most)).toBe(4 * times);
        expect(await wait(() => take(limits, network(9_999)))).toBeGreaterThan(0);
        expect(await wait(() => take(limits, network(0, "2001:db8:2")))).toBe(0);
        expect(await wait(() => take(limits, home))).toBe(0);
      });

      test.each(budgets)("is not used up by one part that %s without end", async (_, times, take) => {
        const { limits } = openLimits();
        expect(await passing(() => take(limits, network(1)), 10_000)).toBe(times);
        for (let n = 0; n < 1000; n++) await wait(() => take(limits, network(1)));
        expect(await passing(() => take(limits, network(2)), 10_000)).toBe(times);
      });

      test("gets back what an account's own limit refused", async () => {
        const { limits } = openLimits();
        const guess = () => send(limits.signIn, { account: "Alice", address: network(1) });
        await passing(guess);
        for (let n = 0; n < 200; n++) await wait(guess);
        expect(await passing((n) => limits.signIn.takeHere({ address: network(100 + n) }))).toBe(75);
      });
    });

    describe("requests whose body was refused", () => {
      test("stop an address for a while, and only that one", async () => {
        const { limits, turn } = openLimits();
        for (let n = 0; n < 300; n++) {
          expect(await wait(() => limits.broken.check({ address: home }))).toBe(0);
          await limits.broken.count({ address: home });
        }
        expect(await refusal(() => limits.broken.check({ address: home }))).toBe(
          "Too many requests that were refused; try again in 60 seconds",
        );
        expect(await wait(() => limits.broken.check({ address: elsewhere }))).toBe(0);
        turn(60);
        expect(await wait(() => limits.broken.check({ address: home }))).toBe(0);
      });

      test.each([
        [2, 600],
        [0.01, 3],
        [0, 1000],
      ])("with the factor %d are %d", async (factor, most) => {
        const { limits } = openLimits({ factor });
        expect(await passing(() => limits.broken.take({ address: home }))).toBe(most);
      });
    });

    describe("bodies that are on their way at once", () => {
      test.each([
        ["32 of one address", 1, () => home, 32],
        ["32 of one IPv6 network", 1, (n: number) => `2001:db8::${n.toString(16)}`, 32],
        ["128 of a customer's whole network", 1, (n: number) => network(n), 128],
        ["4096 of all", 1, address, 4096],
        ["as many times more as the factor says", 2, () => home, 64],
        ["one at least", 0.001, () => home, 1],
        ["any number of one address with the factor 0, up to what memory bears", 0, () => home, 4096],
      ])("may be %s", async (_, factor, addressOf, most) => {
        expect(begin(openLimits({ factor }).limits, addressOf)).toHaveLength(most);
      });

      test("make room when they end, once each", async () => {
        const { limits } = openLimits();
        const ends = begin(limits, () => home);
        expect(limits.beginBody({ address: elsewhere })).not.toBeNull();
        for (const _ of ends) ends[0]?.();
        expect(begin(limits, () => home)).toHaveLength(1);
        ends.slice(1).forEach((end) => end());
        expect(begin(limits, () => home)).toHaveLength(31);
      });
    });

    describe.each(windows)("%s: %d times in %d seconds", (_, times, seconds, take) => {
      test("and no more, then again when the first is that long ago", async () => {
        const { limits, turn } = openLimits();
        expect(await passing((index) => take(limits, index))).toBe(times);
        expect(await wait(() => take(limits, 1))).toBe(seconds);
        turn(seconds - 1);
        expect(await wait(() => take(limits, 1))).toBe(1);
        turn(1);
        expect(await passing((index) => take(limits, index))).toBe(times);
      });

      test("wherever the window begins", async () => {
        const { limits, turn } = openLimits();
        const passedAt: number[] = [];
        for (let at = 0; at < 3 * seconds; at++, turn(1)) {
          while ((await wait(() => take(limits, passedAt.length))) === 0) passedAt.push(at);
        }
        const most = Math.max(
          ...passedAt.map((from) => passedAt.filter((at) => at >= from && at < from + seconds).length),
        );
        expect(most).toBe(times);
      });

      test.each([
        ["twice as many with the factor 2", 2, times * 2],
        ["half as many with 0.5", 0.5, Math.floor(times / 2)],
        ["one at least", 0.001, 1],
      ])("%s", async (_, factor, expected) => {
        const { limits } = openLimits({ factor });
        expect(await passing((index) => take(limits, index))).toBe(expected);
      });
    });

    test("an account gets back what came to nothing, and the others nothing of it", async () => {
      const { limits } = openLimits();
      const [alices, bobs] = [{ account: 7 as AccountId }, { account: 8 as AccountId }];
      for (const account of [alices, bobs])
        expect(await passing(() => limits.mailChange.take(account))).toBe(5);
      await limits.mailChange.refund(alices);
      expect(await wait(() => limits.mailChange.take(bobs))).toBeGreaterThan(0);
      expect(await passing(() => limits.mailChange.take(alices))).toBe(1);
      expect(await refusal(() => limits.mailChange.take(alices))).toBe(
        "Too many codes for new addresses within a day; try again in 24 hours",
      );
    });

    test("registrations, codes, resets and sign-ins do not count for each other", async () => {
      const { limits } = openLimits();
      await passing(() => limits.code.take({ address: home }));
      await passing(() => limits.register.take({ address: home }));
      expect(await wait(() => limits.forgetpass.take({ address: home }))).toBe(0);
      expect(await wait(() => send(limits.signIn, alice))).toBe(0);
    });

    test("the players of an account show something else 500 times a day, as well as 30 times a minute", async () => {
      const { limits, turn } = openLimits();
      const change = async (account = 7 as AccountId) =>
        limits.looks?.takeHere({ account, times: 1 }).takeForAll();
      const passed: number[] = [];
      for (let minute = 0; minute < 20; minute++, turn(60)) passed.push(await passing(() => change()));
      expect(passed).toEqual([...Array.from({ length: 16 }, () => 30), 20, 0, 0, 0]);
      expect(await wait(() => change())).toBe(86_400 - 20 * 60);
      expect(await wait(() => change(8 as AccountId))).toBe(0);
      turn(86_400 - 20 * 60);
      expect(await wait(() => change())).toBe(0);
    });

    test("the factor 0 lets everything pass", async () => {
      const { limits } = openLimits({ factor: 0 });
      expect(limits.looks).toBeNull();
      expect(await passing(() => send(limits.signIn, alice))).toBe(1000);
      expect(await passing(() => limits.register.take({ address: home }))).toBe(1000);
      expect(await passing(() => limits.code.take({ address: home }))).toBe(1000);
      expect(await passing(() => limits.forgetpass.take({ address: home }))).toBe(1000);
    });
  });
}
