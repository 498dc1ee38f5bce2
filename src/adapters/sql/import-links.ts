import { getTableColumns, sql } from "drizzle-orm";
import type { LinkedKind } from "../../domain/ports/import-store.ts";
import { cellsFor, insertionOfMany } from "./many-rows.ts";
import { importLinks } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { command } from "./statement.ts";

const columns = getTableColumns(importLinks);
const put = command(sql`
  ${insertionOfMany(importLinks, columns)}
  ON CONFLICT (source, kind, key) DO UPDATE SET local_id = excluded.local_id,
    digest = CASE WHEN excluded.digest = '' THEN import_links.digest ELSE excluded.digest END`);

type Links = {
  readonly source: string;
  readonly kind: LinkedKind;
  readonly rows: readonly LinkedRow[];
};

/** Without a digest the link keeps the one that it has. */
type LinkedRow = readonly [key: string, id: number, digest?: string | undefined];

/** Remembers what records have become. */
export async function linkRows(db: Sender, { source, kind, rows }: Links): Promise<void> {
  if (rows.length === 0) return;
  const byKey = new Map(rows.map((row) => [row[0], row]));
  const all = [...byKey.values()].map(([key, localId, digest = ""]) => ({
    source,
    kind,
    key,
    localId,
    digest,
  }));
  await put(db, { rows: cellsFor(columns, all) });
}
