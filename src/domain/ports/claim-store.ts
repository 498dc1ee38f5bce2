import type { AccountId, Uuid } from "../../kernel/ids.ts";

/** An account that came from another system without any way to sign in. */
export type Claimable = {
  readonly id: AccountId;
  /** The main player's uuid, else the account's. */
  readonly uuid: Uuid;
  /** The main player's name, else an alias; empty: it has neither. */
  readonly name: string;
};

/**
 * What is read of accounts to be claimed: those with neither mail address nor password nor social account.
 */
export interface ClaimReads {
  /**
   * Those among the next accounts that one source of an import became, by the keys there, after a key (empty:
   * from the first on). `last` is the key to go on after; null: there are no more.
   */
  listClaimable(
    source: string,
    after: string,
  ): Promise<{ readonly accounts: readonly Claimable[]; readonly last: string | null }>;
  /**
   * How many there are among the next accounts without mail address and password, after a number (0: from the
   * first on). `last` is the number to go on after; null: there are no more.
   */
  countClaimable(after: number): Promise<{ readonly accounts: number; readonly last: number | null }>;
}
