import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import { isBusy } from "./faults.ts";
import { openHandle } from "./handle.ts";

/** An empty database of which only the lock is used: the system takes it back from a process however that ends. */
const lockName = "lock";

/** Of those that read, one may have announced that it will write: that one is the server. */
const takeTurn = "BEGIN IMMEDIATE";

/** Marks the data folder as in use until disposed of; any number may. Fails with conflict while it is being restored. */
export function useFolder(dataDir: string): Disposable {
  // Who tries to take the folder and is refused holds the lock for a moment.
  const statements = ["PRAGMA busy_timeout = 1000", "BEGIN", "SELECT count(*) FROM sqlite_schema"];
  return lock(dataDir, statements, "a backup is being restored into it");
}

/**
 * Keeps other servers out of the data folder until disposed of; commands may use it. Fails with conflict while there is one, which
 * may be ending: it waits a moment.
 */
export function serveFolder(dataDir: string): Disposable {
  const reason = "another server is using it; end that one, or give this one a DATA_DIR of its own";
  return lock(dataDir, ["PRAGMA busy_timeout = 1000", takeTurn], reason);
}

/** Whether a server is using the folder, or a restore. */
export function isServed(dataDir: string): boolean {
  if (!hasLock(dataDir)) return false;
  try {
    lock(dataDir, [takeTurn], "")[Symbol.dispose]();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return true;
    throw error;
  }
}

/** Keeps everybody else out of the data folder until disposed of. Fails with conflict while a server or command uses it. */
export function takeFolder(dataDir: string): Disposable {
  return lock(dataDir, ["BEGIN EXCLUSIVE"], "a server or a command is using it; end that first");
}

/** Whether somebody has ever used the folder as a data folder, and so may be using it now. */
export function hasLock(folder: string): boolean {
  return existsSync(join(folder, lockName));
}

function lock(dataDir: string, statements: readonly string[], reason: string): Disposable {
  const held = openHandle(join(dataDir, lockName), { create: true, readwrite: true });
  try {
    for (const statement of statements) held.query(statement).all();
  } catch (error) {
    held.close(true);
    if (!isBusy(error)) throw error;
    throw new AppError("conflict", `the data folder ${dataDir} cannot be used now: ${reason}`, {
      cause: error,
    });
  }
  return { [Symbol.dispose]: () => held.close(true) };
}
