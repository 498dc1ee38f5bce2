import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError, PlainError } from "../../kernel/errors.ts";
import { isBusy } from "./faults.ts";
import { openHandle } from "./handle.ts";

/** An empty database, used for its lock alone: the system releases the lock however a process ends. */
const lockName = "lock";

/** Of the processes that read, one may also hold the right to write: the server. */
const takeTurn = "BEGIN IMMEDIATE";

/**
 * Marks the data folder as in use until disposed of; any number may. Fails with conflict while it is being
 * restored.
 */
export function useFolder(dataDir: string): Disposable {
  // A process that tries to take the folder and is refused holds the lock for a moment.
  const statements = ["PRAGMA busy_timeout = 1000", "BEGIN", "SELECT count(*) FROM sqlite_schema"];
  return lock(dataDir, statements, "a backup is being restored into it");
}

/**
 * Keeps other servers out of the data folder until disposed of; commands may use it. Waits a moment for a
 * server that is ending, then fails with conflict.
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
    if (error instanceof AppError && error.kind === "conflict") return true;
    throw error;
  }
}

/**
 * Keeps all other processes out of the data folder until disposed of. Fails with conflict while a server or
 * command uses it.
 */
export function takeFolder(dataDir: string): Disposable {
  return lock(dataDir, ["BEGIN EXCLUSIVE"], "a server or a command is using it; end that first");
}

/** Whether the folder was ever used as a data folder, and so may be in use now. */
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
    throw new PlainError("conflict", `the data folder ${dataDir} cannot be used now: ${reason}`, {
      cause: error,
    });
  }
  return { [Symbol.dispose]: () => held.close(true) };
}
