/** Who gets the next turn where calls go one by one (docs/contract/yggdrasil.md#authserver). */
import { describe, expect, test } from "bun:test";
import { createGateMemory } from "../../src/domain/game/call-gates.ts";
import { createTurnstiles } from "../../src/domain/game/turnstiles.ts";
import { AppError, PlainError } from "../../src/kernel/errors.ts";
import { behalf, onBehalfOf } from "../../src/kernel/on-behalf.ts";

/** Lanes with two seconds between calls, whose pauses turn the time. */
function open() {
  let now = 0;
  const begun: string[] = [];
  const lanes = createTurnstiles({
    gate: createGateMemory(2000, { steadySeconds: () => now }),
    pause: async (seconds) => void (now += seconds),
    pauseSeconds: 2,
    waitSecondsMax: 3,
  });
  const call = (site: string, { lane = "anna", work = async () => {} } = {}) =>
    lanes
      .pass(lane, site, async () => {
        begun.push(`${site} at ${now}`);
        await work();
      })
      .then(
        () => "done",
        (error: unknown) =>
          error instanceof AppError ? `${error.kind} ${error.retryAfterSeconds}` : String(error),
      );
  return { call, begun, now: () => now };
}

describe("a lane", () => {
  test("lets one call in, the next one two seconds later, and refuses what would wait for more than three", async () => {
    const { call, begun } = open();
    const ends = await Promise.all(["a", "b", "c", "d"].map((site) => call(site)));
    expect(begun).toEqual(["a at 0", "b at 2"]);
    expect(ends).toEqual(["done", "done", "limited 2", "limited 2"]);
  });

  test("has nothing to do with another one", async () => {
    const { call, begun } = open();
    await Promise.all([call("a"), call("a", { lane: "bert" })]);
    expect(begun).toEqual(["a at 0", "a at 0"]);
  });

  test("serves a network that comes late before one that was served, however many calls that has", async () => {
    const { call, begun } = open();
    const release = Promise.withResolvers<void>();
    const first = call("stranger", { work: () => release.promise });
    while (begun.length === 0) await Promise.resolve();
    const tries = Array.from({ length: 20 }, () => call("stranger"));
    const owner = call("owner");
    release.resolve();
    expect(await owner).toBe("done");
    expect(begun).toEqual(["stranger at 0", "owner at 2"]);
    const ends = await Promise.all([first, ...tries]);
    expect(ends.filter((end) => end === "done")).toHaveLength(1);
    expect(new Set(ends.slice(1))).toEqual(new Set(["limited 2"]));
  });

  test("does not pause after a call that failed", async () => {
    const { call, now } = open();
    const failing = { work: () => Promise.reject(new PlainError("limited", "too many")) };
    expect(await call("a", failing)).toBe("limited 5");
    expect(await call("a")).toBe("done");
    expect(now()).toBe(0);
  });

  test("is left by a client that hangs up", async () => {
    const { call, begun } = open();
    const release = Promise.withResolvers<void>();
    const first = call("a", { work: () => release.promise });
    while (begun.length === 0) await Promise.resolve();
    const gone = new AbortController();
    const left = onBehalfOf({ client: "b", gone: gone.signal }, () => call("b"));
    const other = call("c");
    gone.abort();
    expect(await left).toStartWith("AbortError");
    release.resolve();
    expect([await first, await other]).toEqual(["done", "done"]);
    expect(begun).toEqual(["a at 0", "c at 2"]);
  });

  test("asks its gate on for a client that hangs up, so that the others are served", async () => {
    const gone = new AbortController();
    const gate = createGateMemory(0, { steadySeconds: () => 0 });
    const lanes = createTurnstiles({
      gate: { ...gate, enter: async (key) => (behalf()?.gone?.throwIfAborted(), gate.enter(key)) },
      pause: async () => {},
      pauseSeconds: 2,
      waitSecondsMax: 3,
    });
    const first = onBehalfOf({ client: "a", gone: gone.signal }, () =>
      lanes.pass("anna", "a", async () => gone.abort()),
    );
    const second = onBehalfOf({ client: "b", gone: null }, () =>
      lanes.pass("anna", "b", async () => behalf()),
    );
    await first;
    expect(await second).toEqual({ client: "b", gone: null });
  });

  test("ends with its gate: what waits fails as that does, and the next call asks again", async () => {
    let isAway = true;
    const gate = createGateMemory(0, { steadySeconds: () => 0 });
    const lanes = createTurnstiles({
      gate: { ...gate, enter: async (key) => (isAway ? Promise.reject(new Error("away")) : gate.enter(key)) },
      pause: async () => {},
      pauseSeconds: 2,
      waitSecondsMax: 3,
    });
    const pass = () => lanes.pass("anna", "a", async () => "done").catch((error: unknown) => String(error));
    expect(await Promise.all([pass(), pass()])).toEqual(["Error: away", "Error: away"]);
    isAway = false;
    expect(await pass()).toBe("done");
  });
});
