/** What every gate must do that lets calls in one by one, wherever it keeps them. */
import { describe, expect, test } from "bun:test";
import type { CallGate } from "../../src/domain/ports/call-gate.ts";
import type { Clock } from "../../src/kernel/clock.ts";

/** `open` makes a gate with an interval of a second, as two nodes see it. */
export function callGateSuite(name: string, open: (clock: Clock) => readonly [CallGate, CallGate]): void {
  const openTurned = () => {
    let now = 4_000_000_000;
    const clock = { nowSeconds: () => now, steadySeconds: () => now };
    return { nodes: open(clock), turn: (seconds: number) => void (now += seconds) };
  };

  describe(`${name}: calls`, () => {
    test("come in one at a time, on whichever node", async () => {
      const { nodes } = openTurned();
      expect(await nodes[0].enter("a")).toBe(0);
      expect(await nodes[0].enter("a")).toBeGreaterThan(0);
      expect(await nodes[1].enter("a")).toBeGreaterThan(0);
      expect(await nodes[1].enter("b")).toBe(0);
    });

    test("come in one of many at once", async () => {
      const { nodes } = openTurned();
      const entered = await Promise.all(
        Array.from({ length: 20 }, (_, at) => nodes[at % 2 === 0 ? 0 : 1].enter("a")),
      );
      expect(entered.filter((seconds) => seconds === 0)).toHaveLength(1);
    });

    test("hold the next one up for the interval after their end", async () => {
      const { nodes, turn } = openTurned();
      await nodes[0].enter("a");
      turn(5);
      await nodes[0].leave("a", { holds: true });
      expect(await nodes[0].enter("a")).toBeGreaterThan(0);
      expect(await nodes[1].enter("a")).toBeGreaterThan(0);
      turn(1);
      expect(await nodes[1].enter("a")).toBe(0);
      expect(await nodes[0].enter("a")).toBeGreaterThan(0);
    });

    test("hold no one up that count for nothing", async () => {
      const { nodes } = openTurned();
      await nodes[0].enter("a");
      await nodes[0].leave("a", { holds: false });
      expect(await nodes[1].enter("a")).toBe(0);
    });
  });
}
