import type { Database } from "bun:sqlite";

export type ReadSnapshot = {
  /** The statements that follow at once are within the shared transaction. */
  readonly enter: () => void;
  /** Makes the next read see everything that is committed. */
  readonly end: () => void;
  /** A number that another handle's commits raise, as the snapshot has it; null: it is not known. */
  readonly version: () => number | null;
};

/**
 * Lets the reads of one turn of the event loop share one read transaction. A statement outside one acquires
 * and releases SQLite's read lock, 1.4 µs of its 3; a profile takes four statements. The transaction ends
 * before the loop looks for requests again, so a request sees what any process committed before it was sent.
 * A commit of this process ends it at once.
 */
export function shareSnapshot(reader: Database): ReadSnapshot {
  const begin = reader.query("BEGIN");
  const commit = reader.query("COMMIT");
  const dataVersion = reader.query<{ data_version: number }, []>("PRAGMA data_version");
  let open = false;
  let version: number | null = null;

  const end = (): void => {
    if (!open) return;
    open = false;
    // A read that met an error of the disk has ended the transaction by itself.
    if (reader.inTransaction) commit.run();
  };
  const enter = (): void => {
    if (open) return;
    begin.run();
    open = true;
    version = null;
    setImmediate(end);
  };
  return {
    enter,
    end,
    version: () => {
      try {
        enter();
        return (version ??= dataVersion.get()?.data_version ?? null);
      } catch {
        return null; // The next read fails alike, and is answered for.
      }
    },
  };
}
