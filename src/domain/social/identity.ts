import type { AccountId } from "../../kernel/ids.ts";

/** A person at a social provider. */
export type Person = {
  /** The provider's name in the settings: `discord`, `oidc` … */
  readonly provider: string;
  /** The person's id there. Text, because such ids exceed 2^53. */
  readonly subject: string;
  /** What the provider calls the person; as of the last sign-in through it. */
  readonly username: string;
  /** Address of a picture, which is never loaded by us; empty when there is none. */
  readonly avatar: string;
};

/** A person at a social provider and the account that is linked to them. */
export type Identity = Person & {
  readonly accountId: AccountId;
  /** Unix seconds. */
  readonly linkedAt: number;
};
