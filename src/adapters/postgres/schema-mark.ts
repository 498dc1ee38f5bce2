/** How far the schema of a database is, and whether it is ours. */
import { PlainError } from "../../kernel/errors.ts";
import { readMark } from "./cluster/marks.ts";
import { migrations } from "./migrations.ts";
import type { Sender } from "../sql/sender.ts";

/** Migrations that are complete, and how many statements of the next one have run. */
export type SchemaPosition = { readonly complete: number; readonly statements: number };

/** The tables that are made first: the mark of the schema needs one, the lease of migrations the other. */
export const firstTables: readonly string[] = ["marks", "leases"];

/** A newer release may have changed the schema by one migration, which this one ignores. */
const newerMax = 1;

/**
 * How far the database is; null: it holds nothing yet. Fails with conflict for a database that is not
 * cloakroom's.
 */
export async function readPosition(sender: Sender): Promise<SchemaPosition | null> {
  await refuseShards(sender);
  await refuseEncoding(sender);
  const tables = await listTables(sender);
  const mark = tables.includes("marks") ? await readSchemaMark(sender) : null;
  if (mark !== null) return mark;
  const foreign = tables.find((name) => !firstTables.includes(name));
  if (foreign === undefined) return null;
  throw new PlainError(
    "conflict",
    `the database holds tables that are not cloakroom's (${JSON.stringify(foreign.slice(0, 80))}): give it a database of its own`,
  );
}

/** Fails with conflict where the schema is newer than the one that this program runs with. */
export function refuseNewer({ complete }: SchemaPosition, own = migrations.length): void {
  if (complete <= own + newerMax) return;
  throw new PlainError(
    "conflict",
    `the database was written by a newer version (schema ${complete}, this program knows ${own}): install that version`,
  );
}

/** The same for a node that runs: others may have migrated while its network was cut. */
export async function refuseNewerMark(sender: Sender): Promise<void> {
  const position = await readSchemaMark(sender);
  if (position !== null) refuseNewer(position);
}

/** What the mark holds. */
export function positionText({ complete, statements }: SchemaPosition): string {
  return `${complete}+${statements}`;
}

async function readSchemaMark(sender: Sender): Promise<SchemaPosition | null> {
  const text = await readMark(sender, "schema");
  if (text === null) return null;
  const [, complete, statements] = /^(\d{1,6})\+(\d{1,6})$/.exec(text) ?? [];
  if (complete === undefined)
    throw new PlainError("conflict", "the database's mark of its schema was changed");
  return { complete: Number(complete), statements: Number(statements) };
}

/**
 * Tables, views and sequences of the schema that names are looked up in first, without those of extensions.
 */
async function listTables(sender: Sender): Promise<readonly string[]> {
  const rows = await sender.send(
    `SELECT relname::text FROM pg_class c WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
       AND relkind IN ('r', 'p', 'v', 'm', 'f')
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY relname`,
    [],
  );
  return rows.map(([name]) => String(name));
}

/** Citus has no SERIALIZABLE across shards, and our rules span accounts. */
async function refuseShards(sender: Sender): Promise<void> {
  const [found] = await sender.send("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL", []);
  if (found?.[0] !== true) return;
  const [shards] = await sender.send("SELECT count(*) FROM pg_catalog.pg_dist_partition", []);
  if (Number(shards?.[0]) === 0) return;
  throw new PlainError(
    "conflict",
    "the database spreads tables over shards (Citus): cloakroom's rules need one that does not",
  );
}

/**
 * In encodings of one language a name of another one would be a fault at each use. SQL_ASCII keeps bytes as
 * they come, which are UTF-8 here.
 */
async function refuseEncoding(sender: Sender): Promise<void> {
  const [[encoding] = []] = await sender.send("SELECT current_setting('server_encoding')", []);
  if (encoding === "UTF8" || encoding === "SQL_ASCII") return;
  throw new PlainError(
    "conflict",
    `the database cannot hold all letters (its encoding is ${String(encoding)}): make it with ENCODING UTF8`,
  );
}
