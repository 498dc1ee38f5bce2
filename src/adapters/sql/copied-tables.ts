/** The tables that are copied from one engine to the other, as both have them. */
import { is } from "drizzle-orm";
import { getTableConfig, PgTable, type PgColumn } from "drizzle-orm/pg-core";
import { copiedTables } from "../../domain/model/copied-tables.ts";
import type { CopiedTable } from "../../domain/ports/table-copy.ts";
import * as access from "./schema/access.ts";
import * as member from "./schema/member.ts";
import * as record from "./schema/record.ts";

const all = [...Object.values(member), ...Object.values(access), ...Object.values(record)];
const configs = new Map(
  all.flatMap((table) => (is(table, PgTable) ? [[getTableConfig(table).name, getTableConfig(table)]] : [])),
);

export const described: readonly CopiedTable[] = copiedTables.map((name) => {
  const config = configs.get(name);
  if (config === undefined) throw new Error(`there is no table ${name}`);
  const columns = config.columns
    .map((column) => ({ name: column.name, kind: kindOf(column) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const keys = config.primaryKeys[0]?.columns ?? config.columns.filter(({ primary }) => primary);
  return { name, columns, key: keys.map((key) => columns.findIndex((column) => column.name === key.name)) };
});

function kindOf(column: PgColumn): "number" | "flag" | "text" {
  const type = column.getSQLType();
  if (type === "boolean") return "flag";
  return type === "bigint" ? "number" : "text";
}
