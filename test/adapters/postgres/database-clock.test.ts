import { describe, expect, setSystemTime, test } from "bun:test";
import {
  createSteadyTime,
  openDatabaseClock,
} from "../../../src/adapters/postgres/cluster/database-clock.ts";
import type { Sender } from "../../../src/adapters/sql/sender.ts";

/** A database whose time is that of a clock that a test sets. */
function databaseAt(time: () => number): Sender {
  return { send: () => Promise.resolve([[time()]]) };
}

describe("the clock of a node", () => {
  test("has the database's time, whatever the machine's is", async () => {
    const lines: string[] = [];
    const log = { warn: (message: string) => void lines.push(message) };
    const hour = 3_600_000;
    for (const offset of [hour, -hour]) {
      await using clock = openDatabaseClock(
        databaseAt(() => Date.now() + offset),
        log,
      );
      await clock.measure();
      await clock.measure();
      expect(Math.abs(clock.nowSeconds() - (Date.now() + offset) / 1000)).toBeLessThan(10);
      expect(Math.round(clock.aheadSeconds() / 100)).toBe(-offset / 100_000);
    }
    // Once for each, not at every question.
    expect(lines).toHaveLength(2);
  });

  test("does not follow when the machine's clock is set", async () => {
    await using clock = openDatabaseClock(
      databaseAt(() => 1_800_000_000_000),
      { warn: () => undefined },
    );
    await clock.measure();
    setSystemTime(new Date("2040-01-01"));
    try {
      expect(clock.nowSeconds() - 1_800_000_000).toBeLessThan(60);
    } finally {
      setSystemTime();
    }
  });

  test("goes on while the database is away", async () => {
    let isAway = false;
    const db: Sender = {
      send: () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve([[1_800_000_000_000]])),
    };
    await using clock = openDatabaseClock(db, { warn: () => undefined });
    await clock.measure();
    isAway = true;
    expect(await clock.measure().catch(String)).toContain("away");
    expect(clock.nowSeconds()).toBeGreaterThanOrEqual(1_800_000_000);
  });
});

describe("a steady time", () => {
  test("takes a small difference over within ten seconds, and never goes back", () => {
    const steady = createSteadyTime();
    steady.set(0, 1_000_000);
    steady.set(100, 1_000_100 - 1_500);
    let last = steady.at(100);
    expect(last).toBe(1_000_100);
    for (let moment = 200; moment <= 12_000; moment += 100) {
      const now = steady.at(moment);
      expect(now).toBeGreaterThan(last);
      last = now;
    }
    expect(last).toBe(1_012_000 - 1_500);
  });

  test("takes a large difference over at once", () => {
    const steady = createSteadyTime();
    steady.set(0, 1_000_000);
    steady.set(100, 5_000_000);
    expect(steady.at(200)).toBe(5_000_100);
  });
});
