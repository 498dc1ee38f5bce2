import type { Database } from "bun:sqlite";
import { isBusy } from "./faults.ts";
import { drizzle, type BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { openHandle } from "./handle.ts";

/** A handle through which drizzle prepares statements. */
export type Db = BunSQLiteDatabase & { readonly $client: Database };

/** Opens the only handle that writes. Creates the file when there is none. */
export function openWriter(path: string): Db {
  const client = openHandle(path, { create: true, readwrite: true, strict: true });
  // First, because turning WAL on takes a lock that another process may hold for a moment.
  client.run("PRAGMA busy_timeout = 5000");
  turnWalOn(client);
  // A full disk or a power cut may take the last unanswered request, never one that was answered.
  client.run("PRAGMA synchronous = FULL");
  client.run("PRAGMA foreign_keys = ON");
  // What is wiped (codes in mails that were sent, say) must not stay legible in the file's free space.
  client.run("PRAGMA secure_delete = ON");
  // From here on a wait inside SQLite would hold the event loop; `transact.ts` waits for other processes outside.
  client.run("PRAGMA busy_timeout = 0");
  return drizzle({ client });
}

/** SQLite does not wait for its timeout where two processes want to change the journal at once; one of them has to yield. */
function turnWalOn(client: Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      client.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (attempt === 100 || !isBusy(error)) throw error;
      Bun.sleepSync(20);
    }
  }
}

/** Opens a handle that sees only what is committed, and can change nothing. */
export function openReader(path: string): Db {
  const client = openHandle(path, { create: false, readwrite: true, strict: true });
  client.run("PRAGMA query_only = ON");
  client.run("PRAGMA busy_timeout = 5000");
  // 16 MiB of page cache hold the inner pages of every index at a million accounts.
  client.run("PRAGMA cache_size = -16384");
  // Beyond that cache, pages come from the system's by mapping, not by a call for each: with a million accounts the home
  // area of everybody in turn cost 1.8 times what it costs with a thousand, and so 1.25 times.
  client.run("PRAGMA mmap_size = 1073741824");
  return drizzle({ client });
}
