import { getTableColumns, sql } from "drizzle-orm";
import type { LinkedKind } from "../../domain/ports/import-store.ts";
import { insertionOfMany, valuesOf } from "./many-rows.ts";
import { importLinks } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { command } from "./statement.ts";

const columns = getTableColumns(importLinks);
const put = command(sql`
  ${insertionOfMany(importLinks, columns)}
  ON CONFLICT (source, kind, key) DO UPDATE SET local_id = excluded.local_id,
    digest = CASE WHEN excluded.digest = '' THEN import_links.digest ELSE excluded.digest END`);

/** What a record has become. Without a digest the link keeps the one that it has. */
export type LinkedRow = {
  readonly kind: LinkedKind;
  readonly key: string;
  readonly id: number;
  readonly digest?: string | undefined;
};

/** Remembers what records have become. */
export async function linkRows(db: Sender, source: string, rows: readonly LinkedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const byKey = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row]));
  const all = [...byKey.values()].map(({ kind, key, id, digest = "" }) => ({
    source,
    kind,
    key,
    localId: id,
    digest,
  }));
  await put(db, valuesOf(db, columns, all));
}
