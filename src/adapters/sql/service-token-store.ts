import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { ServiceTokenReads, ServiceTokenStore } from "../../domain/ports/service-token-store.ts";
import { rowsIn } from "./dialect.ts";
import { serviceTokens } from "./schema/access.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, listed, mayBeKept, statement } from "./statement.ts";

const columns = getTableColumns(serviceTokens);
const { id: _, lastUsedAt: __, ...given } = columns;

const list = statement(build.select(columns).from(serviceTokens).orderBy(asc(serviceTokens.id)), columns);
const insert = statement(sql`${insertion(serviceTokens, given)} RETURNING ${listed(columns)}`, columns);
const use = command(sql`
  UPDATE service_tokens SET last_used_at = used.at
  FROM (
    SELECT CAST(value ->> 0 AS bigint) AS id, CAST(value ->> 1 AS bigint) AS at
    FROM ${rowsIn(sql.placeholder("uses"))}) AS used
  WHERE service_tokens.id = used.id AND used.at > coalesce(service_tokens.last_used_at, 0)`);
const remove = statement(
  sql`DELETE FROM ${serviceTokens} WHERE ${eq(serviceTokens.name, sql.placeholder("name"))} RETURNING ${listed(columns)}`,
  columns,
);

export function serviceTokenReads(db: Sender): ServiceTokenReads {
  return { listTokens: () => list(db) };
}

export function serviceTokenStore(db: Sender): ServiceTokenStore {
  return {
    ...serviceTokenReads(db),
    insertToken: async (token) => {
      const row = first(await insert(db, token));
      if (row === null) throw new Error("An inserted service token was not returned");
      return row;
    },
    setLastUsed: async (uses) => {
      if (uses.size > 0) await use(db, { uses: [...uses] });
    },
    deleteToken: async (name) => (mayBeKept(name) ? first(await remove(db, { name })) : null),
  };
}
