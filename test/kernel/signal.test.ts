import { expect, test } from "bun:test";
import { createSignal } from "../../src/kernel/signal.ts";

test("calls each listener until it is disposed of, and resolves what waits for the next signal", async () => {
  const signal = createSignal<number>();
  const heard: string[] = [];
  const [first, second] = ["a", "b"].map((name) => signal.listen((news) => void heard.push(name + news)));
  const next = signal.next();
  signal.send(1);
  first![Symbol.dispose]();
  signal.send(2);
  expect(heard).toEqual(["a1", "b1", "b2"]);
  expect(await next).toBe(1);
  expect(signal.hasListeners()).toBe(true);
  second![Symbol.dispose]();
  expect(signal.hasListeners()).toBe(false);
});

test("misses no signal for a caller that takes the promise before it looks", async () => {
  const signal = createSignal();
  const next = signal.next();
  signal.send();
  await next;
  let isOver = false;
  const later = signal.next().then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  signal.send();
  await later;
});
