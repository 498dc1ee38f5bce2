import type { Change, ChangeFeed, Subject } from "../../domain/ports/change-feed.ts";
import type { Sender } from "./sender.ts";

/** How often a node asks what others have changed. With NOTIFY it asks earlier. */
const everyMs = 250;
/**
 * Rows are numbered before their transactions commit, so a lower number may appear later than a higher one: rows are read again
 * for so long. A transaction writes its rows last, and its COMMIT has a deadline below this.
 */
const overlapSeconds = 10;
/** Rows of one look, some megabytes. More have changed than is worth dropping one by one. */
const rowsMax = 10_000;
/** How long remembered answers may be given without news from the database. */
const freshMs = 30_000;
/** Rows are kept for so long. A node that was away for nearly as long cannot know what it has missed. */
const keptSeconds = 600;
const awaySecondsMax = keptSeconds - 60;
/** Rows that one statement removes, and statements of one run. */
const pruneRows = 5_000;
const pruneRunsMax = 20;

/** The subject of each row after the first number, and the database's time; one row without a subject when nothing was changed. */
const news = `
  SELECT head.now, later.id, later.kind || ':' || later.subject, later.at
  FROM (SELECT floor(extract(epoch FROM clock_timestamp()))::bigint AS now) AS head
  LEFT JOIN (SELECT id, kind, subject, at FROM change WHERE id > $1 ORDER BY id LIMIT $2) AS later ON true`;

/** The newest row that nothing can precede any more. */
const oldest = `
  SELECT id FROM change WHERE at < floor(extract(epoch FROM clock_timestamp())) - $1 ORDER BY id DESC LIMIT 1`;

export type PolledFeed = ChangeFeed &
  AsyncDisposable & {
    /** After a commit of this node: its subjects, at once. */
    readonly publish: (subjects: readonly Subject[]) => void;
    /** Looks at once. */
    readonly hurry: () => void;
    /** Another server is asked from now on, whose numbers may be others: all that is remembered is dropped. */
    readonly restart: () => void;
    /** Since when nothing is known of the database's changes, in seconds. */
    readonly lagSeconds: () => number;
    /** Looks for the first time, and then again and again. Fails as the statement does. */
    readonly start: () => Promise<void>;
  };

/**
 * The table `change` as a feed, by asking again and again: it needs nothing that a pooler or a replica would not pass on. What
 * this node commits is published at once, and once more when it is read.
 */
export function openChangeFeed(db: Sender): PolledFeed {
  const listeners = new Set<(change: Change) => void>();
  const seen = createSeenRows();
  let isClosed = false;
  let position = 1;
  let knownAt = -Infinity;
  let databaseSeconds: number | null = null;
  let isRestarted = false;
  let wake: () => void = () => undefined;

  const tell = (change: Change): void => {
    if (change.length === 0) return;
    position += 1;
    for (const listener of listeners) listener(change);
  };
  const begin = async (): Promise<void> => {
    const [row] = await db.send(oldest, [overlapSeconds]);
    seen.forget(row === undefined ? 0 : Number(row[0]));
  };
  const look = async (): Promise<void> => {
    const askedAt = performance.now();
    const isFirst = databaseSeconds === null || isRestarted;
    if (isFirst) await begin();
    const rows = await db.send(news, [seen.floor(), rowsMax]);
    const now = Number(rows[0]?.[0]);
    const wasAway = databaseSeconds !== null && now - databaseSeconds > awaySecondsMax;
    const subjects = seen.add(rows, now - overlapSeconds);
    if (isRestarted || wasAway || rows.length === rowsMax) tell("interrupted");
    // Nothing was remembered before the first look.
    else if (databaseSeconds !== null) tell(subjects);
    isRestarted = false;
    databaseSeconds = now;
    knownAt = askedAt;
  };
  const loop = async (): Promise<void> => {
    while (!isClosed) {
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      // Also what is committed during the look is looked for at once.
      wake = resolve;
      // While the database is away the pool says so in the log, and each look fails at once.
      await look().catch(() => undefined);
      const timer = setTimeout(resolve, everyMs);
      await (isClosed ? undefined : woken);
      clearTimeout(timer);
    }
  };
  let looping = Promise.resolve();

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    position: () => position,
    isFresh: (now = performance.now()) => now - knownAt < freshMs,
    publish: tell,
    hurry: () => wake(),
    restart: () => {
      isRestarted = databaseSeconds !== null;
      wake();
    },
    lagSeconds: () => (performance.now() - knownAt) / 1000,
    start: async () => {
      await look();
      looping = loop();
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      wake();
      await looping;
    },
  };
}

/** Numbers of the rows that were told and are read again. They are as many as a few seconds' changes. */
function createSeenRows() {
  const seen = new Map<number, number>();
  let floor = 0;

  return {
    /** Rows up to this number are read no more. */
    floor: () => floor,
    forget: (from: number): void => {
      seen.clear();
      floor = from;
    },
    /** The subjects of the rows that are new. What is older than the time given is read no more. */
    add: (rows: readonly (readonly unknown[])[], before: number): readonly Subject[] => {
      const subjects = new Set<Subject>();
      for (const [, id, subject, at] of rows) {
        if (typeof id !== "number") continue;
        // The table's check allows these kinds alone.
        if (!seen.has(id)) subjects.add(subject as Subject);
        seen.set(id, Number(at));
      }
      // In the order of the numbers, up to the first that is young: a lower number may still appear before it.
      for (const [id, at] of [...seen].toSorted(([one], [other]) => one - other)) {
        if (at >= before) break;
        floor = id;
        seen.delete(id);
      }
      return [...subjects];
    },
  };
}

/** Removes the rows that every node has read, or has been away for too long to need. The leader does. */
export async function pruneChanges(db: Sender): Promise<void> {
  const text = `
    DELETE FROM change WHERE id IN (
      SELECT id FROM change WHERE at < floor(extract(epoch FROM clock_timestamp())) - $1 ORDER BY id LIMIT $2)
    RETURNING id`;
  for (let run = 1; run <= pruneRunsMax; run++) {
    const rows = await db.send(text, [keptSeconds, pruneRows]);
    if (rows.length < pruneRows) return;
  }
}
