import { parseAddress } from "../../src/adapters/postgres/address.ts";
import { holdLease, leaseOf } from "../../src/adapters/postgres/lease.ts";
import { migrateSchema } from "../../src/adapters/postgres/migrate.ts";
import { openPool, type Pool } from "../../src/adapters/postgres/pool.ts";
import { databaseLike } from "../support/postgres.ts";

/** An empty community on PostgreSQL, with the connections of one node. */
export async function openNodeDatabase(): Promise<
  AsyncDisposable & { readonly pool: Pool; readonly url: string }
> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await databaseLike({ name: "cloakroom_nodes", fill: migrate }));
  const pool = opened.use(poolOf(url));
  const closing = opened.move();
  return { pool, url, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

async function migrate(url: string): Promise<void> {
  await using pool = poolOf(url);
  await pool.transaction("background", (session) =>
    migrateSchema({
      session,
      hold: () => holdLease(leaseOf(pool.write, "migrations", "test")),
      say: () => undefined,
    }),
  );
}

function poolOf(url: string): Pool {
  const { hosts, user, password, database } = parseAddress(url);
  const { host = "", port = 0 } = hosts[0] ?? {};
  return openPool({
    host,
    port,
    user,
    password: password() ?? "",
    database,
    tls: false,
    prepared: true,
    settings: {},
    connectSeconds: 5,
    requestSlots: 4,
  });
}
