import type { Level } from "./account.ts";

/** The actions of staff, besides what every member does with their own account. */
export type StaffAction =
  /** Reading users, skins, capes and the audit. */
  | "inspect"
  /** Changing other users' skins. */
  | "moderate"
  /** Everything else under `/api/admin`. */
  | "administer";

/** The least level for each action (docs/contract/admin.md#levels). */
const leastLevels: Readonly<Record<StaffAction, Level>> = { inspect: 2, moderate: 2, administer: 3 };

/** The least level in force that allows the action. */
export function levelNeeded(action: StaffAction): Level {
  return leastLevels[action];
}

/** Whether this level in force makes a member staff. Limits on how often players change their own things do not apply to staff. */
export function isStaff(level: Level): boolean {
  return mayAct(level, "inspect");
}

/** Whether this level in force allows the action. */
export function mayAct(level: Level, action: StaffAction): boolean {
  return level >= leastLevels[action];
}
