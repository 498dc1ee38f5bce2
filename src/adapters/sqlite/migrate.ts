import type { Database } from "bun:sqlite";
import { AppError } from "../../kernel/errors.ts";
import { migrations, type Migration } from "./migrations.ts";

/** The migrations that a database has not seen. Fails with conflict when a newer program wrote it. */
export function pendingMigrations(client: Database): readonly Migration[] {
  const seen = schemaVersion(client);
  if (seen > migrations.length) {
    throw new AppError(
      "conflict",
      `The database was written by a newer version (schema ${seen}, this program knows ${migrations.length}): ` +
        `install that version again, or restore a backup`,
    );
  }
  return migrations.slice(seen);
}

/** Applies what is pending, all of it in one transaction: it is as it was or up to date. Two processes at once do it once. */
export function applyMigrations(client: Database): readonly Migration[] {
  const pending = pendingMigrations(client);
  // SQLite ignores this pragma inside a transaction, and rebuilding a table needs it off.
  client.run("PRAGMA foreign_keys = OFF");
  client.run("PRAGMA busy_timeout = 10000");
  const applyAll = client.transaction(() => pending.forEach((migration) => applyOne(client, migration)));
  applyAll.immediate();
  client.run("PRAGMA foreign_keys = ON");
  return pending;
}

function applyOne(client: Database, migration: Migration): void {
  const number = migrations.indexOf(migration) + 1;
  if (schemaVersion(client) >= number) return;
  client.run(migration.sql);
  migration.finish?.(client);
  const broken = client.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0) throw new Error(`Migration ${migration.name} would leave broken references`);
  client.run(`PRAGMA user_version = ${number}`);
}

/** How many migrations it has seen, by what it says. */
export function schemaVersion(client: Database): number {
  const row = client.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}
