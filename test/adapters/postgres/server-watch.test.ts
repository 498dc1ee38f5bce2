import { expect, test } from "bun:test";
import type { Choice } from "../../../src/adapters/postgres/connections/primary.ts";
import { ServerWatch } from "../../../src/adapters/postgres/connections/server-watch.ts";
import type { History } from "../../../src/adapters/postgres/connections/standing.ts";

const host = { host: "one", port: 5432 };
const at = (timeline: number): History => ({ system: "1", timeline, startedAt: String(timeline) });

type Find = ConstructorParameters<typeof ServerWatch>[0]["find"];

const choice = (history: History | null): Choice => ({
  host,
  standing: { isStandby: false, isReadOnly: false, history },
  rivals: [],
  unsure: [],
});

function openWatch(find: Find) {
  const counts = { left: 0 };
  const watch = new ServerWatch({
    find,
    leave: () => void (counts.left += 1),
    renew: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
  });
  return { watch, counts, [Symbol.dispose]: () => watch.close() };
}

test("another server behind the same address is found although one look did not say which it was", async () => {
  const histories: (History | null)[] = [at(1), null, at(2)];
  const news: string[] = [];
  using world = openWatch(() => Promise.resolve(choice(histories.shift() ?? null)));
  using _hearing = world.watch.onServer((one) => void news.push(one));
  await world.watch.look();
  await world.watch.look();
  expect([world.counts.left, news]).toEqual([0, ["same"]]);
  await world.watch.look();
  expect([world.counts.left, news]).toEqual([1, ["same", "other"]]);
});

test("suspicions that follow each other put the check of all servers off no further", async () => {
  const looks: string[] = [];
  using world = openWatch((haste) => {
    looks.push(haste);
    return Promise.resolve(choice(at(1)));
  });
  await world.watch.look();
  expect(looks).toEqual(["usual"]);
  while (!looks.includes("usual", 1)) {
    world.watch.suspect();
    await Bun.sleep(50);
  }
  expect(looks.at(1)).toBe("brief");
});
