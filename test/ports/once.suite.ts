/** What every store of things that work once must do, wherever it keeps them. */
import { describe, expect, test } from "bun:test";
import type { OnceStore } from "../../src/domain/ports/once-store.ts";

/** `open` makes a store that is empty, as two nodes see it. */
export function onceSuite(name: string, open: () => readonly [OnceStore, OnceStore]): void {
  describe(`${name}: what works once`, () => {
    test("is used once, on whichever node", async () => {
      const [one, other] = open();
      expect(await one.use("a", 4_102_444_800)).toBe(true);
      expect(await one.use("a", 4_102_444_800)).toBe(false);
      expect(await other.use("a", 4_102_444_800)).toBe(false);
    });

    test("is used by one of many at once", async () => {
      const nodes = open();
      for (let round = 0; round < 20; round++) {
        const uses = Array.from({ length: 10 }, (_, at) =>
          nodes[at % 2 === 0 ? 0 : 1].use(`race ${round}`, 4_102_444_800),
        );
        expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
      }
    });

    test("is apart from everything else, whatever its name holds", async () => {
      const [one] = open();
      for (const key of ["b", "B", "b ", "", "%", "_", "b'", "ß", "ss", "\u{1f600}", "x".repeat(10_000)])
        expect(await one.use(key, 4_102_444_800)).toBe(true);
    });
  });
}
