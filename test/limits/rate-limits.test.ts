import { describe, expect, test } from "bun:test";
import { createAttemptMemory } from "../../src/domain/limits/attempt-memory.ts";
import { attemptsOfProcess } from "../../src/domain/limits/rate-limits.ts";
import { address, alice, home, limitsOver, passing, send, wait } from "./limits-world.ts";
import { rateLimitsSuite } from "./rate-limits.suite.ts";

rateLimitsSuite("in memory", attemptsOfProcess);

const openLimits = limitsOver(attemptsOfProcess);

describe("a clock that is set back", () => {
  test("makes no client wait longer", async () => {
    const { limits, turn } = openLimits();
    await passing(() => send(limits.signIn, alice));
    await passing(() => limits.code.take({ address: home }));
    turn(-86_400);
    expect(await wait(() => send(limits.signIn, alice))).toBe(60);
    expect(await wait(() => limits.code.take({ address: home }))).toBe(60);
    turn(60);
    expect(await wait(() => send(limits.signIn, alice))).toBe(0);
    expect(await wait(() => limits.code.take({ address: home }))).toBe(0);
  });

  test("sets no client free", async () => {
    const { limits, turn } = openLimits();
    await passing(() => send(limits.signIn, alice));
    turn(-30);
    turn(30);
    expect(await wait(() => send(limits.signIn, alice))).toBeGreaterThan(0);
  });
});

test("the oldest of too many addresses are forgotten, not the newest", async () => {
  const { limits } = openLimits();
  const many = 10_000;
  await passing(() => limits.code.take({ address: address(0) }));
  for (let n = 1; n < many; n++) await limits.code.take({ address: address(n) });
  expect(await wait(() => limits.code.take({ address: address(0) }))).toBe(60);
  await limits.code.take({ address: address(many) });
  expect(await wait(() => limits.code.take({ address: address(0) }))).toBe(0);
  expect(await passing(() => limits.code.take({ address: address(many) }))).toBe(19);
});

test("attempts of a day are kept by the half hour, so that no key holds many numbers", () => {
  let now = 0;
  const attempts = createAttemptMemory(() => now);
  const attempt = { limit: "of a day", key: "a", rule: { times: 3, seconds: 86_400 } };
  for (const at of [0, 1_799, 1_800]) {
    now = at;
    expect(attempts.takeHere([attempt])).toBe(0);
  }
  expect(attempts.takeHere([attempt])).toBe(86_400 - 1_800);
  now = 86_400;
  expect([attempts.takeHere([attempt]), attempts.takeHere([attempt])]).toEqual([0, 0]);
  expect(attempts.takeHere([attempt])).toBe(1_800);
});
