import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { holdLease, leaseOf } from "../../src/adapters/postgres/cluster/lease.ts";
import { migrateSchema } from "../../src/adapters/postgres/migrate.ts";
import { openPool, type Pool } from "../../src/adapters/postgres/connections/pool.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { databaseLike } from "../support/postgres.ts";
import { notedDatabase } from "../support/noted-database.ts";

/** An empty community on PostgreSQL, with the connections of one node. */
export async function openNodeDatabase(): Promise<
  AsyncDisposable & { readonly pool: Pool; readonly url: string }
> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await databaseLike({ name: "cloakroom_nodes", fill: migrate }));
  const pool = opened.use(await poolOf(url));
  const closing = opened.move();
  return { pool, url, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

async function migrate(url: string): Promise<void> {
  await using pool = await poolOf(url);
  await using session = await openWorkSession(notedDatabase(url));
  await migrateSchema({
    session,
    hold: () => holdLease(leaseOf(pool.write, "migrations", "test")),
    say: () => undefined,
  });
}

async function poolOf(url: string): Promise<Pool> {
  const silent = { info: () => undefined, warn: () => undefined };
  const address = parseAddress(url);
  const pool = openPool({ address, requestSlots: 4, prepared: true, applicationName: "test", log: silent });
  await pool.start();
  return pool;
}
