import type { AccountId, Uuid } from "../../kernel/ids.ts";
import type { ListPage } from "../model/list-page.ts";
import type { Language } from "../model/mail.ts";
import type { Identity } from "../model/identity.ts";
import type { GrantedCape, Skin } from "../model/texture.ts";
import type { PlayerReads, PlayerStore } from "./player-store.ts";
import type { Account, Member } from "../model/account.ts";

/** One way to name an account. Keys are in the form of `mailKey` and `nameKey`. */
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

/** What a sign-in is held against. */
export type Credentials = Pick<Account, "id" | "passwordHash">;

/** A place in the list of accounts whose address is not confirmed; what follows it was made later. */
export type UnconfirmedPlace = Pick<Account, "id" | "createdAt">;

/** An account whose address is not confirmed. */
export type Unconfirmed = UnconfirmedPlace & { readonly hasPlayer: boolean };

/** What is read of accounts and players. */
export interface AccountReads extends PlayerReads {
  /** The account that the key names, with its player; null when there is none. A uuid is looked up among accounts. */
  findMember(key: MemberKey): Promise<Member | null>;
  /** What an account has at this time (Unix seconds). */
  findBelongings(account: AccountId, now: number): Promise<Belongings>;
  /** What the account that a mail address or username names signs in with; null when there is none. */
  findCredentials(key: MemberKey & { readonly by: "mail" | "name" }): Promise<Credentials | null>;
  /** Those among these ids that are nobody's, in their order. */
  listUnknown(ids: readonly AccountId[]): Promise<readonly AccountId[]>;
  /**
   * Members by ascending id. What is searched for is part of a username or mail address, in any case, when it has three
   * characters or more; it is also a whole id, uuid, username or mail address.
   */
  listMembers(page: ListPage): Promise<readonly Member[]>;
  /** How many members `listMembers` comes to in all. */
  countMembers(search: string | null): Promise<number>;
  /**
   * True when an account other than this one is finished and has level 3 for good, and no lower role holds at this time
   * (Unix seconds).
   */
  hasLastingAdministrator(other: { readonly than: AccountId; readonly now: number }): Promise<boolean>;
  /** Members whose role has ended by this time (Unix seconds) and was not taken away yet, the longest ended first. */
  listEndedRoles(now: number, rows: number): Promise<readonly Member[]>;
  /** Accounts whose address is not confirmed, made by this time (Unix seconds), the oldest first, of those behind a place. */
  listUnconfirmed(page: {
    readonly createdUntil: number;
    readonly after: UnconfirmedPlace | null;
    readonly rows: number;
  }): Promise<readonly Unconfirmed[]>;
}

/** An account that has no number yet. It starts without a role, and wants the mails that go to everybody. */
export type NewAccount = Omit<Account, "id" | "role" | "wantsBulkMail">;
/** An address, and whether it is confirmed. */
export type Address = { readonly mail: string } & Pick<Account, "mailVerified">;
/** What an account may do: for good, and for a time. */
export type Levels = Pick<Account, "permanentLevel" | "role">;
/** What is written of accounts and players. Uniqueness of mail, name and uuid is kept here: a clash fails with conflict. */
export interface AccountStore extends AccountReads, PlayerStore {
  insertAccount(account: NewAccount): Promise<Account>;
  /** Null takes the password away: no password signs in then. */
  setPasswordHash(id: AccountId, hash: string | null): Promise<void>;
  setLanguage(id: AccountId, language: Language): Promise<void>;
  /** Sets the address, and whether its owner has shown it to be theirs. */
  setMail(id: AccountId, address: Address): Promise<void>;
  /** Says whether the account gets the mails that administrators write to everybody. */
  setWantsBulkMail(id: AccountId, wants: boolean): Promise<void>;
  setLevels(id: AccountId, levels: Levels): Promise<void>;
  /** Removes the account and, with it, its player, sessions, skins and grants. Files are the caller's business. */
  deleteAccount(id: AccountId): Promise<void>;
}
