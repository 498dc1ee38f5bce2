import { expect, test } from "bun:test";
import { PlainError } from "../../src/kernel/errors.ts";
import { createSemaphore } from "../../src/kernel/semaphore.ts";

/** Work that ends when the test says so. */
function openWork() {
  const started: number[] = [];
  const ends = Array.from({ length: 10 }, () => Promise.withResolvers<number>());
  const work = (number: number) => () => {
    started.push(number);
    return ends[number]!.promise;
  };
  return { started, work, end: (number: number) => ends[number]!.resolve(number), ends };
}

test("runs as much at once as it may, and the rest in order", async () => {
  const run = createSemaphore({
    atOnceMax: 2,
    waitingMax: 5,
    refusal: () => new PlainError("limited", "full"),
  });
  const { started, work, end } = openWork();
  const results = [0, 1, 2, 3].map((number) => run(work(number)));
  expect(started).toEqual([0, 1]);
  end(1);
  expect(await results[1]).toBe(1);
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1, 2]);
  for (const number of [0, 2, 3]) end(number);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  expect(started).toEqual([0, 1, 2, 3]);
});

test("refuses more than may wait, and only while work waits", async () => {
  const run = createSemaphore({
    atOnceMax: 1,
    waitingMax: 1,
    refusal: () => new PlainError("limited", "come back later"),
  });
  const { work, end } = openWork();
  const accepted = [run(work(0)), run(work(1))];
  expect(run(work(2))).rejects.toMatchObject({
    name: "AppError",
    kind: "limited",
    message: "come back later",
  });
  end(0);
  end(1);
  await Promise.all(accepted);
  end(3);
  expect(await run(work(3))).toBe(3);
});

test("work that fails frees its place", async () => {
  const run = createSemaphore({
    atOnceMax: 1,
    waitingMax: 0,
    refusal: () => new PlainError("limited", "full"),
  });
  const failing = run(() => Promise.reject(new Error("torn")));
  expect(failing).rejects.toThrow("torn");
  expect(
    run(() => {
      throw new Error("torn at once");
    }),
  ).rejects.toThrow("torn at once");
  await new Promise(setImmediate);
  expect(await run(() => 1)).toBe(1);
});
