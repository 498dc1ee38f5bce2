import type { AccountId } from "../../kernel/ids.ts";

/**
 * Names a person. An id is unique only within its issuer: at another issuer the same id is another person,
 * although the provider's name in the settings stays the same.
 */
export type PersonKey = {
  /** The provider's name in the settings: `discord`, `oidc` … */
  readonly provider: string;
  /** The OpenID Connect issuer, else the provider's base address. */
  readonly issuer: string;
  /** The person's id there. Text, because such ids exceed 2^53. */
  readonly subject: string;
};

/** A provider and the issuer of its people's ids. */
export type ProviderIssuer = Pick<PersonKey, "provider" | "issuer">;

/** A person at a social provider. */
export type Person = PersonKey & {
  /** The person's name at the provider, as of the last sign-in there. */
  readonly username: string;
  /** The address of a picture, which this program never loads; empty when there is none. */
  readonly avatar: string;
};

/** A provider's answer about the person who signed in there. */
export type SocialProfile = Person & {
  /** An address that the provider has verified; null when there is none. */
  readonly verifiedMail: string | null;
};

/** A person who has signed in at a provider and is not linked to an account yet. */
export type PendingPerson = SocialProfile & {
  /** The keyed hash of the number that allows to link them. */
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
