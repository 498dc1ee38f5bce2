import { constants, Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { requirePlainFile } from "../../kernel/plain-files.ts";

type Mode = ConstructorParameters<typeof Database>[1];

/** A handle on a database in memory. */
export const inMemory = ":memory:";

/**
 * Opens a handle; only this file does. A schema may come from a foreign backup, so functions and virtual
 * tables in it run only if SQLite knows them to be harmless (trusted_schema), and cells are checked before
 * use (cell_size_check). Fails with invalid if the path, or a path beside it that SQLite would open, is not a
 * plain file: SQLite would wait for a pipe.
 */
export function openHandle(path: string, mode?: Mode): Database {
  requirePlainFiles(path);
  return careful(new Database(path, mode));
}

/**
 * As `openHandle`, to read a database that no other process opens meanwhile. Nothing is made beside it,
 * unless a process was killed and left a log that has to be read as well.
 */
export function openUnshared(path: string): Database {
  requirePlainFiles(path);
  const hasLog = ["-wal", "-journal"].some((end) => Bun.file(`${path}${end}`).size > 0);
  if (hasLog) return careful(new Database(path, { readonly: true }));
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return careful(new Database(`${Bun.pathToFileURL(path).href}?immutable=1`, flags));
}

/**
 * As `openHandle`, to read a database that other processes may be using, without a change of any file: the
 * index of the log is used as it is, and not made. Where a killed process left a log without its index, that
 * index has to be made.
 */
export function openBeside(path: string): Database {
  requirePlainFiles(path);
  if (!existsSync(`${path}-shm`)) return openUnshared(path);
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return careful(new Database(`${Bun.pathToFileURL(path).href}?readonly_shm=1`, flags));
}

function requirePlainFiles(path: string): void {
  for (const end of path === inMemory ? [] : ["", "-journal", "-wal", "-shm"]) {
    const found = statSync(`${path}${end}`, { throwIfNoEntry: false });
    if (found !== undefined) requirePlainFile(`${path}${end}`, found);
  }
}

function careful(handle: Database): Database {
  handle.run("PRAGMA trusted_schema = OFF");
  handle.run("PRAGMA cell_size_check = ON");
  return handle;
}
