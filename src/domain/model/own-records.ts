/**
 * What an export of a cloakroom says of its records beyond what other systems keep. An import of it puts all
 * of this back as it was.
 */
import type { Uuid } from "../../kernel/ids.ts";
import type { Account, Player } from "./account.ts";

/** Of an account; times are Unix seconds. */
export type OwnAccount = Pick<Account, "registration" | "wantsBulkMail" | "temporaryLevel" | "deleteAt"> & {
  /** All names by which it signs in beside its players' names. */
  readonly aliases: readonly { readonly name: string; readonly createdAt: number }[];
  /** The audit's name for the actor who suspended it, and when; null: it is not suspended. */
  readonly suspension: { readonly issuer: string; readonly at: number } | null;
};

/** Of a player. */
export type OwnPlayer = Pick<Player, "nameDerived" | "sharesSkin"> & {
  /** Whether it shows no cape, whatever its skin says. */
  readonly hidesCape: boolean;
  /** When its owner last renamed it; 0: never. */
  readonly renamedAt: number;
};

/** Of a skin. */
export type OwnSkin = {
  readonly uuid: Uuid;
  /** The key of the cape that is linked to it; null: no cape is. */
  readonly cape: string | null;
};

/** Of a cape. */
export type OwnCape = {
  readonly uuid: Uuid;
  /** The audit's name for the actor who uploaded it. */
  readonly uploadedBy: string;
};

/** Of a grant of a cape; times are Unix seconds. */
export type OwnGrant = {
  readonly grantedAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
};

/** Of a person at a social provider. */
export type OwnIdentity = {
  readonly provider: string;
  readonly avatar: string;
  readonly linkedAt: number;
};
