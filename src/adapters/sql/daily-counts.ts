import { sql } from "drizzle-orm";

/** What is counted in `daily_counts`. */
type Daily = "registration" | "sign-in";

const secondsOfDay = 86_400;

/** The name under which something that happens at this time (Unix seconds) is counted for its day. */
export function dailyCount(what: Daily, at: number): string {
  return `${what}:${Math.floor(at / secondsOfDay)}`;
}

/** The day in the name of a row of `count_deltas`; null for rows that count no day. */
export const dayOfDelta = sql`CASE WHEN name LIKE '%:%' THEN split_part(name, ':', 2)::bigint END`;
