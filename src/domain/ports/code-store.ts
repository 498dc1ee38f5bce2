import type { AccountId } from "../../kernel/ids.ts";
import type { CodePurpose, PendingCode } from "../model/code.ts";

/** What is read of codes. */
export interface CodeReads {
  /** The code with this hash, expired or not; null when there is none. */
  findCode(hash: string): Promise<PendingCode | null>;
  /** Whether a code of the account's, of whatever purpose, is still good at this time (Unix seconds). */
  hasValidCode(account: AccountId, at: number): Promise<boolean>;
}

/** What is written of codes. */
export interface CodeStore extends CodeReads {
  /** Keeps a code, of a registration beside the account's older ones, else in the place of the one of the same purpose. */
  putCode(code: PendingCode): Promise<void>;
  deleteCode(hash: string): Promise<void>;
  /** Makes the account's codes worthless: all of them, or those of one purpose. */
  deleteCodesOf(account: AccountId, purpose?: CodePurpose): Promise<void>;
  /** Removes what expired before, or will only expire after, the times given (Unix seconds). */
  deleteExpiredCodes(before: number, after: number): Promise<void>;
}
