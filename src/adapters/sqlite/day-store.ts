import { asc, gte, lt, sql } from "drizzle-orm";
import type { DayReads, DayStore } from "../../domain/ports/day-store.ts";
import type { Db } from "./open.ts";
import { dailyCounts } from "./schema/record.ts";

export function dayReads(db: Db): DayReads {
  const { day, what, times } = dailyCounts;
  const timesOf = (wanted: typeof dailyCounts.$inferSelect.what) =>
    sql<number>`sum(iif(${what} = ${wanted}, ${times}, 0))`;
  const days = db
    .select({ day, registrations: timesOf("registration"), signIns: timesOf("sign-in") })
    .from(dailyCounts)
    .where(gte(day, sql.placeholder("from")))
    .groupBy(day)
    .orderBy(asc(day))
    .prepare();
  return { listDays: async (from) => days.all({ from }) };
}

export function dayStore(db: Db): DayStore {
  return {
    ...dayReads(db),
    deleteDays: async (before) => {
      db.delete(dailyCounts).where(lt(dailyCounts.day, before)).run();
    },
  };
}
