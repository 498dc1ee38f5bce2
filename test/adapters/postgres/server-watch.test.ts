import { expect, test } from "bun:test";
import type { Choice } from "../../../src/adapters/postgres/primary.ts";
import { ServerWatch } from "../../../src/adapters/postgres/server-watch.ts";
import type { History } from "../../../src/adapters/postgres/standing.ts";

const host = { host: "one", port: 5432 };
const at = (timeline: number): History => ({ system: "1", timeline, startedAt: String(timeline) });

test("another server behind the same address is found although one look did not say which it was", async () => {
  const histories: (History | null)[] = [at(1), null, at(2)];
  let left = 0;
  const news: string[] = [];
  const watch = new ServerWatch({
    find: (): Promise<Choice> => {
      const history = histories.shift() ?? null;
      const standing = { isStandby: false, isReadOnly: false, history };
      return Promise.resolve({ host, standing, rivals: [], unsure: [] });
    },
    leave: () => void (left += 1),
    renew: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
  });
  using _closing = { [Symbol.dispose]: () => watch.close() };
  using _hearing = watch.onServer((one) => void news.push(one));
  await watch.look();
  await watch.look();
  expect([left, news]).toEqual([0, ["same"]]);
  await watch.look();
  expect([left, news]).toEqual([1, ["same", "other"]]);
});
