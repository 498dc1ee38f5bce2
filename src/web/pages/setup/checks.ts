import type { components } from "../../api/types.ts";

/** What the server finds when it examines itself. */
export type Check = components["schemas"]["Overview"]["checks"][number];

/** Whether backups have a schedule and a place that works; null without a result. Without a schedule the check is passed. */
export function areBackupsPlanned(checks: readonly Check[]): boolean | null {
  const own = checks.filter(({ name }) => name === "backups");
  if (own.length === 0) return null;
  return own.every(({ state, code }) => state !== "fault" && code !== "backups_off");
}
