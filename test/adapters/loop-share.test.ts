import { expect, test } from "bun:test";
import { createLoopShare } from "../../src/adapters/texture-threads/picture-renderer.ts";

/** A share on a clock that a test turns. */
function openShare() {
  let now = 12_345;
  const take = createLoopShare(() => now);
  return {
    /** How often the client gets so many milliseconds before it gets none. */
    taken: (client: string, milliseconds: number) => {
      let times = 0;
      while (times < 1000 && take(client, milliseconds)) times++;
      return times;
    },
    turn: (milliseconds: number) => void (now += milliseconds),
  };
}

test("a client has a twentieth of the event loop", () => {
  const { taken } = openShare();
  expect(taken("a", 10)).toBe(5);
  expect(taken("b", 0.5)).toBe(100);
});

test("work that is too long for the rest of a share is not in it", () => {
  const { taken } = openShare();
  expect(taken("a", 9)).toBe(5);
  expect(taken("a", 5)).toBe(1);
});

test("all clients together have a fifth", () => {
  const { taken } = openShare();
  expect(["a", "b", "c", "d", "e", "f"].map((client) => taken(client, 10))).toEqual([5, 5, 5, 5, 0, 0]);
});

test("each second begins with nothing taken", () => {
  const { taken, turn } = openShare();
  for (const client of ["a", "b", "c", "d"]) taken(client, 10);
  turn(999);
  expect(taken("a", 10)).toBe(0);
  expect(taken("e", 10)).toBe(0);
  turn(1);
  expect(taken("a", 10)).toBe(5);
  expect(taken("e", 10)).toBe(5);
});
