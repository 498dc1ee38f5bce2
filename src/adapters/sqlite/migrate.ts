import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { translateFault } from "./faults.ts";
import { inMemory, openHandle } from "./handle.ts";
import { applyMigrations, pendingMigrations, type Migration } from "./migrations.ts";
import { openWriter } from "./open.ts";

/** What a migration did, or would do. */
export type MigrationReport = {
  /** Names of the migrations, oldest first. */
  readonly applied: readonly string[];
  /** The copy of the database as it was before; null when there was none or nothing to do. */
  readonly copy: string | null;
};

/** Brings the file up to date, keeping a copy beside it first. Creates it when there is none. */
export function migrateDatabase(path: string): MigrationReport {
  const existed = existsSync(path);
  const writer = openWriter(path);
  try {
    const [next] = pendingMigrations(writer);
    const copy = existed && next !== undefined ? keepCopy(writer, path, next.name) : null;
    const applied = applyKeeping(writer, copy);
    if (copy !== null) {
      removeDrafts(path);
      removeOldCopies(path);
    }
    return { applied: applied.map(({ name }) => name), copy };
  } finally {
    writer.close(true);
  }
}

/** What `migrateDatabase` would do. Changes nothing, not even the files beside the database. */
export function planMigration(path: string): MigrationReport {
  using database = existsSync(path) ? openHandle(path, { readonly: true }) : openHandle(inMemory);
  return { applied: pendingMigrations(database).map(({ name }) => name), copy: null };
}

/**
 * A failed migration leaves the database as it was. Its copy is deleted, because each try would leave another
 * one.
 */
function applyKeeping(client: Database, copy: string | null): readonly Migration[] {
  try {
    return applyMigrations(client);
  } catch (error) {
    if (copy !== null) rmSync(copy, { force: true });
    throw translateFault(error);
  }
}

/** Makes an online copy, complete even while another process writes. It gets its name once it is complete. */
function keepCopy(client: Database, path: string, before: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const copy = `${path}.before-${before}-${stamp}`;
  const draft = `${path}.copying-${stamp}`;
  // Programs that were killed meanwhile left theirs, each as large as the database.
  removeDrafts(path);
  removeOldCopies(path);
  try {
    client.query("VACUUM INTO ?").run(draft);
    renameSync(draft, copy);
  } catch (error) {
    for (const rest of [draft, `${draft}-journal`]) rmSync(rest, { force: true });
    throw translateFault(error);
  }
  return copy;
}

/** Another process may be writing one: that one changes all the time. */
const draftAgeMilliseconds = 10_000;

function removeDrafts(path: string): void {
  for (const name of filesBeside(path, ".copying-")) {
    const draft = join(dirname(path), name);
    const changed = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - changed > draftAgeMilliseconds) rmSync(draft, { force: true });
  }
}

/**
 * Copies that are kept, each as large as the database was: for the last upgrades. Backups serve for older
 * ones.
 */
const copiesMax = 3;

function removeOldCopies(path: string): void {
  const copies = filesBeside(path, ".before-");
  const oldest = copies.toSorted((one, other) => (stampOf(one) < stampOf(other) ? -1 : 1));
  for (const name of oldest.slice(0, -copiesMax)) rmSync(join(dirname(path), name));
}

function filesBeside(path: string, mark: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path) + mark));
}

/** Names of copies end with the time when they were made. */
function stampOf(name: string): string {
  return name.slice(-"2026-01-01T00-00-00-000Z".length);
}
