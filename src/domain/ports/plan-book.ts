/**
 * Where an import is planned: all records of the source with what is decided of each, outside of memory and
 * outside of the community's own database. It is gone when it is disposed of. Records are numbered in the
 * order in which they were read.
 */
import type { Decided, PlannedAccount, PlannedCape } from "../model/import-plan.ts";
import type { AccountId, PlayerId, SkinId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { SkinModel } from "../model/texture.ts";
import type {
  SourceAccount,
  SourceHolding,
  SourceIdentity,
  SourcePlayer,
  SourceTexture,
} from "./import-source.ts";
import type { IncomingTexture } from "./pictures.ts";
import type { PlannedImport } from "./planned-import.ts";

/**
 * `new`: it comes. `here`: it came before or was here. `gone`: it came before and was deleted here.
 * `skipped`: it does not come. `merged`: another record takes its things.
 */
export type RecordState = "new" | "here" | "gone" | "skipped" | "merged";

/** What was decided of a record so far. */
type Fate = {
  readonly state: RecordState;
  /** A sentence; empty: nothing to say. */
  readonly reason: string;
};

/** An account of the source, and what was decided of it. */
export type BookAccount = Fate & {
  readonly n: number;
  readonly id: AccountId | null;
  readonly source: SourceAccount;
  /** Its address as it comes; null: without one. */
  readonly mail: string | null;
  /** The number of the account that it joins; null: none. */
  readonly joins: number | null;
  /** What it was when it came before; null: it did not. */
  readonly knownDigest: string | null;
};

/** A player of the source, and what was decided of it. */
export type BookPlayer = Fate & {
  readonly n: number;
  /** The number of its account; null for a source about others' players. */
  readonly account: number | null;
  readonly id: PlayerId | null;
  readonly source: SourcePlayer;
  /** As it comes; null: not decided. */
  readonly name: string | null;
  readonly uuid: Uuid | null;
  /** Whether it shows a skin here already. */
  readonly showsSkin: boolean;
  /** What it was when it came before; null: it did not. */
  readonly knownDigest: string | null;
};

/** A texture of the source, and what its file holds. */
export type BookTexture = Fate & {
  readonly n: number;
  readonly source: SourceTexture;
  /** Null: its file was not read. */
  readonly bitmap: null | {
    readonly hash: TextureHash;
    readonly model: SkinModel | null;
    readonly wings: TextureHash | null;
    /** Whether it is a skin of the form before 1.8, which has classic arms alone. */
    readonly isLegacy: boolean;
  };
  /** The key of the cape that it became or becomes; null: none. */
  readonly cape: string | null;
};

/** An account's own copy of a texture. */
export type BookSkin = Fate & {
  readonly n: number;
  readonly account: number;
  readonly key: string;
  readonly id: SkinId | null;
  readonly texture: number;
  readonly name: string | null;
  /** Null: the texture's. */
  readonly model: SkinModel | null;
  readonly addedAt: number | null;
  /** Whether a player wears it. */
  readonly isWorn: boolean;
};

/** A permission to wear a cape. */
export type BookGrant = {
  readonly n: number;
  readonly account: number;
  readonly texture: number;
  readonly holding: SourceHolding | null;
};

/** A connection of an account to a person of a provider. */
export type BookIdentity = { readonly n: number; readonly account: number; readonly source: SourceIdentity };

/** A place in the order of importance: the account that was seen last comes first, then the older record. */
export type Rank = { readonly rank: number; readonly n: number };

/** How many decisions there are of one kind for one reason. */
export type DecidedGroup = Pick<Decided, "kind" | "decision" | "reason"> & {
  readonly count: number;
  /** The first of them. */
  readonly first: readonly Decided[];
};

/** How many decisions there are of one kind. */
export type DecidedCount = Pick<Decided, "kind" | "decision"> & { readonly count: number };

/** A player with the number of its account; null for a source about others' players. */
export type PlayerOfAccount = { readonly source: SourcePlayer; readonly account: number | null };

/** Lists in which each word has one owner. */
export type ClaimedList = "name" | "mail" | "uuid" | "identity" | "cape";

/** Records after a number, `most` at most. */
export type BookPage = { readonly after: number; readonly most: number };

/** The records of one plan. All methods answer at once: the book is a file of this process. */
export interface PlanBook extends Disposable {
  /** What is applied. */
  readonly planned: PlannedImport;
  /** Adds records. Each returns those whose keys the book has already, which are left out. */
  addAccounts(rows: readonly SourceAccount[]): readonly SourceAccount[];
  addPlayers(rows: readonly PlayerOfAccount[]): readonly PlayerOfAccount[];
  addTextures(rows: readonly SourceTexture[]): readonly SourceTexture[];
  addIdentities(rows: readonly { readonly source: SourceIdentity; readonly account: number }[]): void;
  /** One for each account and texture and model. A second one is left out, unless it is the first worn. */
  addSkin(
    skin: Pick<BookSkin, "account" | "key" | "texture" | "name" | "model" | "addedAt" | "isWorn">,
  ): void;
  /** One for each account and texture. */
  addGrant(grant: Omit<BookGrant, "n">): void;
  /** The number of an account that is here and not a record of the source. */
  addHere(id: AccountId): number;

  accounts(page: BookPage): readonly BookAccount[];
  /** New ones by rank. */
  rankedAccounts(after: Rank, most: number): readonly (BookAccount & Rank)[];
  account(n: number): BookAccount | null;
  players(page: BookPage): readonly BookPlayer[];
  /** New ones by the rank of their accounts. */
  rankedPlayers(after: Rank, most: number): readonly (BookPlayer & Rank)[];
  /** Those of accounts from one number to another. */
  playersOf(first: number, last: number): readonly BookPlayer[];
  bookTextures(numbers: readonly number[]): readonly BookTexture[];
  /** Textures that come, by whom they are needed: of new skins, or capes that were not here. */
  neededTextures(page: BookPage): readonly BookTexture[];
  capeTextures(page: BookPage): readonly BookTexture[];
  skins(page: BookPage): readonly BookSkin[];
  skinsOf(first: number, last: number): readonly BookSkin[];
  grants(page: BookPage): readonly BookGrant[];
  grantsOf(first: number, last: number): readonly BookGrant[];
  identitiesOf(first: number, last: number): readonly BookIdentity[];
  /** Numbers of records by their keys. */
  accountNumbers(keys: readonly string[]): ReadonlyMap<string, number>;
  textureNumbers(
    keys: readonly string[],
  ): ReadonlyMap<string, { readonly n: number; readonly kind: "skin" | "cape" }>;
  countAccounts(): number;
  /** How many players and skins an account has so far, counted up to a number. */
  countThings(things: "players" | "skins", account: number, most: number): number;
  /** Accounts that join those from one number to another. */
  joinedOf(first: number, last: number): readonly { readonly key: string; readonly joins: number }[];

  setAccount(
    n: number,
    change: Partial<Pick<BookAccount, "state" | "reason" | "id" | "mail" | "knownDigest">>,
  ): void;
  /** Gives the players and identities of one account to another one, which it joins. */
  mergeAccount(from: number, into: number): void;
  setPlayer(n: number, change: Partial<Omit<BookPlayer, "n" | "source">>): void;
  setTexture(n: number, change: Partial<Omit<BookTexture, "n" | "source">>): void;
  setSkin(n: number, change: Partial<Pick<BookSkin, "state" | "reason" | "id" | "name">>): void;
  putBitmap(incoming: IncomingTexture): void;
  /** How large the files are that come. */
  bitmapBytes(): number;

  /**
   * Takes a word (a name, an address, a uuid) for an owner within one list. Null when it was free; else the
   * owner's number.
   */
  claim(list: ClaimedList, key: string, owner: number): number | null;
  /** The owner of a word; null: it is free. */
  claimed(list: ClaimedList, key: string): number | null;
  /** The next number for a name that begins like this, from 2 on. */
  nextSuffix(stem: string): number;
  addAlias(account: number, name: string): void;
  aliasesOf(first: number, last: number): readonly { readonly account: number; readonly name: string }[];

  /** Keys of further textures that become the cape of this one. */
  capeDoubles(key: string): readonly string[];

  putCape(cape: PlannedCape): void;
  putAccount(account: PlannedAccount): void;
  decide(decided: Omit<Decided, "n">): void;
  /** Replaces what was decided of a record. */
  decideAgain(decided: Omit<Decided, "n">): void;
  /** Everything that was decided, in order, some at a time. */
  decided(most: number): Iterable<readonly Decided[]>;
  tally(): readonly DecidedCount[];
  /**
   * Decisions that something is to be said of, by kind, decision and reason, in the order of their first
   * ones: of each kind and decision so many reasons, the most frequent ones, each with so many of the first.
   */
  groups(most: { readonly reasons: number; readonly first: number }): readonly DecidedGroup[];
}
