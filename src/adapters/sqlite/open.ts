import type { Database } from "bun:sqlite";
import { isBusy } from "./faults.ts";
import { openHandle } from "./handle.ts";

/** Opens the only handle that writes. Creates the file when there is none. */
export function openWriter(path: string): Database {
  const client = openHandle(path, { create: true, readwrite: true, strict: true });
  // First, because turning WAL on takes a lock that another process may hold briefly.
  client.run("PRAGMA busy_timeout = 5000");
  turnWalOn(client);
  // A full disk or a power cut may lose an unanswered request, never an answered one.
  client.run("PRAGMA synchronous = FULL");
  client.run("PRAGMA foreign_keys = ON");
  // Deleted content, such as codes in sent mails, must not stay legible in the file's free space.
  client.run("PRAGMA secure_delete = ON");
  // From here on a wait inside SQLite would block the event loop; `transact.ts` waits for other processes
  // outside.
  client.run("PRAGMA busy_timeout = 0");
  return client;
}

/**
 * SQLite's timeout does not cover two processes that change the journal mode at once; one of them has to
 * retry.
 */
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
export function openReader(path: string): Database {
  const client = openHandle(path, { create: false, readwrite: true, strict: true });
  client.run("PRAGMA query_only = ON");
  client.run("PRAGMA busy_timeout = 5000");
  // 64 MiB of pages hold what 4,000 members of a million read. Mapping the file instead (mmap_size) costs a
  // quarter more for each page that is here, and less only where many more members than these read in turn.
  client.run("PRAGMA cache_size = -65536");
  return client;
}
