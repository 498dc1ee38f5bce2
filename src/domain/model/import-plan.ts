/** What an import decides of each record of another system, before it writes anything. */
import type { AccountId, PlayerId, SkinId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { Level } from "./account.ts";
import type { Language } from "./mail.ts";
import type { OwnAccount, OwnCape, OwnGrant, OwnIdentity, OwnPlayer, OwnSkin } from "./own-records.ts";
import type { SkinModel } from "./texture.ts";

/** What decisions are about. */
export const importKinds = [
  "account",
  "player",
  "identity",
  "skin",
  "cape",
  "grant",
  "factor",
  "invite",
] as const;
/** One of them. */
export type ImportKind = (typeof importKinds)[number];

/**
 * `create`: it comes. `match`: it came before, or is here. `rename`: it comes under another name. `merge`: it
 * joins what is here or another record. `keep`: what people changed here since stays. `skip`: it does not
 * come. `ask`: a rule is missing, so nothing may be applied.
 */
export const importDecisions = ["create", "match", "rename", "merge", "keep", "skip", "ask"] as const;
/** One of them. */
export type ImportDecision = (typeof importDecisions)[number];

/** A row of the plan, and of its report. It never holds a hash of a password, a salt or another secret. */
export type Decided = {
  /** From 1 on, in the order of the plan. */
  readonly n: number;
  /** The record's own key there, as `users:5`. */
  readonly source: string;
  readonly kind: ImportKind;
  readonly decision: ImportDecision;
  /** A sentence; empty where there is nothing to say. */
  readonly reason: string;
  /** What it is called there (a name, an address), and here; null: nothing. */
  readonly from: string | null;
  readonly to: string | null;
};

/** An account as it shall be here, with everything that comes in one transaction with it. */
export type PlannedAccount = {
  /** The record's own key there. */
  readonly key: string;
  /** The account that it became before, or joins; null: a new one. */
  readonly id: AccountId | null;
  /**
   * Of what the record says there but its password, so that a later run sees what changed; empty: as it was.
   */
  readonly digest?: string;
  /** Keys of further records there that this account becomes. */
  readonly joined?: readonly string[];
  /** Null: nothing of the account itself is written. Of one that is here, what changes. */
  readonly account: NewAccount | null;
  /** Of one that is here: what it had when the plan was made. What people change until then stays. */
  readonly base?: WrittenFields | undefined;
  readonly aliases: readonly string[];
  /** The first is the main player of a new account. */
  readonly players: readonly PlannedPlayer[];
  readonly skins: readonly PlannedSkin[];
  /** Keys of the capes that it is granted. */
  readonly grants: readonly string[];
  /** Of a cloakroom's export alone: the grants of these capes, by key. */
  readonly ownGrants?: Readonly<Record<string, OwnGrant>> | undefined;
  readonly identity: PlannedIdentity | null;
  /** Null: it is not suspended there. */
  readonly suspension: { readonly until: number | null; readonly reason: string } | null;
};

/** What is written of an account that is here. */
export type WrittenFields = Pick<
  NewAccount,
  "mail" | "mailVerified" | "passwordHash" | "level" | "language" | "lastSeenAt" | "playersMax"
>;

/**
 * Whether a new account signs in through a provider alone. Its person then chooses a password as after a
 * social registration, once and with the main player's name: the forms for a new password or mail address ask
 * for the current password. What comes from another cloakroom is put back as it was.
 */
export function choosesPassword({
  account,
  identity,
}: Pick<PlannedAccount, "account" | "identity">): boolean {
  if (account === null || account.own !== undefined) return false;
  return identity !== null && account.passwordHash === null;
}

/** Times are Unix seconds. */
export type NewAccount = {
  readonly uuid: Uuid;
  readonly mail: string | null;
  readonly mailVerified: boolean;
  /** As `password_hash` has it; null: none. */
  readonly passwordHash: string | null;
  readonly level: Level;
  readonly language: Language;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly playersMax: number | null;
  /** Of a cloakroom's export alone, as in the records below. It is put back as it was. */
  readonly own?: OwnAccount | undefined;
};

/** A player of a planned account. */
export type PlannedPlayer = {
  readonly key: string;
  /** As the one of its account. */
  readonly digest?: string;
  /** The player that it became before; null: a new one. */
  readonly id: PlayerId | null;
  readonly name: string;
  readonly uuid: Uuid;
  readonly createdAt: number;
  /** The key of the skin of its account (`PlannedSkin.key`) that it shows; null: none. */
  readonly skin: string | null;
  /** The key of a cape that it shows whatever its skin says; null: the one of its skin, or none. */
  readonly cape: string | null;
  readonly own?: OwnPlayer | undefined;
};

/** A skin in the wardrobe of a planned account. */
export type PlannedSkin = {
  /** Of this account's own copy of a texture, as `closet:5:17`. */
  readonly key: string;
  /** The skin that it became before; null: a new one. */
  readonly id: SkinId | null;
  /** The bitmap, whose file the plan holds; null for a skin that is here, of which nothing is written. */
  readonly texture: TextureHash | null;
  readonly name: string;
  readonly model: SkinModel;
  readonly createdAt: number;
  readonly own?: OwnSkin | undefined;
};

/** One new cape for each bitmap. Those that came before are not among them: their links lead to them. */
export type PlannedCape = {
  readonly key: string;
  /** Further records there of the same bitmap, whose links lead to this cape as well. */
  readonly also: readonly string[];
  readonly texture: TextureHash;
  /** The bitmap of its wings; null: it has none. */
  readonly wings: TextureHash | null;
  readonly name: string;
  readonly createdAt: number;
  readonly own?: OwnCape | undefined;
};

/** The identity that a planned account is linked to. */
export type PlannedIdentity = {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly own?: OwnIdentity | undefined;
};
