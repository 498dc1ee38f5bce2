import { levelInForce, type Account, type Level } from "./account.ts";

/** The actions of staff, besides what every member does with their own account. */
export type StaffAction =
  /** Reading users, skins, capes and the audit. */
  | "inspect"
  /** Changing other users' skins. */
  | "moderate"
  /** Ending sessions of other users: see `mayEndSessions`. */
  | "end sessions"
  /** Everything else under `/api/admin`. */
  | "administer";

/** The least level for each action (docs/contract/admin.md#levels). */
const leastLevels: Readonly<Record<StaffAction, Level>> = {
  inspect: 2,
  moderate: 2,
  "end sessions": 2,
  administer: 3,
};

/** The least level in force that allows the action. */
export function levelNeeded(action: StaffAction): Level {
  return leastLevels[action];
}

/**
 * Whether this level in force makes a member staff. Limits on how often players change their own things do
 * not apply to staff.
 */
export function isStaff(level: Level): boolean {
  return mayAct(level, "inspect");
}

/** Whether this level in force allows the action. */
export function mayAct(level: Level, action: StaffAction): boolean {
  return level >= leastLevels[action];
}

/**
 * Whether a member of this level in force may end the sessions of an account at this time (Unix seconds).
 * Only administrators may end those of staff, and of an account that is staff for good but has a lower
 * temporary level.
 */
export function mayEndSessions(level: Level, of: Account, now: number): boolean {
  if (mayAct(level, "administer")) return true;
  return mayAct(level, "end sessions") && !isStaff(levelInForce(of, now)) && !isStaff(of.permanentLevel);
}
