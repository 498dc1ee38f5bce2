import type { Language } from "./mail.ts";
import type { AccountId, CapeId, PlayerId, SkinId, Uuid } from "../../kernel/ids.ts";
import { refusals } from "./refusals.ts";

/** What an account may do: 1 player, 2 moderator, 3 administrator. */
export type Level = 1 | 2 | 3;

/**
 * How far an account's registration is. `unconfirmed`: the address is not confirmed, so the account may be a
 * stranger's doing. `unnamed`: the owner has not chosen a username; after a social login a derived name
 * stands in for it. `complete`: done.
 */
export type Registration = "unconfirmed" | "unnamed" | "complete";

/** A level that is in force for a time, above or below the permanent one. */
export type TemporaryLevel = {
  readonly level: Level;
  /** Unix seconds; from then on the permanent level holds again. */
  readonly expiresAt: number;
};

/** The data that a person signs in with. Its uuid is fixed for life; its id and uuid are never used again. */
export type Account = {
  readonly id: AccountId;
  readonly uuid: Uuid;
  readonly registration: Registration;
  /** Null for an account from a social provider that gave no verified address. */
  readonly mail: string | null;
  readonly mailVerified: boolean;
  /** A hash in PHC text form; null while the account has no password. */
  readonly passwordHash: string | null;
  /** In force unless a temporary level is; see `levelInForce`. */
  readonly permanentLevel: Level;
  readonly temporaryLevel: TemporaryLevel | null;
  /** Whether it gets the mails that administrators write to everybody. */
  readonly wantsBulkMail: boolean;
  /** How many players it may have; null: as many as the setting PLAYERS_MAX says. */
  readonly playersMax: number | null;
  /** The language of the mails that it gets. */
  readonly language: Language;
  /** Unix seconds. */
  readonly createdAt: number;
  /** When its owner's deletion of it takes effect, in Unix seconds; null: it was not asked for. */
  readonly deleteAt: number | null;
};

/** What the game sees of an account. Its uuid stays when it is renamed. */
export type Player = {
  readonly id: PlayerId;
  readonly uuid: Uuid;
  readonly accountId: AccountId;
  readonly name: string;
  /** Whether the name was made from a social provider's and the owner has not chosen one yet. */
  readonly nameDerived: boolean;
  readonly selectedSkinId: SkinId | null;
  readonly ownCape: OwnCape;
  /** Whether its owner lets others wear the skin that it shows. */
  readonly sharesSkin: boolean;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** A name by which an account signs in beside its players' names. It names nothing else. */
export type Alias = {
  readonly name: string;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** The cape that a player shows: the one linked to its skin, no cape, or a granted one of its own. */
export type OwnCape = "as-skin" | "none" | CapeId;

/** An account with its main player, which stands for it; null while it has none. */
export type Member = { readonly account: Account; readonly player: Player | null };

/** What long lists show of a member. */
export type ListedMember = {
  readonly id: AccountId;
  readonly account: Pick<
    Account,
    "id" | "uuid" | "mail" | "mailVerified" | "permanentLevel" | "temporaryLevel" | "createdAt"
  >;
  readonly player: Pick<Player, "uuid" | "name"> | null;
  /**
   * When it was last seen (Unix seconds), up to `limits.lastSeenSeconds` less than
   * `AccountReads.findLastSeen` says; null: never.
   */
  readonly lastSeenAt: number | null;
  /** Its id at the social provider; null when it is not linked. */
  readonly socialId: string | null;
};

/**
 * How far the registration of a member is: the rule that the stored `registration` follows. The owner of a
 * derived name chooses another one, once, while the account has no password. An account without a player that
 * is `unnamed` stays so, whether its address is confirmed or not: it came from another system, where it was
 * somebody's. Only staff take a confirmation back, and store `unconfirmed`.
 */
export function registrationOf({
  account: { registration, mail, mailVerified, passwordHash },
  player,
}: {
  readonly account: Pick<Account, "registration" | "mail" | "mailVerified" | "passwordHash">;
  readonly player: Player | null;
}): Registration {
  if (player !== null) return player.nameDerived && passwordHash === null ? "unnamed" : "complete";
  return mailVerified || mail === null || registration === "unnamed" ? "unnamed" : "unconfirmed";
}

/**
 * Whether the account's address is taken. An unconfirmed account loses it to the person who proves that the
 * address is theirs, unless the account was given a level above 1.
 */
export function ownsItsMail({ registration, permanentLevel, temporaryLevel }: Account): boolean {
  return registration !== "unconfirmed" || permanentLevel > 1 || temporaryLevel !== null;
}

/** The name of a member's main player; empty while there is none. */
export function usernameOf({ player }: { readonly player: Pick<Player, "name"> | null }): string {
  return player?.name ?? "";
}

/** The account's public uuid: its main player's, or its own while it has no player. */
export function uuidOf({ account, player }: Pick<ListedMember, "account" | "player">): Uuid {
  return player?.uuid ?? account.uuid;
}

/** The temporary level in force at this time (Unix seconds); null when there is none, or it has ended. */
export function temporaryLevelInForce(
  { temporaryLevel: level }: Pick<Account, "temporaryLevel">,
  now: number,
): TemporaryLevel | null {
  return level !== null && level.expiresAt > now ? level : null;
}

/**
 * The level in force at this time (Unix seconds): a temporary level until it ends, then the permanent one.
 */
export function levelInForce(
  account: Pick<Account, "permanentLevel" | "temporaryLevel">,
  now: number,
): Level {
  return temporaryLevelInForce(account, now)?.level ?? account.permanentLevel;
}

/** True for 1, 2 and 3. */
export function isLevel(value: number): value is Level {
  return value === 1 || value === 2 || value === 3;
}

/** The main player of a member. Fails with forbidden while there is none. */
export function playerOf({ player }: Member): Player {
  if (player === null) throw refusals.unfinished();
  return player;
}
