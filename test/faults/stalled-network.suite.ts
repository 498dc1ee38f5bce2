/*
 * One node of two cannot use the database: it says so in time, nothing piles up in it, and the other one
 * notices nothing.
 */
import { describe, expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import {
  askMany,
  askOnAndOn,
  backMs,
  lostOf,
  openConnections,
  openFarNode,
  type FarNode,
} from "./far-node.ts";

if (postgresMissing !== null)
  console.error(`NOT RUN: a node that cannot use the database (${postgresMissing})`);

/**
 * Of a pool of ten places, a connection for jobs, one for the node and one that listens; others may be about
 * to end.
 */
const linksMax = 40;
const boundMs = 10_000;
const crowd = 200;
/** So many crowds ask while a trouble lasts, however long that is. */
const crowds = 60;

export type Trouble = {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly begin: (world: FarNode) => Promise<void>;
  readonly end: (world: FarNode) => Promise<void>;
  /** Whether no request can succeed meanwhile. */
  readonly isTotal: boolean;
};

const disconnect = ({ sql, user }: FarNode) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${user}`;
const limit = ({ sql, user }: FarNode, connections: number) =>
  sql.unsafe(`ALTER ROLE ${user} CONNECTION LIMIT ${connections}`);

const troubles: readonly Trouble[] = [
  {
    name: "its network to the database swallows all packets",
    begin: async ({ proxy }) => proxy.stall(),
    end: ({ proxy }) => proxy.heal(),
    isTotal: true,
  },
  {
    name: "its few connections are all in use",
    settings: { DATABASE_POOL_MAX: "2" },
    begin: async ({ proxy }) => proxy.slow(20),
    end: ({ proxy }) => proxy.heal(),
    isTotal: false,
  },
  {
    name: "the server has no connection left for it",
    begin: async (world) => {
      await limit(world, 0);
      await disconnect(world);
    },
    end: async (world) => void (await limit(world, -1)),
    isTotal: true,
  },
  {
    name: "the server has three connections for it",
    begin: async (world) => {
      await limit(world, 3);
      await disconnect(world);
    },
    end: async (world) => void (await limit(world, -1)),
    isTotal: false,
  },
];

/** `seconds`: how long each trouble lasts after the first crowd has its answers. */
export function stalledNetworkSuite({ names, seconds }: { names: RegExp; seconds: number }): void {
  const chosen = troubles.filter(({ name }) => names.test(name));
  describe.skipIf(postgresMissing !== null)("a node of two", () => {
    test.each(chosen.map((trouble) => [trouble.name, trouble] as const))(
      "when %s",
      (_, trouble) => endure(trouble, seconds),
      (seconds + 120) * 1000,
    );
  });
}

async function endure(trouble: Trouble, seconds: number): Promise<void> {
  await using world = await openFarNode(trouble.settings);
  const { far, near, member, neighbour, proxy } = world;
  expect(await askMany(far, member, 2)).toMatchObject({ statuses: { 200: 2 } });
  // A member keeps 10,000 skins at most.
  const others = askOnAndOn(near, neighbour, Math.max(20, (seconds * 1000) / 9000));
  // Some requests are under way when it begins.
  const underWay = askMany(far, member, 20);
  await trouble.begin(world);
  const told = [await askMany(far, member, crowd), await underWay];
  const end = performance.now() + seconds * 1000;
  let links = 0;
  while (performance.now() < end) {
    told.push(await askMany(far, member, crowd));
    links = Math.max(links, await openConnections(proxy));
    await Bun.sleep((seconds / crowds) * 1000);
  }
  await trouble.end(world);
  const back = await backMs(far, member);
  const other = await others.end();
  const slowestMs = told.map((one) => one.slowestMs);
  console.log(trouble.name, {
    statuses: told.map(({ statuses }) => statuses),
    slowestMs,
    links,
    back,
    other,
  });
  const [first, ...later] = told;
  // Of one member few uploads are taken at once; the others get 429, with or without a database.
  const allowed = new Set(["200", "429", "503"]);
  expect(told.flatMap(({ statuses }) => Object.keys(statuses)).filter((one) => !allowed.has(one))).toEqual(
    [],
  );
  if (trouble.isTotal) expect(first?.statuses[503]).toBeGreaterThanOrEqual(crowd / 2);
  if (trouble.isTotal) expect(later.slice(1).flatMap(({ statuses }) => statuses[200] ?? [])).toEqual([]);
  expect(Math.max(...slowestMs)).toBeLessThan(boundMs);
  if (!trouble.isTotal) expect(links).toBeGreaterThan(0);
  expect(links).toBeLessThan(linksMax);
  expect(back).toBeLessThan(boundMs);
  expect(other).toMatchObject({ refused: [] });
  expect(other.slowestMs).toBeLessThan(boundMs);
  expect(await lostOf(world, told)).toEqual([]);
}
