import type { Language } from "./mail.ts";
import type { AccountId, PlayerId, SkinId, Uuid } from "../../kernel/ids.ts";
import { refusals } from "./refusals.ts";

/** What an account may do: 1 player, 2 moderator, 3 administrator (decisions, Vocabulary). */
export type Level = 1 | 2 | 3;

/** A level that holds for a time, above or below the permanent one. */
export type TemporaryRole = {
  readonly level: Level;
  /** Unix seconds; from then on the permanent level holds again. */
  readonly expiresAt: number;
};

/** Somebody's sign-in data. Its uuid is fixed for life; its id and uuid are never used again. */
export type Account = {
  readonly id: AccountId;
  readonly uuid: Uuid;
  /** Null for one that came from a social provider which told no verified address. */
  readonly mail: string | null;
  readonly mailVerified: boolean;
  /** A hash in PHC text form; null while the account has no password. */
  readonly passwordHash: string | null;
  /** What holds unless a role does; see `levelInForce`. */
  readonly permanentLevel: Level;
  readonly role: TemporaryRole | null;
  /** Whether it gets the mails that administrators write to everybody. */
  readonly wantsBulkMail: boolean;
  /** The language of the mails that it gets. */
  readonly language: Language;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** What the game sees of an account. It comes into being when the account is finished and takes over the account's uuid. */
export type Player = {
  readonly id: PlayerId;
  readonly uuid: Uuid;
  readonly accountId: AccountId;
  readonly name: string;
  /** Whether the name was made from a social provider's, and nobody has chosen it yet. */
  readonly nameDerived: boolean;
  readonly selectedSkinId: SkinId | null;
};

/** An account with the player that it shows; no player yet means that registration is unfinished. */
export type Member = { readonly account: Account; readonly player: Player | null };

/**
 * Whether the account's address is taken. One that nobody confirmed and nobody plays with may be a stranger's doing: who
 * shows that the address is theirs takes it from there.
 */
export function ownsItsMail({ account, player }: Member): boolean {
  return account.mailVerified || player !== null || account.permanentLevel > 1 || account.role !== null;
}

/** The temporary role that holds at this time (Unix seconds); null when there is none, or it has ended. */
export function roleInForce({ role }: Account, now: number): TemporaryRole | null {
  return role !== null && role.expiresAt > now ? role : null;
}

/** The level that holds at this time (Unix seconds): the role's until it ends, then the permanent one. */
export function levelInForce(account: Account, now: number): Level {
  return roleInForce(account, now)?.level ?? account.permanentLevel;
}

/** True for 1, 2 and 3. */
export function isLevel(value: number): value is Level {
  return value === 1 || value === 2 || value === 3;
}

/** The player of a member whose registration is finished. Fails with forbidden while it is not. */
export function playerOf({ player }: Member): Player {
  if (player === null) throw refusals.unfinished();
  return player;
}
