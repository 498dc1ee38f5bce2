import type { AccountId, Uuid } from "../../kernel/ids.ts";
import type { Account, ListedMember, Member } from "../model/account.ts";
import type { ListPage } from "../model/list-page.ts";
import type { Identity } from "../model/identity.ts";
import type { GrantedCape, Skin } from "../model/texture.ts";
import type { HashReads } from "./hash-reads.ts";

/**
 * Names an account: by its id, its mail address (in the form of `mailKey`), or the name (in the form of
 * `nameKey`) or uuid of any of its players. Its own uuid names it, too.
 */
export type MemberKey =
  | { readonly by: "id"; readonly value: AccountId }
  | { readonly by: "uuid"; readonly value: Uuid }
  | { readonly by: "mail"; readonly value: string }
  | { readonly by: "name"; readonly value: string };

/** What an account has beside its players. */
export type Belongings = {
  /** The wardrobe, oldest first. Bounded by the setting WARDROBE_MAX. */
  readonly skins: readonly Skin[];
  /** The capes that it may wear, by id. */
  readonly capes: readonly GrantedCape[];
  /** Its identity at a social provider; null when it is not linked. */
  readonly identity: Identity | null;
};

/** What a sign-in is compared with. */
export type Credentials = Pick<Account, "id" | "passwordHash" | "registration">;

/** A place in the list of unconfirmed accounts, which is in the order of their creation. */
export type UnconfirmedPlace = Pick<Account, "id" | "createdAt">;

/**
 * A place in a list of members: the member's number, and the key by which the list is sorted. Members without
 * a key follow all others, so a null key is a place among them. The key is given because it may change
 * between two pages.
 */
export type MemberPlace = { readonly id: number; readonly key: string | null };

/** A page of a sorted list; null: from the beginning. */
export type PlacedPage = { readonly after: MemberPlace | null; readonly rows: number };

/** What is read of accounts. Each account counts once, however many players it has. */
export interface AccountReads extends HashReads {
  /** The account that the key names, with its main player; null when there is none. */
  findMember(key: MemberKey): Promise<Member | null>;
  /** What an account has at this time (Unix seconds). */
  findBelongings(account: AccountId, now: number): Promise<Belongings>;
  /** When a session of the account was last used, one that has ended too, in Unix seconds; null: never. */
  findLastSeen(account: AccountId): Promise<number | null>;
  /** How many accounts are unconfirmed. */
  countUnconfirmed(): Promise<number>;
  /**
   * The credentials of the account that a mail address, username or alias signs in to; null when there is
   * none.
   */
  findCredentials(key: MemberKey & { readonly by: "mail" | "name" }): Promise<Credentials | null>;
  /**
   * The password hashes of accounts that lie evenly among all, at most `most`; null for one that has no
   * password. The same accounts while no account comes or goes.
   */
  sampleHashes(most: number): Promise<readonly (string | null)[]>;
  /** The ids among these that no account has, in their order. */
  listUnknown(ids: readonly AccountId[]): Promise<readonly AccountId[]>;
  /**
   * Members by id, the lowest first unless the page says otherwise. A search finds usernames and mail
   * addresses that contain it, ignoring case, when it is long enough (`isSearchable`); and the account that
   * it names as a whole id, uuid, username or mail address.
   */
  listMembers(page: ListPage): Promise<readonly ListedMember[]>;
  /**
   * How many members `listMembers` finds in all; a search is counted up to `most`, by default
   * `limits.countedMax`.
   */
  countMembers(search: string | null, most?: number): Promise<number>;
  /** Members by the `nameKey` of their main player; those without a player follow by number. */
  listByName(page: PlacedPage): Promise<readonly ListedMember[]>;
  /**
   * Members by `lastSeenAt`, the latest first, equal times by the highest number; those never seen follow by
   * the highest number.
   */
  listByLastSeen(page: PlacedPage): Promise<readonly ListedMember[]>;
  /**
   * Whether another account has a player, permanent level 3, and neither a lower temporary level nor a
   * suspension in force at this time (Unix seconds).
   */
  hasLastingAdministrator(other: { readonly than: AccountId; readonly now: number }): Promise<boolean>;
  /** Whether any account has level 3 for good, or for a time that has not ended (Unix seconds). */
  hasAdministrator(now: number): Promise<boolean>;
  /**
   * Members whose temporary level ended by this time (Unix seconds) and is still stored, the longest ended
   * first.
   */
  listEndedLevels(now: number, rows: number): Promise<readonly Member[]>;
  /** Accounts whose owner's deletion of them is due at this time (Unix seconds), the longest due first. */
  listLeaving(now: number, rows: number): Promise<readonly AccountId[]>;
  /** Unconfirmed accounts that were created by this time (Unix seconds), the oldest first, after a place. */
  listUnconfirmed(page: {
    readonly createdUntil: number;
    readonly after: UnconfirmedPlace | null;
    readonly rows: number;
  }): Promise<readonly UnconfirmedPlace[]>;
}

/**
 * An account that has no number yet. It starts without a temporary level, and gets the mails that go to
 * everybody.
 */
export type NewAccount = Omit<Account, "id" | "temporaryLevel" | "wantsBulkMail" | "playersMax" | "deleteAt">;

/** What can change of an account. Without a password hash no password signs in. */
export type AccountChange = Partial<Omit<Account, "id" | "uuid" | "createdAt">>;

/** What is written of accounts. An address that another account has fails with conflict. */
export interface AccountStore extends AccountReads {
  insertAccount(account: NewAccount): Promise<Account>;
  updateAccount(id: AccountId, change: AccountChange): Promise<void>;
  /** Replaces a password hash where the account still has it, as nothing that people notice. */
  replaceHash(id: AccountId, hash: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Removes the account and, with it, its players, sessions, skins and grants. The caller removes files. The
   * uuids of its players are remembered.
   */
  deleteAccount(id: AccountId): Promise<void>;
}
