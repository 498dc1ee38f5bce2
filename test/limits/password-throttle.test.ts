/** What the time of a refusal shows (docs/contract/yggdrasil.md#authserver). */
import { expect, test } from "bun:test";
import { createGateMemory, createPasswordThrottle } from "../../src/domain/game/password-throttle.ts";
import { AppError } from "../../src/kernel/errors.ts";

function open() {
  let now = 0;
  const pauses: number[] = [];
  const clock = { nowSeconds: () => 0, steadySeconds: () => now };
  const throttle = createPasswordThrottle({
    gate: createGateMemory(1000, clock),
    clock,
    pause: async (seconds) => void pauses.push(seconds),
  });
  const take = (account: string, seconds: number, error?: AppError) =>
    throttle(account, async () => {
      now += seconds;
      if (error !== undefined) throw error;
    }).then(
      () => "done",
      (cause: unknown) => (cause instanceof AppError ? cause.code : String(cause)),
    );
  return { take, pauses };
}

test("a call that is held up takes as long as one that is not, so that it does not show whose name it is", async () => {
  const { take, pauses } = open();
  expect(await take("id:1", 0.125)).toBe("done");
  expect(pauses).toEqual([]);
  expect(await take("id:1", 0)).toBe("unauthenticated");
  expect(pauses).toEqual([0.125]);
});

test("it takes as long as any of the last ones, refused passwords among them", async () => {
  const { take, pauses } = open();
  const wrong = new AppError("unauthenticated", "wrong");
  expect(await take("id:1", 0.125, wrong)).toBe("unauthenticated");
  expect(await take("id:2", 0.25)).toBe("done");
  // It was refused before the password was looked at.
  expect(await take("id:3", 0.5, new AppError("limited", "too many"))).toBe("limited");
  for (let count = 0; count < 200; count++) await take("id:2", 0);
  expect([...new Set(pauses)].toSorted((one, other) => one - other)).toEqual([0.125, 0.25]);
});
