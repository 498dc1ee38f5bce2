import { sql } from "drizzle-orm";
import type { DayReads, DayStore } from "../../domain/ports/day-store.ts";
import { spell } from "./dialect.ts";
import { dayOfDelta } from "./daily-counts.ts";
import type { Sender } from "./sender.ts";
import { command, statement } from "./statement.ts";

/** What the leader has not folded yet counts as well. */
const withDeltas = sql`(
  SELECT day, what, times FROM daily_counts
  UNION ALL SELECT ${dayOfDelta}, split_part(name, ':', 1), delta FROM count_deltas) AS counted`;
const days = statement(
  sql`
    SELECT day, coalesce(sum(times) FILTER (WHERE what = 'registration'), 0),
      coalesce(sum(times) FILTER (WHERE what = 'sign-in'), 0)
    FROM ${spell({ postgres: withDeltas, sqlite: sql`daily_counts` })}
    WHERE day >= ${sql.placeholder("from")} GROUP BY day ORDER BY day`,
  { day: Number, registrations: Number, signIns: Number },
);
const forget = command(sql`
  ${spell({ postgres: sql`WITH unfolded AS (DELETE FROM count_deltas WHERE ${dayOfDelta} < ${sql.placeholder("before")})`, sqlite: sql`` })}
  DELETE FROM daily_counts WHERE day < ${sql.placeholder("before")}`);

export function dayReads(db: Sender): DayReads {
  return { listDays: (from) => days(db, { from }) };
}

export function dayStore(db: Sender): DayStore {
  return { ...dayReads(db), deleteDays: (before) => forget(db, { before }) };
}
