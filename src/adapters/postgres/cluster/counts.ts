import { sql } from "drizzle-orm";
import { dayOfDelta } from "../../sql/daily-counts.ts";
import type { Sender } from "../../sql/sender.ts";
import { first, statement } from "../../sql/statement.ts";

/** Rows that are folded at once: some 20 ms. */
const foldedRows = 5_000;
/** Batches of one call; the rest waits for the next one, and is added up by each read until then. */
const foldsMax = 50;

const fold = statement(
  sql`
    WITH oldest AS (SELECT id FROM count_deltas ORDER BY id LIMIT ${sql.raw(String(foldedRows))}),
    folded AS (
      DELETE FROM count_deltas USING oldest WHERE count_deltas.id = oldest.id RETURNING count_deltas.name, delta),
    sums AS (SELECT name, ${dayOfDelta} AS day, sum(delta) AS delta FROM folded GROUP BY name),
    counted AS (
      INSERT INTO row_counts (name, rows) SELECT name, delta FROM sums WHERE day IS NULL
      ON CONFLICT (name) DO UPDATE SET rows = row_counts.rows + excluded.rows),
    days AS (
      INSERT INTO daily_counts (day, what, times)
      SELECT day, split_part(name, ':', 1), delta FROM sums WHERE day IS NOT NULL
      ON CONFLICT (day, what) DO UPDATE SET times = daily_counts.times + excluded.times)
    SELECT count(*) FROM folded`,
  { rows: Number },
);

/**
 * Adds what has been counted since to the counts, a batch at a time. The leader calls it every few seconds:
 * until then each read of a count adds it up. Each batch is one statement, so nothing is lost or counted
 * twice, also when two nodes call it at once or one ends in between.
 */
export async function foldCounts(db: Sender): Promise<void> {
  for (let run = 1; run <= foldsMax; run++) {
    const { rows } = first(await fold(db)) ?? { rows: 0 };
    if (rows < foldedRows) return;
  }
}
