import type { Database } from "bun:sqlite";
import { inMemory, openHandle } from "./handle.ts";
import { schemaVersion } from "./migrate.ts";
import { migrations } from "./migrations.ts";

/** A table, index, trigger or view; `sql` is null for indices that SQLite makes by itself. */
type SchemaPart = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Faults that are told; more of them help nobody. */
const faultsMax = 20;
const nameLengthMax = 80;

/**
 * What in a database's schema is not what our migrations make of an empty one, up to its version: what was added, changed or
 * taken out. A trigger, say, would do whatever it likes at every change. Empty when all is as it should be.
 */
export function schemaFaults(database: Database): readonly string[] {
  const missing = new Map(ownSchema(schemaVersion(database)).map((part) => [keyOf(part), part]));
  const faults: string[] = [];
  for (const part of schemaOf(database)) {
    const own = missing.get(keyOf(part));
    // A second one of the same name is not ours either.
    missing.delete(keyOf(part));
    if (own === undefined) faults.push(`the ${labelOf(part)} is not part of it`);
    else if (plain(own.sql) !== plain(part.sql)) faults.push(`the ${labelOf(part)} was changed`);
  }
  for (const part of missing.values()) faults.push(`the ${labelOf(part)} is missing`);
  return faults.slice(0, faultsMax);
}

function ownSchema(version: number): readonly SchemaPart[] {
  using database = openHandle(inMemory);
  for (const { sql } of migrations.slice(0, Math.max(0, version))) database.run(sql);
  return schemaOf(database);
}

/** Without the statistics of ANALYZE, which only say how to look. */
function schemaOf(database: Database): readonly SchemaPart[] {
  return database
    .query<SchemaPart, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat[0-9]*'",
    )
    .all();
}

function keyOf({ type, name }: SchemaPart): string {
  return `${type} ${name}`;
}

/** The name may be somebody else's, so nothing of it may mean something to a terminal. */
function labelOf({ type, name }: SchemaPart): string {
  return `${type} ${JSON.stringify(name.slice(0, nameLengthMax).replaceAll(/[^ -~]/g, "?"))}`;
}

/** SQLite writes some statements anew when a table is changed, not always with the same quotes and blanks. */
function plain(sql: string | null): string | undefined {
  return sql?.replaceAll(/["`]/g, '"').replaceAll(/\s+/g, " ");
}
