import { getTableColumns, sql } from "drizzle-orm";
import type { LinkedKind } from "../../domain/ports/import-store.ts";
import { cellsFor, insertionOfMany } from "./many-rows.ts";
import { importLinks } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { command } from "./statement.ts";

const columns = getTableColumns(importLinks);
const put = command(sql`
  ${insertionOfMany(importLinks, columns)}
  ON CONFLICT (source, kind, key) DO UPDATE SET local_id = excluded.local_id`);

type Links = {
  readonly source: string;
  readonly kind: LinkedKind;
  readonly rows: readonly (readonly [key: string, id: number])[];
};

/** Remembers what records have become. */
export async function linkRows(db: Sender, { source, kind, rows }: Links): Promise<void> {
  if (rows.length === 0) return;
  const all = [...new Map(rows)].map(([key, localId]) => ({ source, kind, key, localId }));
  await put(db, { rows: cellsFor(columns, all) });
}
