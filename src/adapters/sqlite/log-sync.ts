import { closeSync, fdatasync, openSync } from "node:fs";
import type { Database } from "bun:sqlite";

/** Waits for the disk without holding the event loop. */
export type LogSync = Disposable & {
  /** Resolves once everything that was committed before the call is on disk. */
  readonly kept: () => Promise<void>;
};

/**
 * Brings the write-ahead log to the disk after each commit, in a thread. With `synchronous = FULL` SQLite
 * does the same inside `COMMIT`: up to some milliseconds in which no request is answered. Commits that come
 * while the disk works share its next turn. After a failure it is unknown what the disk holds, so every later
 * call fails as well, until the process begins again.
 */
export function openLogSync(writer: Database, sync = syncFile): LogSync {
  const path = `${writer.filename}-wal`;
  let file: number | null = null;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    // Writable, as Windows wants it. The file stays while a handle is open, and SQLite's locks are on other
    // files.
    file ??= openSync(path, "r+");
    running = sync(file);
    return running;
  };

  // The log's order is still SQLite's business: NORMAL waits for the disk before and after pages leave the
  // log.
  writer.run("PRAGMA synchronous = NORMAL");
  return {
    kept: () => (next ??= running.then(start)),
    [Symbol.dispose]: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function syncFile(file: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
  return promise;
}
