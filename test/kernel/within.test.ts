import { expect, test } from "bun:test";
import { within } from "../../src/kernel/within.ts";

const never = new Promise<string>(() => undefined);

test("gives the result of a promise in time, and its failure", async () => {
  expect(await within(60_000, Promise.resolve("made"), () => "late")).toBe("made");
  const failing = within(60_000, Promise.reject(new Error("broken")), () => "late");
  expect(await failing.catch(String)).toBe("Error: broken");
});

test("gives what stands for a result that is late, or fails with it", async () => {
  expect(await within(1, never, () => "late")).toBe("late");
  const failing = within(1, never, () => {
    throw new Error("too late");
  });
  expect(await failing.catch(String)).toBe("Error: too late");
});
