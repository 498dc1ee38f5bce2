import { sql } from "drizzle-orm";
import { playerOfBody } from "../../sql/event-store.ts";
import type { Sender } from "../../sql/sender.ts";
import { first, statement } from "../../sql/statement.ts";

/** Events that one statement numbers: some 20 ms. */
const batchRows = 1_000;

/**
 * Events are in the order in which their transactions wrote them, last of all before each commit: what one
 * transaction has seen of another comes after it. The last number is locked first, so that two leaders number
 * one after the other: what the first one has numbered the second one passes over.
 *
 * A change of textures replaces the player's last one of the same second or the one before: followers need
 * what the player shows by now, and one who read the earlier event gets the later one. One that has no number
 * yet gets none; one that has is removed, so that nothing that was read changes. The oldest event of the log
 * stays in any case: by it readers know what was pruned.
 */
const number = statement(
  sql`
    WITH last AS (SELECT value::bigint AS id FROM marks WHERE name = 'last_event' FOR UPDATE),
    notes AS (
      DELETE FROM event_notes
      WHERE EXISTS (SELECT 1 FROM last) AND seq IN (
        SELECT seq FROM event_notes ORDER BY seq LIMIT ${sql.raw(String(batchRows))})
      RETURNING seq, at, type, body),
    looks AS (SELECT seq, at, ${playerOfBody} AS player FROM notes WHERE type = 'player.textures'),
    replaced AS (
      SELECT seq FROM (SELECT seq, at, lead(at) OVER (PARTITION BY player ORDER BY seq) AS next FROM looks) AS following
      WHERE next <= at + 1),
    gone AS (
      DELETE FROM events USING (SELECT player, min(at) AS first FROM looks GROUP BY player) AS later
      WHERE events.type = 'player.textures' AND events.at BETWEEN later.first - 1 AND later.first
        AND events.at >= (SELECT min(at) - 1 FROM looks) AND ${playerOfBody} = later.player
        AND events.id > (SELECT min(id) FROM events)),
    numbered AS (
      INSERT INTO events (id, at, type, body)
      SELECT last.id + row_number() OVER (ORDER BY seq), at, type, body FROM notes CROSS JOIN last
      WHERE seq NOT IN (SELECT seq FROM replaced) RETURNING id),
    marked AS (
      UPDATE marks SET value = (SELECT max(id) FROM numbered)::text
      WHERE name = 'last_event' AND EXISTS (SELECT 1 FROM numbered))
    SELECT count(*) FROM notes`,
  { notes: Number },
);

/**
 * Gives every event that is committed its number, one more than the last one had. Who reads events does it
 * first, so that what was committed before is read; nothing is numbered twice or left out when several nodes
 * do it at once. The leader does it for events that no node reads.
 */
export async function numberEvents(db: Sender): Promise<void> {
  while (first(await waiting(db))?.isAny === true) {
    const { notes } = first(await number(db)) ?? { notes: 0 };
    if (notes < batchRows) return;
  }
}

/** Cheaper than the lock, which every look would take. */
const waiting = statement(sql`SELECT EXISTS (SELECT 1 FROM event_notes)`, { isAny: Boolean });
