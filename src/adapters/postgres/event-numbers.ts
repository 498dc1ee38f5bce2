import { sql } from "drizzle-orm";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** Events that one statement numbers: some 20 ms. */
const batchRows = 1_000;
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
 * Gives every event that is committed its number, one more than the last one had. Who reads events does it first, so that what
 * was committed before is read; nothing is numbered twice or left out when several nodes do it at once. The leader does it for
 * events that no node reads.
 */
export async function numberEvents(db: Sender): Promise<void> {
  while (first(await waiting(db))?.isAny === true) {
    const { events } = first(await number(db)) ?? { events: 0 };
    if (events < batchRows) return;
  }
}

/** Cheaper than the lock, which every look would take. */
const waiting = statement(sql`SELECT EXISTS (SELECT 1 FROM event_notes)`, { isAny: Boolean });
