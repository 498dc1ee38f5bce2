import type { Database } from "bun:sqlite";
import { isBusy } from "./faults.ts";
import { drizzle, type BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { openHandle } from "./handle.ts";

/** A handle through which drizzle prepares statements. */
export type Db = BunSQLiteDatabase & { readonly $client: Database };

/** Opens the only handle that writes. Creates the file when there is none. */
export function openWriter(path: string): Db {
  const client = openHandle(path, { create: true, readwrite: true, strict: true });
  // First, because turning WAL on takes a lock that another process may hold briefly.
  client.run("PRAGMA busy_timeout = 5000");
  turnWalOn(client);
  // A full disk or a power cut may lose an unanswered request, never an answered one.
  client.run("PRAGMA synchronous = FULL");
  client.run("PRAGMA foreign_keys = ON");
  // Deleted content, such as codes in sent mails, must not stay legible in the file's free space.
  client.run("PRAGMA secure_delete = ON");
  // From here on a wait inside SQLite would block the event loop; `transact.ts` waits for other processes outside.
  client.run("PRAGMA busy_timeout = 0");
  return drizzle({ client });
}

/** SQLite's timeout does not cover two processes that change the journal mode at once; one of them has to retry. */
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

/** Opens a handle that sees only committed rows and cannot write. */
export function openReader(path: string): Db {
  const client = openHandle(path, { create: false, readwrite: true, strict: true });
  client.run("PRAGMA query_only = ON");
  client.run("PRAGMA busy_timeout = 5000");
  // 16 MiB of page cache hold the inner pages of every index of a million accounts.
  client.run("PRAGMA cache_size = -16384");
  // Beyond that cache, pages come from the system's cache by mapping, not by a call for each. Reading the home area of each of
  // a million accounts in turn cost 1.8 times as much as of a thousand; with the mapping it costs 1.25 times as much.
  client.run("PRAGMA mmap_size = 1073741824");
  return drizzle({ client });
}
