import type { Level } from "./account.ts";

/** What people who run a community do, beside what every member does with what is theirs. */
export type StaffAction =
  /** Looking at users, skins, capes and the audit. */
  | "inspect"
  /** Changing the skins of others. */
  | "moderate"
  /** Everything else under `/api/admin`. */
  | "administer";

/** From which level on (decisions, Admin: levels). */
const leastLevels: Readonly<Record<StaffAction, Level>> = { inspect: 2, moderate: 2, administer: 3 };

/** The least level in force that may do this. */
export function levelNeeded(action: StaffAction): Level {
  return leastLevels[action];
}

/** Whether this level in force makes a member staff: limits on how often players change what is theirs do not bind staff. */
export function isStaff(level: Level): boolean {
  return mayAct(level, "inspect");
}

/** Whether who has this level in force may do this. */
export function mayAct(level: Level, action: StaffAction): boolean {
  return level >= leastLevels[action];
}
