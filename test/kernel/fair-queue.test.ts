import { afterEach, describe, expect, jest, test } from "bun:test";
import { PlainError } from "../../src/kernel/errors.ts";
import { FairQueue, type FairQueueOptions } from "../../src/kernel/fair-queue.ts";
import { Waiters } from "../../src/kernel/waiters.ts";

/** A queue on a clock that a test turns, with work that ends when the test says so. */
function openQueue(options: Partial<FairQueueOptions> = {}) {
  let now = 0;
  const queue = new FairQueue({
    atOnceMax: 1,
    waitingMax: 100,
    waitMillisecondsMax: 3000,
    refusal: (options) => new PlainError("limited", "come back later", options),
    now: () => now,
    ...options,
  });
  const started: string[] = [];
  const underway: PromiseWithResolvers<void>[] = [];
  const refused: string[] = [];
  let seen = 0;

  const ask = (
    name: string,
    expectedMilliseconds = 100,
    client = name.replace(/\d+$/, ""),
    within: readonly string[] = [],
  ) => {
    const leaving = new AbortController();
    const waiters = new Waiters({ client, within, gone: leaving.signal });
    const work = () => {
      started.push(name);
      const end = Promise.withResolvers<void>();
      underway.push(end);
      return end.promise.then(() => name);
    };
    const done = queue.run({ waiters, expectedMilliseconds }, work);
    done.catch(() => refused.push(name));
    return { done, waiters, leave: () => leaving.abort() };
  };
  return {
    queue,
    ask,
    /** Each by another client of one network. */
    askFromSite: (count: number, milliseconds = 100) =>
      Array.from({ length: count }, (_, n) => ask(`site${n}`, milliseconds, `site/${n}`, ["site"])),
    refused,
    turn: (milliseconds: number) => void (now += milliseconds),
    /** What has begun since the last time. */
    begun: () => started.slice(seen, (seen = started.length)),
    /** Ends what began first; it took so long. */
    end: async (took = 100) => {
      now += took;
      underway.shift()?.resolve();
      await settle();
    },
    /** Ends all there is, and says in which order it began. */
    drain: async () => {
      for (;;) {
        const end = underway.shift();
        if (end === undefined) return started;
        end.resolve();
        await settle();
      }
    },
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function tear(): never {
  throw new Error("torn");
}

test("lets as many in as it may, and hands on what comes of it", async () => {
  const { ask, begun, drain } = openQueue({ atOnceMax: 2 });
  const all = ["a1", "a2", "a3", "a4"].map((name) => ask(name).done);
  expect(begun()).toEqual(["a1", "a2"]);
  await drain();
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4"]);
});

test("work that fails makes room all the same", async () => {
  const { queue, ask, drain } = openQueue();
  const { waiters } = ask("a1");

  const failing = queue.run({ waiters, expectedMilliseconds: 1 }, tear).catch(String);
  const next = ask("a2");
  await drain();
  expect(await failing).toBe("Error: torn");
  expect(await next.done).toBe("a2");
});

describe("turns are given", () => {
  test("to equal work of one client in the order in which it came", async () => {
    const { ask, drain } = openQueue();
    for (let n = 0; n < 20; n++) ask(`a${n}`);
    expect(await drain()).toEqual(Array.from({ length: 20 }, (_, n) => `a${n}`));
  });

  test("to the small before the large", async () => {
    const { ask, drain } = openQueue();
    ask("a1");
    for (const size of [300, 10, 200, 20]) ask(`a${size}`, size);
    expect(await drain()).toEqual(["a1", "a10", "a20", "a200", "a300"]);
  });

  test("to the large after some time, however much that is small keeps coming", async () => {
    const { ask, begun, end } = openQueue();
    ask("a1");
    ask("large", 500, "a");
    let small = 2;
    let passed = 0;
    do {
      ask(`a${small++}`, 50);
      await end(50);
      passed++;
    } while (!begun().includes("large") && passed < 1000);
    // Eight times its own milliseconds, and those of the small that were there before it.
    expect(passed).toBeLessThanOrEqual((8 * (500 + 100)) / 50);
    expect(passed).toBeGreaterThan(10);
  });

  test("to a client that comes late before one that fills the queue", async () => {
    const { ask, drain } = openQueue();
    for (let n = 0; n < 20; n++) ask(`many${n}`);
    ask("late1");
    expect((await drain()).slice(0, 3)).toEqual(["many0", "late1", "many1"]);
  });

  test("to clients in turn", async () => {
    const { ask, drain } = openQueue();
    ask("first0");
    for (const client of ["a", "b", "c"]) for (let n = 0; n < 3; n++) ask(`${client}${n}`);
    const order = (await drain()).slice(1).map((name) => name[0]);
    for (const from of [0, 3, 6]) expect(new Set(order.slice(from, from + 3)).size).toBe(3);
  });

  test("by the time that clients take, not by their number of pieces", async () => {
    const { ask, drain } = openQueue();
    ask("first0");
    for (let n = 0; n < 5; n++) ask(`large${n}`, 200);
    for (let n = 0; n < 50; n++) ask(`small${n}`, 20);
    const order = await drain();
    const smallBefore = (large: string) =>
      order.slice(0, order.indexOf(large)).filter((name) => name.startsWith("small")).length;
    expect([0, 1, 2, 3, 4].map((n) => smallBefore(`large${n}`))).toEqual([9, 19, 29, 39, 49]);
  });

  test.each([
    ["growing", (n: number) => 80 + n],
    ["shrinking", (n: number) => 100 - n],
  ])("to one that asks once before one that asks for much of %s size", async (_, sizeOf) => {
    const { ask, drain } = openQueue();
    for (let n = 0; n <= 20; n++) ask(`many${n}`, sizeOf(n));
    ask("late1", 110);
    expect((await drain()).indexOf("late1")).toBeLessThan(3);
  });

  test("at once where a place is free, and by the queue behind it", async () => {
    const { ask, begun, end } = openQueue();
    ask("a1", 3000);
    expect(begun()).toEqual(["a1"]);
    ask("a2", 3000);
    ask("b1");
    await end();
    expect(begun()).toEqual(["b1"]);
  });
});

describe("one of several places is kept for the small", () => {
  const kept = { atOnceMax: 3, largeMilliseconds: 100 } as const;

  test("whatever else waits", async () => {
    const { ask, begun, end } = openQueue(kept);
    for (let n = 0; n < 5; n++) ask(`large${n}`, 101);
    expect(begun()).toEqual(["large0", "large1"]);
    ask("small0", 100);
    ask("small1", 100);
    expect(begun()).toEqual(["small0"]);
    await end();
    expect(begun()).toEqual(["small1"]);
    await end();
    expect(begun()).toEqual(["large2"]);
  });

  test("and counts when it is worked out what is too much", async () => {
    const { ask, drain } = openQueue(kept);
    for (let n = 0; n < 100; n++) ask(`large${n}`, 200);
    expect((await drain()).length).toBe(2 + (2 * 3000) / 200);
  });

  test("but an only place is for all", async () => {
    const { ask, begun } = openQueue({ ...kept, atOnceMax: 1 });
    ask("large0", 101);
    expect(begun()).toEqual(["large0"]);
  });
});

describe("what several wait for", () => {
  test("goes with the client whose turn comes first", async () => {
    const { ask, drain } = openQueue();
    for (let n = 0; n < 10; n++) ask(`many${n}`);
    const shared = ask("many10");
    ask("many11");
    shared.waiters.join({ client: "late", gone: null });
    expect((await drain()).slice(0, 3)).toEqual(["many0", "many10", "many1"]);
  });

  test("is not put off by a client that has more in the queue", async () => {
    const { ask, drain } = openQueue();
    for (let n = 0; n < 10; n++) ask(`many${n}`);
    const late = ask("late1");
    late.waiters.join({ client: "many", gone: null });
    expect((await drain()).slice(0, 2)).toEqual(["many0", "late1"]);
  });

  test("is done for the one that is left", async () => {
    const { ask, drain } = openQueue();
    ask("a1");
    const shared = ask("a2");
    const other = new AbortController();
    shared.waiters.join({ client: "b", gone: other.signal });
    shared.leave();
    expect(await drain()).toEqual(["a1", "a2"]);
    expect(await shared.done).toBe("a2");
  });

  test("is dropped when all are gone", async () => {
    const { ask, drain } = openQueue();
    ask("a1");
    const shared = ask("a2");
    const other = new AbortController();
    shared.waiters.join({ client: "b", gone: other.signal });
    shared.leave();
    other.abort();
    expect(await drain()).toEqual(["a1"]);
    expect(shared.done).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});

describe("a network of many clients pays as four of them", () => {
  test("in turns: another client has one for each four of the network's", async () => {
    const { ask, askFromSite, drain } = openQueue();
    askFromSite(28);
    for (let n = 0; n < 5; n++) ask(`late${n}`);
    const order = await drain();
    const places = [0, 1, 2, 3, 4].map((n) => order.indexOf(`late${n}`));
    for (const [n, place] of places.entries()) expect(place).toBeLessThanOrEqual(5 * (n + 1));
  });

  test("in what is refused: a client that has less than a quarter of it loses nothing", async () => {
    const { ask, askFromSite, drain, refused } = openQueue();
    ask("a0");
    askFromSite(40);
    for (let n = 0; n < 6; n++) ask(`few${n}`);
    askFromSite(100);
    await drain();
    expect(refused.filter((name) => name.startsWith("few"))).toEqual([]);
  });

  test("but one that has more of it than the four loses as before", async () => {
    const { ask, askFromSite, drain, refused } = openQueue();
    ask("a0");
    askFromSite(4);
    for (let n = 0; n < 40; n++) ask(`many${n}`);
    await drain();
    expect(refused.filter((name) => name.startsWith("site"))).toEqual([]);
  });

  test("while its clients are few, each counts for itself", async () => {
    const { ask, drain } = openQueue();
    ask("first0");
    for (let n = 0; n < 3; n++) ask(`a${n}`, 100, "site/a", ["site"]);
    for (let n = 0; n < 3; n++) ask(`b${n}`, 100, "site/b", ["site"]);
    for (let n = 0; n < 3; n++) ask(`c${n}`);
    const order = (await drain()).slice(1).map((name) => name[0]);
    for (const from of [0, 3, 6]) expect(new Set(order.slice(from, from + 3)).size).toBe(3);
  });

  test("and those that have left count no more", async () => {
    const { ask, askFromSite, drain } = openQueue();
    const site = askFromSite(20);
    ask("a1");
    for (const { leave } of site.slice(1)) leave();
    ask("site20", 100, "site/20", ["site"]);
    ask("b1");
    expect(await drain()).toEqual(["site0", "a1", "site20", "b1"]);
  });
});

describe("a client that is gone", () => {
  test("gets no turn, and leaves its place to others", async () => {
    const { ask, drain } = openQueue();
    ask("a1");
    const gone = Array.from({ length: 20 }, (_, n) => ask(`gone${n}`));
    ask("b1");
    for (const one of gone) one.leave();
    expect(await drain()).toEqual(["a1", "b1"]);
    for (const { done } of gone) expect(done).rejects.toMatchObject({ name: "AbortError" });
  });

  test("before it asks gets no turn, though a place is free", async () => {
    const { queue, ask, begun } = openQueue({ atOnceMax: 2 });
    const { waiters, leave } = ask("a1");
    leave();
    const late = queue.run({ waiters, expectedMilliseconds: 1 }, () => "late");
    expect(late).rejects.toMatchObject({ name: "AbortError" });
    expect(begun()).toEqual(["a1"]);
  });

  test("while its work is done leaves it to its end", async () => {
    const { ask, drain } = openQueue();
    const { done, leave } = ask("a1");
    leave();
    await drain();
    expect(await done).toBe("a1");
  });
});

describe("too much is refused", () => {
  test("by the time that it would take", async () => {
    const { ask, drain, refused } = openQueue();
    ask("a0");
    for (let n = 1; n <= 40; n++) ask(`a${n}`);
    expect((await drain()).length).toBe(1 + 30);
    expect(refused.length).toBe(10);
  });

  test("by the time that the places together take", async () => {
    const { ask, drain } = openQueue({ atOnceMax: 2 });
    for (let n = 0; n < 100; n++) ask(`a${n}`);
    expect((await drain()).length).toBe(2 + 60);
  });

  test("by its number", async () => {
    const { ask, drain } = openQueue({ waitingMax: 5 });
    for (let n = 0; n < 10; n++) ask(`a${n}`, 1);
    expect((await drain()).length).toBe(1 + 5);
  });

  test("to the client that has most of it, which loses its last", async () => {
    const { ask, drain, refused } = openQueue();
    for (let n = 0; n <= 30; n++) ask(`many${n}`);
    ask("late1", 150);
    expect(await drain()).toContain("late1");
    expect(refused).toEqual(["many30", "many29"]);
  });

  test("but not what another client waits for as well", async () => {
    const { ask, drain, refused } = openQueue();
    for (let n = 0; n < 30; n++) ask(`many${n}`);
    ask("many30").waiters.join({ client: "other", gone: null });
    ask("late1");
    await drain();
    expect(refused).toEqual(["many29"]);
  });

  test("to the newcomer that would have most of it", async () => {
    const { ask, drain, refused } = openQueue();
    for (let n = 0; n <= 10; n++) ask(`few${n}`);
    ask("huge1", 2500);
    await drain();
    expect(refused).toEqual(["huge1"]);
  });

  test("but never what waits alone", async () => {
    const { ask, drain, refused } = openQueue();
    ask("a1");
    ask("a2", 60_000);
    expect(await drain()).toEqual(["a1", "a2"]);
    expect(refused).toEqual([]);
  });

  test("with a message, and with the seconds after which there is room", async () => {
    const { ask } = openQueue({ waitingMax: 3 });
    ask("a0");
    for (const name of ["a1", "a2", "a3"]) ask(name, 700);
    expect(ask("a4", 700).done).rejects.toMatchObject({
      name: "AppError",
      kind: "limited",
      message: "come back later",
      retryAfterSeconds: 3,
    });
  });

  test.each([
    ["twice as slow as expected", 200, 15],
    ["twice as fast", 50, 60],
    ["hundred times as slow, which others may be the cause of", 10_000, 7],
    ["hundred times as fast", 1, 99],
  ])("by what was measured, here %s", async (_, took, allowed) => {
    const { ask, end, drain, begun } = openQueue();
    for (let n = 0; n < 100; n++) {
      ask("before1");
      await end(took);
    }
    begun();
    ask("a0");
    for (let n = 1; n <= 200; n++) ask(`a${n}`);
    await drain();
    expect(begun().length - 1).toBeWithin(allowed - 1, allowed + 2);
  });
});

describe("a wait", () => {
  afterEach(() => void jest.useRealTimers());

  test("ends after ten seconds with a refusal, whatever holds it up", async () => {
    jest.useFakeTimers();
    const { ask, begun } = openQueue();
    ask("hangs1");
    const failures: unknown[] = [];
    ask("a1").done.catch((error: unknown) => failures.push(error));
    const after = async (milliseconds: number) => {
      jest.advanceTimersByTime(milliseconds);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return failures;
    };
    expect(await after(9_999)).toEqual([]);
    expect(await after(1)).toEqual([expect.objectContaining({ kind: "limited" })]);
    expect(begun()).toEqual(["hangs1"]);
  });

  test("leaves no timer behind", () => {
    jest.useFakeTimers();
    const { ask } = openQueue();
    ask("a1");
    const waiting = Array.from({ length: 5 }, (_, n) => ask(`b${n}`));
    for (const { leave } of waiting) leave();
    expect(jest.getTimerCount()).toBe(0);
  });
});
