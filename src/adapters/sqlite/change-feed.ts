import type { Change, ChangeFeed, Subject } from "../../domain/ports/change-feed.ts";
import { createSignal } from "../../kernel/signal.ts";
import type { Database } from "bun:sqlite";
import type { ReadSnapshot } from "./read-snapshot.ts";

/**
 * How long a change made by another process (the command line) may go unseen. Asking SQLite costs 1.2 µs,
 * which on the hottest path is a seventh of the whole request.
 */
const otherProcessMs = 20;

/**
 * Rows that stay for other processes. One that has missed more than these drops everything that it remembers.
 */
const keptRows = 5_000;
/** Rows are removed so many at a time. */
const pruneRows = 100;

export type ChangeLog = ChangeFeed & {
  /** The last write of a transaction: a row for each subject that it changed. */
  readonly write: (subjects: ReadonlySet<Subject>) => void;
  /** After the commit of these: calls the listeners. */
  readonly publish: (subjects: ReadonlySet<Subject>) => void;
};

/**
 * The table `change` as a feed. This process's commits are published at once; those of another are read from
 * the table once SQLite's `data_version` has moved. The snapshot of the reads ends before the listeners are
 * called, so that what they drop is not read again from an older one.
 */
export function openChangeLog(db: Database, snapshot: Pick<ReadSnapshot, "end" | "version">): ChangeLog {
  const table = changeTable(db);
  const published = createSignal<Change>();
  let position = 1;
  // In this order: what is committed in between is looked for once more.
  let dataVersion = table.dataVersion();
  let seenId = table.lastId();
  let lookedAt = performance.now();
  let written = { first: 0, last: 0 };

  const tell = (change: Change): void => {
    if (change.length === 0) return;
    position += 1;
    published.send(change);
  };
  const lookForOthers = (): void => {
    const current = table.dataVersion();
    if (current === dataVersion) return;
    dataVersion = current;
    snapshot.end();
    const since = seenId;
    seenId = table.lastId();
    const subjects = table.after(since);
    // Ids have no gaps. Rows are missing when they were pruned, or when an older copy took the place of the
    // database.
    tell(subjects.length === seenId - since ? subjects : "interrupted");
  };

  return {
    write: (subjects) => {
      if (subjects.size > 0) written = table.append([...subjects]);
    },
    publish: (subjects) => {
      if (subjects.size === 0) return;
      // Else another process has written before: the next look reads its rows, and these again.
      if (written.first === seenId + 1) seenId = written.last;
      tell([...subjects]);
    },
    subscribe: published.listen,
    position: (now = performance.now()) => {
      if (now - lookedAt >= otherProcessMs) {
        lookedAt = now;
        lookForOthers();
      }
      return position;
    },
    // The file is here: the look above misses nothing.
    isFresh: () => true,
    version: snapshot.version,
  };
}

/** On the writing handle: its `data_version` moves with the commits of other processes alone. */
function changeTable(client: Database) {
  const dataVersion = client.query<{ data_version: number }, []>("PRAGMA data_version");
  const lastId = client.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
  const after = client.query<{ subject: Subject }, [number]>(
    "SELECT kind || ':' || subject AS subject FROM change WHERE id > ? ORDER BY id",
  );
  const append = client.query<never, [string]>(`
    INSERT INTO change (kind, subject, at)
    SELECT substr(value, 1, instr(value, ':') - 1), substr(value, instr(value, ':') + 1), unixepoch()
    FROM json_each(?) ORDER BY key`);
  const prune = client.query<never, [number]>("DELETE FROM change WHERE id <= ?");

  return {
    dataVersion: () => dataVersion.get()?.data_version ?? 0,
    lastId: () => lastId.get()?.seq ?? 0,
    after: (id: number) => after.all(id).map(({ subject }) => subject),
    append: (subjects: readonly Subject[]) => {
      const { changes, lastInsertRowid } = append.run(JSON.stringify(subjects));
      const last = Number(lastInsertRowid);
      if (last % pruneRows < changes) prune.run(last - keptRows);
      return { first: last - changes + 1, last };
    },
  };
}
