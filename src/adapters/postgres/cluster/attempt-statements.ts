/** The statements that count attempts: each checks and counts at once, under the lock of its row. */
import type { DelayRule, WindowRule } from "../../../domain/ports/attempt-store.ts";
import type { Sender } from "../../sql/sender.ts";

/** An attempt by the hash of what it counts for. */
export type HashedAttempt = { readonly key: string; readonly rule: WindowRule | DelayRule };

const now = "$7::bigint";
const isDelay = "excluded.seconds_max > 0";
/** The oldest attempt of as many as a window allows. */
const oldest = "kept.at[cardinality(kept.at) - excluded.times + 1]";
/** What lies further ahead than any wait was written before the database's clock was set back. */
const hasToWait = `(CASE WHEN ${isDelay}
    THEN kept.at[1] > ${now} AND kept.at[1] <= ${now} + excluded.seconds_max
    ELSE cardinality(kept.at) >= excluded.times AND ${oldest} > ${now} - excluded.seconds AND ${oldest} <= ${now} + excluded.seconds
  END)`;
/** Attempts with this one, since the last success or a pause as long as the longest wait. */
const attempts = `(CASE WHEN kept.at[1] + excluded.seconds_max <= ${now} THEN 1 ELSE kept.attempts + 1 END)`;
/** A doubling beyond the fortieth is beyond every wait. */
const delay = `(CASE WHEN ${attempts} % excluded.times > 0 THEN 0
    ELSE least(excluded.seconds_max, excluded.seconds * (2 ^ least(${attempts} / excluded.times - 1, 40))::bigint)
  END)`;

/** Rows are taken in the order of their keys, so that two statements never wait for each other. */
const countText = `INSERT INTO attempt_counts AS kept (key, times, seconds, seconds_max, at, attempts, wait, ends_at)
SELECT key, times, seconds, seconds_max, ARRAY[first], 1, 0, ends_at
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
  AS given (key, times, seconds, seconds_max, first, ends_at)
ORDER BY key COLLATE "C"
ON CONFLICT (key) DO UPDATE SET
  times = excluded.times,
  seconds = excluded.seconds,
  seconds_max = excluded.seconds_max,
  at = CASE WHEN ${hasToWait} THEN kept.at
    WHEN ${isDelay} THEN ARRAY[${now} + ${delay}]
    ELSE (kept.at || ${now})[greatest(1, cardinality(kept.at) + 2 - excluded.times):] END,
  attempts = CASE WHEN ${hasToWait} THEN kept.attempts WHEN ${isDelay} THEN ${attempts} ELSE 1 END,
  wait = CASE WHEN NOT ${hasToWait} THEN 0
    WHEN ${isDelay} THEN kept.at[1] - ${now}
    ELSE ${oldest} + excluded.seconds - ${now} END,
  ends_at = CASE WHEN ${hasToWait} THEN kept.ends_at
    WHEN ${isDelay} THEN ${now} + ${delay} + excluded.seconds_max
    ELSE ${now} + excluded.seconds END
RETURNING key, wait`;

/**
 * Counts attempts, each unless it has to wait. Returns the whole seconds to wait for each key; 0: it was
 * counted. `at`: the time, in Unix seconds.
 */
export async function countAttempts(
  db: Sender,
  given: readonly HashedAttempt[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  if (given.length === 0) return new Map();
  const rows = await db.send(countText, [
    given.map(({ key }) => key),
    given.map(({ rule }) => rule.times),
    given.map(({ rule }) => rule.seconds),
    given.map(({ rule }) => longestWait(rule)),
    given.map(({ rule }) => at + (rule.times === 1 && longestWait(rule) > 0 ? rule.seconds : 0)),
    given.map(({ rule }) => at + rule.seconds + longestWait(rule)),
    at,
  ]);
  return new Map(rows.map(([key, wait]) => [String(key), Number(wait)]));
}

/** 0 for a window. */
function longestWait(rule: WindowRule | DelayRule): number {
  return "secondsMax" in rule ? rule.secondsMax : 0;
}

/** Removes one attempt of each key that was counted just now. */
export async function refundAttempts(db: Sender, keys: readonly string[], at: number): Promise<void> {
  await db.send(
    `UPDATE attempt_counts SET attempts = attempts - 1,
  at = CASE WHEN seconds_max > 0 THEN ARRAY[$2::bigint] ELSE at[:cardinality(at) - 1] END
WHERE key = ANY($1) AND (seconds_max = 0 OR attempts > 0)`,
    [keys, at],
  );
}

/** Takes one attempt from each window, and forgets all of a growing delay. */
export async function resetAttempts(db: Sender, keys: readonly string[]): Promise<void> {
  await db.send(
    `WITH forgotten AS (DELETE FROM attempt_counts WHERE key = ANY($1) AND seconds_max > 0)
UPDATE attempt_counts SET at = at[:cardinality(at) - 1]
WHERE key = ANY($1) AND seconds_max = 0 AND cardinality(at) > 0`,
    [keys],
  );
}
