import { Database } from "bun:sqlite";
import { drizzle, type BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

/** A handle through which drizzle prepares statements. */
export type Db = BunSQLiteDatabase & { readonly $client: Database };

/** Opens the only handle that writes. Creates the file when there is none. */
export function openWriter(path: string): Db {
  const client = new Database(path, { create: true, readwrite: true, strict: true });
  // A full disk or a power cut may take the last unanswered request, never one that was answered.
  client.run("PRAGMA journal_mode = WAL");
  client.run("PRAGMA synchronous = FULL");
  client.run("PRAGMA foreign_keys = ON");
  // A wait inside SQLite would hold the event loop, so it is short; `transact.ts` waits for other processes outside.
  client.run("PRAGMA busy_timeout = 20");
  return drizzle({ client });
}

/** Opens a handle that sees only what is committed, and can change nothing. */
export function openReader(path: string): Db {
  const client = new Database(path, { create: false, readwrite: true, strict: true });
  client.run("PRAGMA query_only = ON");
  client.run("PRAGMA busy_timeout = 5000");
  // 16 MiB of page cache hold the inner pages of every index at a million accounts.
  client.run("PRAGMA cache_size = -16384");
  return drizzle({ client });
}
