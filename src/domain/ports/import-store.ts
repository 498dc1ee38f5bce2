/** What an import reads and writes here, many rows at once. */
import type {
  ImportKind,
  NewAccount,
  PlannedAccount,
  PlannedCape,
  WrittenFields,
} from "../model/import-plan.ts";
import type { Texture } from "../model/texture.ts";
import type { AccountId, CapeId, PlayerId, TextureHash, Uuid } from "../../kernel/ids.ts";

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
  /**
   * How many of each kind came in this run, with those of runs before it that were killed and announced
   * nothing.
   */
  readonly counts: Readonly<Record<string, number>>;
};

/** What became of a record. */
export type ImportLink = {
  readonly id: number;
  /** The row was deleted here since. */
  readonly isGone: boolean;
  /** Of what the record was when it came or was last looked at; empty: not known. */
  readonly digest: string;
};

/** What an account has here. */
export type AccountHere = WrittenFields & { readonly id: AccountId; readonly isSuspended: boolean };

/** Whose a name, address or uuid is here. `key` in the form of `nameKey` or `mailKey`. */
export type Taken = { readonly key: string; readonly account: AccountId };

/** A player that is here. */
export type PlayerHere = {
  readonly id: PlayerId;
  readonly account: AccountId;
  readonly name: string;
  readonly uuid: Uuid;
  readonly showsSkin: boolean;
};

/** Look-ups of many keys by one statement each. */
export interface ImportReads {
  findRun(source: string): Promise<ImportRun | null>;
  /** The local rows of records that came before, by key. */
  links(source: string, kind: LinkedKind, keys: readonly string[]): Promise<ReadonlyMap<string, ImportLink>>;
  /** Players by uuid and by name (in the form of `nameKey`), each once. */
  players(by: {
    readonly uuids: readonly Uuid[];
    readonly nameKeys: readonly string[];
  }): Promise<readonly PlayerHere[]>;
  playersById(ids: readonly PlayerId[]): Promise<readonly PlayerHere[]>;
  accountsHere(ids: readonly AccountId[]): Promise<readonly AccountHere[]>;
  /**
   * Names that are players', held or aliases. Held for a deleted account: account 0. One name may be several
   * accounts', where one holds it that another has got.
   */
  takenNames(keys: readonly string[]): Promise<readonly Taken[]>;
  /** Addresses that accounts have. `isOwned` is false for one that is not confirmed (`ownsItsMail`). */
  takenMails(keys: readonly string[]): Promise<readonly (Taken & { readonly isOwned: boolean })[]>;
  /** UUIDs that accounts and players have or had. */
  takenUuids(uuids: readonly Uuid[]): Promise<readonly { uuid: Uuid; account: AccountId }[]>;
  bannedTextures(hashes: readonly TextureHash[]): Promise<ReadonlySet<TextureHash>>;
  takenIdentities(
    people: readonly { readonly issuer: string; readonly subject: string }[],
  ): Promise<readonly { issuer: string; subject: string; account: AccountId }[]>;
  /** The rows of bitmaps that are here. */
  textures(hashes: readonly TextureHash[]): Promise<readonly Texture[]>;
}

/** What one account became. */
export type AppliedAccount = { readonly key: string; readonly id: AccountId };

/** Time in Unix seconds. */
export type ImportBatch<Row> = {
  readonly source: string;
  readonly now: number;
  readonly rows: readonly Row[];
};

/** Writes of an import. */
export interface ImportStore extends ImportReads {
  /**
   * Takes the run for a holder until a time; null while another holder has it. It begins at the first
   * account again, and goes on counting where a run before it was killed.
   */
  takeRun(run: { source: string; holder: string; until: number; now: number }): Promise<ImportRun | null>;
  /** Keeps the lease and says how far it is. Resolves to false when another holder has it. */
  moveRun(run: Pick<ImportRun, "source" | "holder" | "until" | "cursor" | "counts">): Promise<boolean>;
  /** Gives the lease back. A run that has announced what it brought is stopped or done. */
  endRun(run: { source: string; holder: string; state: "stopped" | "done"; now: number }): Promise<void>;
  /** Adds those that are not here. Resolves to the bitmaps that were added. */
  putTextures(textures: readonly Texture[], now: number): Promise<ReadonlySet<TextureHash>>;
  /** Writes capes with their links. Their bitmaps have rows. */
  putCapes(batch: ImportBatch<PlannedCape>): Promise<readonly CapeId[]>;
  /**
   * Writes accounts and everything that comes with them, with their links: no events, no counts of days, no
   * mails. Bitmaps have rows, and names, addresses and uuids are free. An account that was deleted here
   * meanwhile is left out.
   */
  putAccounts(batch: ImportBatch<PlannedAccount>): Promise<readonly AppliedAccount[]>;
  /** Replaces what changed there since of an account that came before. */
  updateAccount(id: AccountId, change: Partial<NewAccount>): Promise<void>;
  /** Announces to followers of events that this many players have come: they read all players again. */
  announceImported(players: number): Promise<void>;
}
