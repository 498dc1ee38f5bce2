import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import { isBusy } from "./faults.ts";
import { openHandle } from "./handle.ts";

/** An empty database of which only the lock is used: the system takes it back from a process however that ends. */
const lockName = "lock";

/** Marks the data folder as in use until disposed of; any number may. Fails with conflict while it is being restored. */
export function useFolder(dataDir: string): Disposable {
  // Who tries to take the folder and is refused holds the lock for a moment.
  const statements = ["PRAGMA busy_timeout = 1000", "BEGIN", "SELECT count(*) FROM sqlite_schema"];
  return lock(dataDir, statements, "a backup is being restored into it");
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
