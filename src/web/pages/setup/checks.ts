import type { components } from "../../api/types.ts";

/** What the server finds when it examines itself. */
export type Check = components["schemas"]["Overview"]["checks"][number];

const unscheduled = "no backups are scheduled";

/** Whether backups have a schedule and a place that works; null without a result. Without a schedule the check is passed, and says so (`src/operate/doctor/backups.ts`). */
export function areBackupsPlanned(checks: readonly Check[]): boolean | null {
  const own = checks.filter(({ name }) => name === "backups");
  if (own.length === 0) return null;
  return own.every(({ state, text }) => state !== "fault" && text !== unscheduled);
}
