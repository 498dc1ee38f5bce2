import type { ServerAddress } from "./address.ts";
import type { SourceDatabase, SourceRow, TableQuery } from "./database.ts";
import { type Ask, openServerDatabase, type ServerWords } from "./server-database.ts";
import { quoted, selection, usualPageRows } from "./statements.ts";

const words: ServerWords = {
  begin: [
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL datestyle = 'ISO'",
    // The moment that is shown is that of the first statement that reads.
    "SELECT 1 FROM pg_catalog.pg_class LIMIT 1",
  ],
  tables:
    "SELECT relname::text AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace" +
    " WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.pg_table_is_visible(c.oid)" +
    " AND nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY relname LIMIT 10000",
  columns: (table) => [
    "SELECT attname::text AS name, atttypid::regtype::text AS type FROM pg_catalog.pg_attribute" +
      " WHERE attrelid = pg_catalog.to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    [quoted("postgres", table)],
  ],
  pages: pagesOfCursor(),
  value: (index) => `$${index + 1}`,
};

/** Opens a database of PostgreSQL. */
export function openPostgresDatabase(address: ServerAddress): Promise<SourceDatabase> {
  return openServerDatabase(address, words);
}

/** Pages of a cursor: the server sorts once, if it has to, and doubles of the key are no matter. */
function pagesOfCursor(): ServerWords["pages"] {
  let cursors = 0;
  return async function* (ask: Ask, query: TableQuery): AsyncGenerator<readonly SourceRow[]> {
    const { key, pageRows = usualPageRows } = query;
    cursors += 1;
    const name = `source_pages_${cursors}`;
    const rows = `${selection("postgres", query)} ORDER BY ${quoted("postgres", query.table)}.${quoted("postgres", key)}`;
    await ask(`DECLARE ${name} NO SCROLL CURSOR FOR ${rows}`);
    for (;;) {
      const page = await ask(`FETCH FORWARD ${pageRows} FROM ${name}`);
      if (page.length > 0) yield page;
      if (page.length < pageRows) break;
    }
    await ask(`CLOSE ${name}`);
  };
}
