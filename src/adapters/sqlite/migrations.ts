import type { Database } from "bun:sqlite";
import { hashOfEntry, type ChainedEntry } from "../../domain/model/audit-chain.ts";
import { AppError } from "../../kernel/errors.ts";
import { statements } from "./migrations/statements.ts";

export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** What SQL cannot do. It runs after the SQL, in the same transaction. */
  readonly finish?: (client: Database) => void;
};

const finishes: Readonly<Record<string, Migration["finish"]>> = {
  "0002_administration": chainOldEntries,
};

/**
 * Every migration, oldest first. `PRAGMA user_version` counts how many of them a database has seen, so the order never changes
 * and no entry is removed.
 */
export const migrations: readonly Migration[] = Object.entries(statements).map(([name, sql]) => {
  const finish = finishes[name];
  return finish === undefined ? { name, sql } : { name, sql, finish };
});

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

/** Applies all pending migrations in one transaction. Of two processes at once, one applies them. */
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

/** How many migrations the database says it has seen. */
export function schemaVersion(client: Database): number {
  const row = client.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}

type OldEntry = Omit<ChainedEntry, "hash" | "previousHash" | keyof typeof version1>;

const version1 = { version: 1, actorAccountId: null, actorVia: null } as const;

/** Chains the audit entries that are older than the chain. */
export function chainOldEntries(client: Database): void {
  const rows = client.query<OldEntry, []>(
    "SELECT id, issuer, action, for_account_id AS forAccountId, at, detail FROM audit_entries ORDER BY id",
  );
  const keep = client.query("UPDATE audit_entries SET previous_hash = ?, hash = ? WHERE id = ?");
  let previousHash = "";
  for (const row of rows.all()) {
    const hash = hashOfEntry({ ...row, ...version1, previousHash });
    keep.run(previousHash, hash, row.id);
    previousHash = hash;
  }
}
