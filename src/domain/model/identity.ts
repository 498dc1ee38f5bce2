import type { AccountId } from "../../kernel/ids.ts";

/**
 * What tells people apart. An id is unique only within its issuer: behind another issuer the same id is another person,
 * although the provider's name in the settings stays the same.
 */
export type PersonKey = {
  /** The provider's name in the settings: `discord`, `oidc` … */
  readonly provider: string;
  /** Who vouches for the id: the OpenID Connect issuer, else the provider's base address. */
  readonly issuer: string;
  /** The person's id there. Text, because such ids exceed 2^53. */
  readonly subject: string;
};

/** A provider, and who vouches for its people. */
export type ProviderIssuer = Pick<PersonKey, "provider" | "issuer">;

/** A person at a social provider. */
export type Person = PersonKey & {
  /** What the provider calls the person; as of the last sign-in through it. */
  readonly username: string;
  /** Address of a picture, which is never loaded by us; empty when there is none. */
  readonly avatar: string;
};

/** A provider's answer about the person who signed in there. */
export type SocialProfile = Person & {
  /** An address that the provider says is the person's; null when it says nothing of the kind. */
  readonly verifiedMail: string | null;
};

/** Somebody who has signed in at a provider and is not linked to an account yet. */
export type PendingPerson = SocialProfile & {
  /** What a keyed hash makes of the number that allows to link them. */
  readonly hash: string;
  /** Unix seconds. */
  readonly expiresAt: number;
};

/** A person at a social provider and the account that is linked to them. */
export type Identity = Person & {
  readonly accountId: AccountId;
  /** Unix seconds. */
  readonly linkedAt: number;
};
