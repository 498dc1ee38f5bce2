import { parseAddress, type PostgresAddress } from "../../../src/adapters/postgres/connections/address.ts";
import { openPool, type Pool } from "../../../src/adapters/postgres/connections/pool.ts";
import type { Sender } from "../../../src/adapters/sql/sender.ts";
import { createTransactions, type Transactions } from "../../../src/adapters/postgres/transact.ts";
import type { Rerun } from "../../../src/domain/ports/engine.ts";
import type { Atomically, Stores } from "../../../src/domain/ports/stores.ts";
import { openPostgresProxy, type PostgresProxy } from "../../support/postgres-proxy.ts";
import { emptyDatabase } from "../../support/postgres.ts";

/**
 * A pool before a database that holds a table of counters, with a network between that fails when a test
 * wants it to.
 */
export type PoolWorld = AsyncDisposable & {
  readonly pool: Pool;
  readonly proxy: PostgresProxy;
  readonly lines: readonly string[];
  readonly transactions: Transactions;
  /** A transaction whose work has a sender for stores. */
  readonly run: <T>(work: (db: Sender) => Promise<T>) => Promise<T>;
};

export async function openPoolWorld(
  given: {
    readonly requestSlots?: number;
    readonly prepared?: boolean;
    readonly rerun?: Rerun;
    /** Of an empty database; left out: of one behind the proxy that goes with the world. */
    readonly address?: PostgresAddress;
  } = {},
): Promise<PoolWorld> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await emptyDatabase());
  const proxy = opened.use(await openPostgresProxy(url));
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const pool = opened.use(
    openPool({
      address: given.address ?? parseAddress(proxy.url),
      requestSlots: given.requestSlots ?? 4,
      prepared: given.prepared ?? true,
      applicationName: "test",
      log: { info: note, warn: note },
    }),
  );
  await pool.start();
  await pool.write.send("CREATE TABLE counters (name text PRIMARY KEY, value bigint NOT NULL)", []);
  await pool.write.send("INSERT INTO counters VALUES ('one', 0), ('other', 0)", []);
  const transactions = createTransactions({ pool, makePlace, rerun: given.rerun });
  const closing = opened.move();
  return {
    pool,
    proxy,
    lines,
    transactions,
    run: runner(transactions.inLane("requests")),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Works whose stores are a sender. */
export function runner(atomically: Atomically): PoolWorld["run"] {
  return (work) => atomically((stores) => work(senderOf(stores)));
}

/** What this world's places have for stores. */
export function senderOf(stores: Stores): Sender {
  return stores as unknown as Sender;
}

function makePlace(sender: Sender) {
  return {
    stores: sender as unknown as Stores,
    begin: () => undefined,
    write: () => Promise.resolve(),
    committed: () => undefined,
    isAudited: () => false,
    awaitTurn: () => Promise.resolve(),
  };
}

export async function valueOf(db: Sender, name = "one"): Promise<number> {
  const [row] = await db.send("SELECT value FROM counters WHERE name = $1", [name]);
  return Number(row?.[0]);
}

/** Reads, and then writes: what a use case does. */
export async function increment(db: Sender, name = "one"): Promise<number> {
  const next = (await valueOf(db, name)) + 1;
  await db.send("UPDATE counters SET value = $2 WHERE name = $1", [name, next]);
  return next;
}

/** Ends every connection of the pool but its own. */
export async function endConnections({ pool }: Pick<PoolWorld, "pool">): Promise<void> {
  const text = `
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'test' AND pid <> pg_backend_pid()`;
  await pool.node.send(text, []);
}
