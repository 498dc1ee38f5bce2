import { expect, test } from "bun:test";
import { BoundedMap } from "../../src/kernel/bounded-map.ts";

test("drops the oldest entry beyond its bound, and a key that is set again is the newest", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

test("reading changes no order, and a bound of none keeps nothing", () => {
  const map = new BoundedMap<string, number>(1).set("a", 1);
  expect(map.get("a")).toBe(1);
  expect([...map.set("b", 2).keys()]).toEqual(["b"]);
  expect(new BoundedMap<string, number>(0).set("a", 1).size).toBe(0);
});
