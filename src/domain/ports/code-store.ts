import type { AccountId } from "../../kernel/ids.ts";
import type { CodePurpose, PendingCode } from "../model/code.ts";

/** What is read of codes. */
export interface CodeReads {
  /** The code with this hash, expired or not; null when there is none. */
  findCode(hash: string): Promise<PendingCode | null>;
  /** Whether the account has a code, of any purpose, that is valid at this time (Unix seconds). */
  hasValidCode(account: AccountId, at: number): Promise<boolean>;
  /**
   * Hashes of the passwords that were given for the account's address, where they differ: the newest first,
   * `most` at most.
   */
  registrationPasswords(account: AccountId, most: number): Promise<readonly string[]>;
}

/** What is written of codes. */
export interface CodeStore extends CodeReads {
  /**
   * Stores a code: beside the account's older ones for a registration, else in place of the one with the same
   * purpose.
   */
  putCode(code: PendingCode): Promise<void>;
  /** Keeps the hash of a password of a registration, and of the earlier ones the newest: `most` in all. */
  keepRegistrationPassword(account: AccountId, passwordHash: string, most: number): Promise<void>;
  /**
   * Deletes the account's codes: all of them, or those of one purpose. With those of registrations go the
   * passwords.
   */
  deleteCodesOf(account: AccountId, purpose?: CodePurpose): Promise<void>;
  /** Stores codes of other accounts each, none of a registration, as `putCode` does. */
  putCodes(codes: readonly PendingCode[]): Promise<void>;
  /**
   * Deletes the codes of a purpose that expired before, or will expire after, the times given (Unix seconds).
   */
  deleteExpiredCodes(purpose: CodePurpose, before: number, after: number): Promise<void>;
}
