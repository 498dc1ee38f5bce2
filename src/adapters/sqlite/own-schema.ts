import type { Database } from "bun:sqlite";
import { inMemory, openHandle } from "./handle.ts";
import { schemaVersion, migrations } from "./migrations.ts";

/** A table, index, trigger or view; `sql` is null for indices that SQLite makes by itself. */
type SchemaPart = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Faults that are reported; more would not help an operator. */
const faultsMax = 20;
const nameLengthMax = 80;

/**
 * How a database's schema differs from what our migrations, up to its version, make of an empty database:
 * parts that were added, changed or removed. A foreign trigger, for example, could do anything at every
 * change. Empty when nothing differs.
 */
export function schemaFaults(database: Database): readonly string[] {
  const missing = new Map(ownSchema(schemaVersion(database)).map((part) => [keyOf(part), part]));
  const faults: string[] = [];
  for (const part of schemaOf(database)) {
    const own = missing.get(keyOf(part));
    // A second part of the same name is not ours either.
    missing.delete(keyOf(part));
    if (own === undefined) faults.push(`the ${labelOf(part)} is not part of it`);
    else if (plain(own.sql) !== plain(part.sql)) faults.push(`the ${labelOf(part)} was changed`);
  }
  for (const part of missing.values()) faults.push(`the ${labelOf(part)} is missing`);
  return faults.slice(0, faultsMax);
}

/** The triggers that our migrations make. */
export function ownTriggers(): readonly { readonly name: string; readonly sql: string }[] {
  return ownSchema(migrations.length).flatMap(({ type, name, sql }) =>
    type === "trigger" && sql !== null ? [{ name, sql }] : [],
  );
}

function ownSchema(version: number): readonly SchemaPart[] {
  using database = openHandle(inMemory);
  for (const { sql } of migrations.slice(0, Math.max(0, version))) database.run(sql);
  return schemaOf(database);
}

/** Without the statistics of ANALYZE, which only guide the query planner. */
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

/** The name may be foreign, so no character of it may be a control character for a terminal. */
function labelOf({ type, name }: SchemaPart): string {
  return `${type} ${JSON.stringify(name.slice(0, nameLengthMax).replaceAll(/[^ -~]/g, "?"))}`;
}

/** SQLite rewrites some statements when a table changes, not always with the same quotes and blanks. */
function plain(sql: string | null): string | undefined {
  return sql?.replaceAll(/["`]/g, '"').replaceAll(/\s+/g, " ");
}
