import { describe, expect, test } from "bun:test";
import { createPictures, type PictureRequest } from "../../src/domain/textures/pictures.ts";
import { BoundedMap } from "../../src/kernel/bounded-map.ts";
import { SharedRuns } from "../../src/kernel/shared-runs.ts";
import type { Waiter, Waiters } from "../../src/kernel/waiters.ts";

type Get = (waiter: Waiter) => Promise<unknown>;

/** What shares its runs. */
const shared: Readonly<Record<string, () => Get>> = {
  results: () => {
    const runs = new SharedRuns(new BoundedMap<string, string>(10));
    const work = openWork();
    return (waiter) => runs.get("key", waiter, work);
  },
  pictures: () => {
    const work = openWork();
    const render = async (_: unknown, waiters: Waiters) => Buffer.from(await work(waiters));
    const pictures = createPictures({ blobs: { read: async () => null }, cacheBytes: 1_000_000, render });
    return async (waiter) => (await pictures.picture(head, waiter)).text();
  },
};

const head: PictureRequest = {
  view: "head",
  type: "skin",
  size: 100,
  skin: {
    model: "classic",
    file: { png: new Uint8Array(), digest: "0".repeat(64), width: 64, height: 64 },
  },
};

describe.each(Object.entries(shared))("%s", (_, open) => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "a request that comes %d microtasks after the last one left gets an answer",
    async (ticks) => {
      const get = open();
      const leaving = new AbortController();
      const left = get({ client: "a", gone: leaving.signal }).catch((error: unknown) => error);
      leaving.abort();
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      expect(await get({ client: "b", gone: null })).toBe("made");
      expect(await left).toMatchObject({ name: "AbortError" });
    },
  );
});

/** The first run lasts until all of its waiters are gone, and then fails; the others make something. */
function openWork() {
  let runs = 0;
  return async ({ allGone }: Waiters): Promise<string> => {
    runs += 1;
    if (runs > 1) return "made";
    const { promise, reject } = Promise.withResolvers<string>();
    allGone.addEventListener("abort", () => reject(allGone.reason as Error));
    return promise;
  };
}
