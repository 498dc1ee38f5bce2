import { sql } from "drizzle-orm";
import type { OnEvents } from "../../domain/ports/event-store.ts";
import { eventReads } from "./event-store.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** Events that one statement numbers: some 20 ms. */
const batchRows = 1_000;
/** How often each node looks for events that have got their numbers since. */
const lookMilliseconds = 250;

/**
 * Events are in the order in which their transactions wrote them, last of all before each commit: what one transaction has seen
 * of another comes after it. The last number is locked first, so that two leaders number one after the other: what the first one
 * has numbered the second one passes over.
 */
const number = statement(
  sql`
    WITH last AS (SELECT value::bigint AS id FROM marks WHERE name = 'last_event' FOR UPDATE),
    notes AS (
      DELETE FROM event_notes
      WHERE EXISTS (SELECT 1 FROM last) AND seq IN (
        SELECT seq FROM event_notes ORDER BY seq LIMIT ${sql.raw(String(batchRows))})
      RETURNING seq, at, type, body),
    numbered AS (
      INSERT INTO events (id, at, type, body)
      SELECT last.id + row_number() OVER (ORDER BY seq), at, type, body FROM notes CROSS JOIN last RETURNING id),
    marked AS (
      UPDATE marks SET value = (SELECT max(id) FROM numbered)::text
      WHERE name = 'last_event' AND EXISTS (SELECT 1 FROM numbered))
    SELECT count(*) FROM numbered`,
  { events: Number },
);

/**
 * Gives every event that is committed its number, one more than the last one had. Only the leader does it, but nothing is
 * numbered twice or left out when another node does it, too.
 */
export async function numberEvents(db: Sender): Promise<void> {
  for (;;) {
    const { events } = first(await number(db)) ?? { events: 0 };
    if (events < batchRows) return;
  }
}

/** Follows the log of events. */
export type EventJournal = Disposable & {
  /** Calls the listener when any node's events have got their numbers, a quarter of a second later at most. */
  readonly onEvents: OnEvents;
  /** Looks at once, because some may have got theirs. */
  readonly look: () => void;
};

/** Looks regularly for as long as there are listeners. */
export function openEventJournal(db: Sender): EventJournal {
  const { newestEventId } = eventReads(db);
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let known = 0;

  const lookOnce = async (): Promise<void> => {
    const newest = await newestEventId();
    if (newest === known) return;
    known = newest;
    for (const listener of listeners) listener();
  };
  const look = (): void => {
    if (listeners.size === 0) return;
    // Without the database there is nothing new; the next look is soon.
    looking ??= lookOnce()
      .catch(() => undefined)
      .finally(() => {
        looking = null;
      });
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    onEvents: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(look, lookMilliseconds);
      return {
        [Symbol.dispose]: () => {
          listeners.delete(listener);
          if (listeners.size === 0) stop();
        },
      };
    },
    look,
    [Symbol.dispose]: () => {
      listeners.clear();
      stop();
    },
  };
}
