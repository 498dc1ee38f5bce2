import { expect, test } from "bun:test";
import { createByteCache } from "../../src/kernel/byte-cache.ts";

const file = (bytes: number) => new Blob([new Uint8Array(bytes)]);
const kept = (cache: ReturnType<typeof createByteCache>, keys: readonly string[]) =>
  keys.filter((key) => cache.get(key) !== undefined);

test("gives back what was put in, and nothing else", () => {
  const cache = createByteCache(100_000);
  const one = file(10);
  cache.set("one", one);
  expect(cache.get("one")).toBe(one);
  expect(cache.get("two")).toBeUndefined();
});

test("never holds more than its bytes, whatever is put in and used", () => {
  const cache = createByteCache(50_000);
  for (let i = 0; i < 2_000; i++) {
    cache.set(`key ${(i * 7) % 300}`, file((i * 97) % 14_000));
    cache.get(`key ${(i * 13) % 300}`);
    expect(cache.size()).toBeLessThanOrEqual(50_000);
  }
  expect(cache.size()).toBeGreaterThan(25_000);
});

test("counts what it costs to keep even empty files", () => {
  const cache = createByteCache(100_000);
  for (let i = 0; i < 10_000; i++) cache.set(`key ${i}`, file(0));
  const left = Array.from({ length: 10_000 }, (_, i) => `key ${i}`).filter((key) => cache.get(key));
  expect(left.length).toBeLessThan(1_000);
  expect(left.length).toBeGreaterThan(10);
});

test("drops what was not used before what was", () => {
  const cache = createByteCache(10_000);
  for (const key of ["a", "b", "c"]) cache.set(key, file(1_900));
  cache.get("a");
  for (const key of ["d", "e"]) cache.set(key, file(1_900));
  expect(kept(cache, ["a", "e"])).toEqual(["a", "e"]);
  expect(cache.get("b")).toBeUndefined();
});

test("keeps the newest file, also when all others were used", () => {
  const cache = createByteCache(10_000);
  const old = ["a", "b", "c", "d"];
  for (const key of old) cache.set(key, file(1_900));
  for (let i = 0; i < 3; i++) {
    expect(kept(cache, old).length).toBeGreaterThan(0);
    cache.set(`new ${i}`, file(1_900));
    expect(cache.get(`new ${i}`)).toBeDefined();
  }
});

test("replaces a file under its key, and counts it once", () => {
  const cache = createByteCache(100_000);
  cache.set("one", file(10_000));
  const before = cache.size();
  const other = file(10_000);
  cache.set("one", other);
  expect(cache.get("one")).toBe(other);
  expect(cache.size()).toBe(before);
});

test("keeps no file that is larger than a quarter of it", () => {
  const cache = createByteCache(10_000);
  cache.set("small", file(1_000));
  cache.set("large", file(2_600));
  expect(kept(cache, ["small", "large"])).toEqual(["small"]);
});

test("keeps nothing when it has no bytes", () => {
  const cache = createByteCache(0);
  cache.set("one", file(0));
  expect(cache.get("one")).toBeUndefined();
  expect(cache.size()).toBe(0);
});
