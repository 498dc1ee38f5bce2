/** What an import reads and writes here, many rows at once. */
import type { ImportKind, NewAccount, PlannedAccount, PlannedCape } from "../model/import-plan.ts";
import type { AccountId, TextureHash, Uuid } from "../../kernel/ids.ts";

/** The kinds of records whose rows here are remembered. */
export type LinkedKind = Extract<ImportKind, "account" | "player" | "skin" | "cape">;

/** A run of an import of one source. */
export type ImportRun = {
  readonly source: string;
  readonly state: "running" | "stopped" | "done";
  /** The key of the last account that was applied; empty: none. */
  readonly cursor: string;
  /** The process that works on it; empty: none. */
  readonly holder: string;
  /** Unix seconds. */
  readonly until: number;
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly counts: Readonly<Record<string, number>>;
};

/** Whose a name, address or uuid is here. `key` in the form of `nameKey` or `mailKey`. */
export type Taken = { readonly key: string; readonly account: AccountId };

export interface ImportReads {
  findRun(source: string): Promise<ImportRun | null>;
  /** The local rows of records that came before, by key. `isGone`: the row was deleted here since. */
  links(
    source: string,
    kind: LinkedKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly id: number; readonly isGone: boolean }>>;
  /** Names that are players', held or aliases. Held for nobody that exists: account 0. */
  takenNames(keys: readonly string[]): Promise<readonly Taken[]>;
  /** Addresses that accounts have. `isOwned` is false for one that is not confirmed (`ownsItsMail`). */
  takenMails(keys: readonly string[]): Promise<readonly (Taken & { readonly isOwned: boolean })[]>;
  /** UUIDs that accounts and players have or had. */
  takenUuids(uuids: readonly Uuid[]): Promise<readonly { uuid: Uuid; account: AccountId }[]>;
  bannedTextures(hashes: readonly TextureHash[]): Promise<ReadonlySet<TextureHash>>;
  takenIdentities(
    people: readonly { readonly issuer: string; readonly subject: string }[],
  ): Promise<readonly { issuer: string; subject: string; account: AccountId }[]>;
}

/** What one account became. */
export type AppliedAccount = { readonly key: string; readonly id: AccountId };

export interface ImportStore extends ImportReads {
  /** Takes the run for a holder until a time; null while another holder has it. */
  takeRun(run: { source: string; holder: string; until: number; now: number }): Promise<ImportRun | null>;
  /** Keeps the lease and says how far it is. Resolves to false when another holder has it. */
  moveRun(run: Pick<ImportRun, "source" | "holder" | "until" | "cursor" | "counts">): Promise<boolean>;
  endRun(run: { source: string; holder: string; state: "stopped" | "done"; now: number }): Promise<void>;
  /** Writes capes with their links. */
  putCapes(source: string, capes: readonly PlannedCape[]): Promise<void>;
  /**
   * Writes accounts and everything that comes with them, with their links: no events, no counts of days, no
   * mails.
   */
  putAccounts(source: string, accounts: readonly PlannedAccount[]): Promise<readonly AppliedAccount[]>;
  /** Replaces what changed there since of an account that came before. */
  updateAccount(id: AccountId, change: Partial<NewAccount>): Promise<void>;
}
