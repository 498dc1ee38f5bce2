import type { Sender } from "../../sql/sender.ts";

/** Rows that one statement removes, which is short. */
const rowsMax = 1_000;
/** Statements for one table; the rest waits for the next call. */
const runsMax = 100;
const tables = [
  ["attempt_counts", "key"],
  ["used_once", "key"],
  ["joins", "player_uuid"],
] as const;

/**
 * Removes what has ended of attempts, used things and joins, and returns how many rows that were. A row that
 * is written meanwhile stays. `now` in Unix seconds.
 */
export async function removeEnded(db: Sender, now: number): Promise<number> {
  let removed = 0;
  for (const [table, key] of tables) {
    const text = `WITH gone AS (
  DELETE FROM ${table} WHERE ends_at <= $1 AND ${key} = ANY(ARRAY(
    SELECT ${key} FROM ${table} WHERE ends_at <= $1 ORDER BY ends_at LIMIT ${rowsMax})) RETURNING 1
) SELECT count(*) FROM gone`;
    for (let run = 1; run <= runsMax; run++) {
      const [row] = await db.send(text, [now]);
      const count = Number(row?.[0]);
      removed += count;
      if (count < rowsMax) break;
    }
  }
  return removed;
}
