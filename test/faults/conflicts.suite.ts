/*
 * Every statement fails in turn, and every way in which a COMMIT can be lost: a write is done once, or
 * refused.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openNodes, type NodeProcess } from "../nodes/node-processes.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import type { Link } from "../support/fault-proxy.ts";
import { openPostgresProxy, type OnStatement, type PostgresProxy } from "../support/postgres-proxy.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openPostOffice } from "./post-office.ts";
import { settingsWith } from "./written-nodes.ts";
import { doOnce, makeMember, writesOf, type Outcome, type Write } from "./written-once.ts";

if (postgresMissing !== null) console.error(`NOT RUN: statements that fail (${postgresMissing})`);

const isCommit = (text: string) => /^commit\b/i.test(text);
const conflict = { sqlState: "40001" } as const;
/**
 * So often a work that meets others runs at least, and at most, before it is given up: the time for it may
 * end before.
 */
const runs = { least: 10, most: 30 } as const;
/** After this a request has its answer, whatever fails. */
const boundMs = 10_000;
const succeeded = new Set([200, 204]);

/**
 * Leaves out the transactions in which a node keeps when sessions were last used, which it does by itself now
 * and then.
 */
function besidesUpkeep(choose: OnStatement): OnStatement {
  const upkeep = new WeakSet<Link>();
  return (text, link) => {
    if (/^begin\b/i.test(text)) upkeep.delete(link);
    else if (/^\s*update sessions set last_used_at\b/i.test(text)) upkeep.add(link);
    return upkeep.has(link) ? null : choose(text, link);
  };
}

/** The short form lets COMMIT fail alone, and leaves out what takes seconds for each write. */
export function conflictSuite(form: "short" | "long"): void {
  describe.skipIf(postgresMissing !== null)("on a node whose statements fail", () => suite(form === "long"));
}

function suite(isLong: boolean): void {
  let stack: AsyncDisposableStack;
  let proxy: PostgresProxy;
  let node: NodeProcess;
  let sql: SQL;
  let writes: readonly Write[];
  let number = 1;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const office = stack.use(await openPostOffice(Math.random));
    const { url } = stack.use(await lentDatabase());
    proxy = stack.use(await openPostgresProxy(url));
    sql = stack.use(new SQL({ url, max: 1 }));
    const settings = { ...settingsWith(office), RATE_LIMIT_FACTOR: "10", WARDROBE_MAX: "1000" };
    const nodes = stack.use(await openNodes(url));
    // The other one leads, so that the jobs of the leader are not among the statements.
    await nodes.start("leader", settings);
    node = await nodes.start("far", { ...settings, DATABASE_URL: proxy.url });
    const [keeper, member] = [
      await makeMember(nodes, node, "Keeper"),
      await makeMember(nodes, node, "Member"),
    ];
    writes = writesOf(keeper, member);
  }, 60_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  const during = (choose: OnStatement) => () => {
    proxy.onStatement(besidesUpkeep(choose));
    return { [Symbol.dispose]: () => proxy.onStatement(() => null) };
  };
  const ask = (write: Write, choose: OnStatement): Promise<Outcome> =>
    doOnce(write, number++, { sql, node, whileAsked: during(choose) });
  const textsOf = async (write: Write): Promise<readonly string[]> => {
    const texts = new Set<string>();
    const outcome = await ask(write, (text) => {
      texts.add(text);
      return null;
    });
    expect(outcome).toMatchObject({ done: 1 });
    return [...texts].filter((text) => isLong || isCommit(text));
  };

  test("with a conflict once, at each in turn: every write is done once", async () => {
    for (const write of writes) {
      const texts = await textsOf(write);
      expect(texts.filter(isCommit)).toHaveLength(1);
      for (const failing of texts) {
        let hasFailed = false;
        const { status, done } = await ask(write, (text) => {
          if (hasFailed || text !== failing) return null;
          hasFailed = true;
          return conflict;
        });
        expect([write.name, failing, succeeded.has(status), done]).toEqual([write.name, failing, true, 1]);
      }
    }
  }, 120_000);

  test.skipIf(!isLong)(
    "with a conflict each time, at each in turn: every write is done once or refused with 503 after many runs",
    async () => {
      for (const write of writes) {
        for (const failing of await textsOf(write)) {
          let fails = 0;
          const { status, done, ms } = await ask(write, (text) => {
            if (text !== failing) return null;
            fails += 1;
            return conflict;
          });
          const isDone = succeeded.has(status);
          expect([write.name, failing, isDone ? 200 : status, done]).toEqual([
            write.name,
            failing,
            isDone ? 200 : 503,
            isDone ? 1 : 0,
          ]);
          expect(ms).toBeLessThan(boundMs);
          if (!isCommit(failing)) continue;
          expect(status).toBe(503);
          // Works that are audited wait for each other, so they run as often as their time allows.
          expect(fails).toBeGreaterThanOrEqual(runs.least);
          if (write.name !== "an audited change") expect(fails).toBeLessThanOrEqual(runs.most);
        }
      }
    },
    300_000,
  );

  const losses = [
    ["resets before the server has it", "reset", 0],
    ["resets instead of the answer", "loseAnswer", 1],
    ["swallows the answer", "stallAnswer", 1],
  ] as const;
  test.each(losses.slice(0, isLong ? 3 : 2))(
    "whose network %s at COMMIT: 503, not said to be done, and not done again",
    async (_, fault, done) => {
      for (const write of writes) {
        let commits = 0;
        const outcome = await ask(write, (text) => {
          if (!isCommit(text)) return null;
          commits += 1;
          return commits === 1 ? fault : null;
        });
        expect([write.name, outcome.status, outcome.done, commits]).toEqual([write.name, 503, done, 1]);
        expect(outcome.ms).toBeLessThan(boundMs);
        // What was lost is not felt by the next one.
        expect(await ask(write, () => null)).toMatchObject({ done: 1 });
      }
    },
    120_000,
  );
}
