import type { AccountId } from "../../kernel/ids.ts";
import type { Suspension } from "../model/suspension.ts";

/** What is read of suspensions. */
export interface SuspensionReads {
  /** The account's suspension, ended or not; null when there is none. */
  findSuspension(account: AccountId): Promise<Suspension | null>;
  /** How many accounts are suspended at this time (Unix seconds). */
  countSuspended(now: number): Promise<number>;
  /** Suspensions that ended by this time (Unix seconds) and are still stored, the longest ended first. */
  listEndedSuspensions(now: number, rows: number): Promise<readonly Suspension[]>;
}

/** What is written of suspensions. */
export interface SuspensionStore extends SuspensionReads {
  /** Stores a suspension in place of the account's earlier one. Reports it as an event. */
  putSuspension(suspension: Suspension): Promise<void>;
  /** Removes the account's suspension, and reports that as an event. */
  deleteSuspension(account: AccountId): Promise<void>;
}
