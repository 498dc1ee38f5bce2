import { SQLiteError, type Database } from "bun:sqlite";
import type { ProviderIssuer } from "../../domain/model/identity.ts";
import type { HashCount } from "../../domain/ports/hash-reads.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import { databaseFaults, textureCells } from "./database-copy.ts";
import { isBusy } from "./faults.ts";
import { openHandle } from "./handle.ts";
import { schemaVersion, migrations } from "./migrations.ts";
import { schemaFaults } from "./own-schema.ts";
import { readPlace } from "./place-mark.ts";

/** Read-only checks of a live database. */
export type Inspection = Disposable & {
  /** Migrations that the database has not seen; negative when a newer program wrote it. */
  readonly pending: number;
  /**
   * Whether another process holds the write lock for `lockSeconds`, for which this waits. Releases the lock
   * at once.
   */
  isLocked(): boolean;
  /** The findings of a quick check, which reads the whole file once. */
  faults(): readonly string[];
  /** See `schemaFaults` in `own-schema.ts`; not for a database that a newer program wrote. */
  schemaFaults(): readonly string[];
  /** When the newest row was written, in Unix seconds; null for an empty database. */
  newestAt(): number | null;
  /** When the waiting mail that is due first became due, in Unix seconds; null when no mail waits. */
  oldestDue(): number | null;
  countFailedMails(): number;
  /** How many password hashes that were not made today's way begin alike, as `HashReads` counts them. */
  countOtherHashes(): readonly Omit<HashCount, "last">[];
  /** By provider and issuer, the largest count first, 50 at most. */
  countIdentities(): readonly IdentityCount[];
  /**
   * Players that wear a cape of their own that their account was not granted: how many, and the name of one.
   */
  ungrantedCapes(): { readonly players: number; readonly name: string | null };
  /** The community's id. */
  community(): string;
  /** The id of the place of its textures. */
  place(): string | null;
  /** Whether there are sessions or codes, which only the JWT secret that made them can check. */
  needsSecret(): boolean;
  /** Whether a webhook was delivered to an address that is still set. It was signed. */
  hasDelivered(): boolean;
  countTextures(): number;
  /** Rows of textures in random order, each once, `most` at most. Reads all of them. */
  shuffledTextures(most: number): readonly TextureRow[];
  /** The first texture whose hash is not before this text. */
  textureFrom(hash: string): TextureRow | null;
};

/** How many accounts are linked to people of one issuer of one provider. */
export type IdentityCount = ProviderIssuer & { readonly identities: number };

/** No server or command of ours holds the write lock for longer. */
export const lockSeconds = 3;

/** Opens a database that other processes may be using. Null when the file is no database. */
export function inspectDatabase(path: string): Inspection | null {
  const database = openHandle(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const pending = migrations.length - schemaVersion(database);
    return { ...inspectionOf(database), pending, isLocked: () => isLocked(path) };
  } catch (error) {
    database.close(true);
    if (error instanceof SQLiteError && error.code === "SQLITE_NOTADB") return null;
    throw error;
  }
}

/**
 * While the inspection is open the files beside the database exist, so this creates none with another owner.
 */
function isLocked(path: string): boolean {
  using database = openHandle(path, { create: false, readwrite: true });
  database.run(`PRAGMA busy_timeout = ${lockSeconds * 1000}`);
  try {
    database.run("BEGIN IMMEDIATE");
    database.run("ROLLBACK");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    // Read-only folders have no lock to try.
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_READONLY")) return false;
    throw error;
  }
}

/** An older schema may lack it. */
function hasTable(database: Database, name: string): boolean {
  return database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null;
}

function countOtherHashes(database: Database): readonly Omit<HashCount, "last">[] {
  return database
    .query<Omit<HashCount, "last">, []>(
      `SELECT CASE WHEN substr(password_hash, 1, 9) = '$wrapped$'
           THEN '$wrapped$' || substr(password_hash, 10, instr(substr(password_hash, 10), '$'))
           ELSE '$' || substr(password_hash, 2, instr(substr(password_hash, 2), '$')) END AS head, count(*) AS hashes
         FROM accounts WHERE substr(password_hash, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$' GROUP BY head`,
    )
    .all();
}

function inspectionOf(database: Database): Omit<Inspection, "pending" | "isLocked"> {
  const number = (statement: string) =>
    database.query<{ value: number | null }, []>(statement).get()?.value ?? null;
  const newest = (table: string, column: string) =>
    number(`SELECT ${column} AS value FROM ${table} ORDER BY id DESC LIMIT 1`);
  return {
    faults: () => databaseFaults(database, "quick_check"),
    schemaFaults: () => schemaFaults(database),
    newestAt: () => {
      const times = [
        newest("accounts", "created_at"),
        newest("audit_entries", "at"),
        newest("outbox", "created_at"),
      ];
      const known = times.filter((time) => time !== null);
      return known.length === 0 ? null : Math.max(...known);
    },
    oldestDue: () => number("SELECT min(due_at) AS value FROM outbox WHERE state = 'waiting'"),
    countFailedMails: () => number("SELECT count(*) AS value FROM outbox WHERE state = 'failed'") ?? 0,
    countOtherHashes: () => countOtherHashes(database),
    countIdentities: () =>
      database
        .query<IdentityCount, []>(
          `SELECT provider, issuer, count(*) AS identities FROM identities
           GROUP BY provider, issuer ORDER BY identities DESC LIMIT 50`,
        )
        .all(),
    ungrantedCapes: () =>
      database
        .query<{ players: number; name: string | null }, []>(
          `SELECT count(*) AS players, min(name) AS name FROM players WHERE own_cape_id IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM cape_grants WHERE account_id = players.account_id AND cape_id = own_cape_id)`,
        )
        .get() ?? { players: 0, name: null },
    community: () =>
      database.query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'community'").get()
        ?.value ?? "",
    place: () => readPlace(database),
    needsSecret: () =>
      hasTable(database, "codes") &&
      number("SELECT EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM codes) AS value") === 1,
    hasDelivered: () =>
      hasTable(database, "webhooks") &&
      number("SELECT EXISTS (SELECT 1 FROM webhooks WHERE delivered_at > 0) AS value") === 1,
    countTextures: () => number("SELECT count(*) AS value FROM textures") ?? 0,
    shuffledTextures: (most) =>
      database
        .query<TextureRow, [number]>(
          `SELECT ${textureCells(database)} FROM textures ORDER BY random() LIMIT ?`,
        )
        .all(most),
    textureFrom: (hash) =>
      database
        .query<TextureRow, [string]>(
          `SELECT ${textureCells(database)} FROM textures WHERE hash >= ? ORDER BY hash LIMIT 1`,
        )
        .get(hash),
    [Symbol.dispose]: () => database.close(true),
  };
}
