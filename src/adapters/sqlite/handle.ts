import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { requirePlainFile } from "../../kernel/plain-files.ts";

type Mode = ConstructorParameters<typeof Database>[1];

/** A handle on a database in memory. */
export const inMemory = ":memory:";

/**
 * Opens a handle; the only place that does. A schema may come from a foreign backup, so functions and virtual tables in it run
 * only if SQLite knows them to be harmless (trusted_schema), and cells are checked before use (cell_size_check). Fails with
 * invalid if the path, or a path beside it that SQLite would open, is not a plain file: SQLite would wait for a pipe.
 */
export function openHandle(path: string, mode?: Mode): Database {
  for (const end of path === inMemory ? [] : ["", "-journal", "-wal", "-shm"]) {
    const found = statSync(`${path}${end}`, { throwIfNoEntry: false });
    if (found !== undefined) requirePlainFile(`${path}${end}`, found);
  }
  const handle = new Database(path, mode);
  handle.run("PRAGMA trusted_schema = OFF");
  handle.run("PRAGMA cell_size_check = ON");
  return handle;
}
