import type { components } from "../../api/types.ts";

/** What the overview says of the server. */
export type Known = Pick<components["schemas"]["Overview"], "checks" | "accounts">;

/** What the server finds when it examines itself. */
export type Check = Known["checks"][number];

/**
 * Whether backups have a schedule and a place that works; null without a result. Without a schedule the check
 * is passed.
 */
export function areBackupsPlanned(checks: readonly Check[]): boolean | null {
  const own = checks.filter(({ name }) => name === "backups");
  if (own.length === 0) return null;
  return own.every(({ state, code }) => state !== "fault" && code !== "backups_off");
}

/** Whether there is an account beside that of the first administrator. Null: not known. */
export function havePeopleJoined(known: Known | null): boolean | null {
  return known === null ? null : known.accounts.total > 1;
}
