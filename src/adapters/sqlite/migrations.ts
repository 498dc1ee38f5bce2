import type { Database } from "bun:sqlite";
import { hashOfEntry, type ChainedEntry } from "../../domain/model/audit-chain.ts";
import { offlineUuid } from "../../domain/model/player-uuid.ts";
import { PlainError } from "../../kernel/errors.ts";
import { statements } from "./migrations/statements.ts";

export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** What SQL cannot do. It runs after the SQL, in the same transaction. */
  readonly finish?: (client: Database) => void;
};

const finishes: Readonly<Record<string, Migration["finish"]>> = {
  "0002_administration": chainOldEntries,
  "0011_offline_ids_and_shared_skins": writeOfflineUuids,
};

/**
 * Every migration, oldest first. `PRAGMA user_version` counts how many of them a database has seen, so the
 * order never changes and no entry is removed.
 */
export const migrations: readonly Migration[] = Object.entries(statements).map(([name, sql]) => {
  const finish = finishes[name];
  return finish === undefined ? { name, sql } : { name, sql, finish };
});

/** The migrations that a database has not seen. Fails with conflict when a newer program wrote it. */
export function pendingMigrations(
  client: Database,
  all: readonly Migration[] = migrations,
): readonly Migration[] {
  const seen = schemaVersion(client);
  if (seen > all.length) {
    throw new PlainError(
      "conflict",
      `The database was written by a newer version (schema ${seen}, this program knows ${all.length}): ` +
        `install that version again, or restore a backup`,
    );
  }
  return all.slice(seen);
}

/** Applies all pending migrations in one transaction. Of two processes at once, one applies them. */
export function applyMigrations(client: Database, all = migrations): readonly Migration[] {
  const pending = pendingMigrations(client, all);
  // Rebuilding a table needs the pragma off; SQLite ignores it inside a transaction.
  const isRebuilt = pending.some(({ sql }) => /\bDROP TABLE\b/i.test(sql));
  client.run(`PRAGMA foreign_keys = ${isRebuilt ? "OFF" : "ON"}`);
  client.run("PRAGMA busy_timeout = 10000");
  const applyAll = client.transaction(() => {
    for (const migration of pending) applyOne(client, migration, all.indexOf(migration) + 1);
    // Takes longer than most migrations: some 16 s for a million accounts.
    if (isRebuilt) refuseBrokenReferences(client);
  });
  applyAll.immediate();
  client.run("PRAGMA foreign_keys = ON");
  return pending;
}

function applyOne(client: Database, migration: Migration, number: number): void {
  if (schemaVersion(client) >= number) return;
  client.run(migration.sql);
  migration.finish?.(client);
  client.run(`PRAGMA user_version = ${number}`);
}

function refuseBrokenReferences(client: Database): void {
  const broken = client.query<{ table: string }, []>('SELECT DISTINCT "table" FROM pragma_foreign_key_check');
  const tables = broken.all().map(({ table }) => table);
  if (tables.length > 0) throw new Error(`Migrations would leave broken references in ${tables.join(", ")}`);
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
    "SELECT id, issuer AS actorName, action, for_account_id AS forAccountId, at, detail FROM audit_entries ORDER BY id",
  );
  const keep = client.query("UPDATE audit_entries SET previous_hash = ?, hash = ? WHERE id = ?");
  let previousHash = "";
  for (const row of rows.all()) {
    const hash = hashOfEntry({ ...row, ...version1, previousHash });
    keep.run(previousHash, hash, row.id);
    previousHash = hash;
  }
}

/** Rows that are in memory at once. */
const batchRows = 1_000;

/** SQLite has no MD5, of which these uuids are made. */
function writeOfflineUuids(client: Database): void {
  const page = client.query<{ id: number; name: string }, [number]>(
    `SELECT id, name FROM players WHERE id > ? ORDER BY id LIMIT ${batchRows}`,
  );
  const write = client.query("UPDATE players SET offline_uuid = ? WHERE id = ?");
  for (let after = 0; ;) {
    const rows = page.all(after);
    for (const { id, name } of rows) write.run(offlineUuid(name), id);
    if (rows.length < batchRows) return;
    after = rows.at(-1)?.id ?? after;
  }
}
