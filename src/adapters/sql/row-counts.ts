import { sql } from "drizzle-orm";
import { spell } from "./dialect.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** What is counted in `row_counts`: SQLite counts a million rows slower than it reads a page of them. */
export type Counted = "accounts" | "accounts_unconfirmed" | "skins" | "capes" | "audit_entries";

const name = sql.placeholder("name");
/** What PostgreSQL's leader has not added to the counts yet. */
const deltas = sql`coalesce((SELECT sum(delta) FROM count_deltas WHERE name = ${name}), 0)`;
const rowsOf = statement(
  sql`
    SELECT coalesce((SELECT rows FROM row_counts WHERE name = ${name}), 0)
      + ${spell({ postgres: deltas, sqlite: sql`0` })}`,
  { rows: Number },
);

/** How many rows the long tables have. */
export async function countRows(db: Sender, name: Counted): Promise<number> {
  return first(await rowsOf(db, { name }))?.rows ?? 0;
}
