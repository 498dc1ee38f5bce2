import type { AccountId } from "../../kernel/ids.ts";
import type { Identity, PendingPerson, PersonKey, ProviderIssuer } from "../model/identity.ts";

/** What is read of identities. */
export interface IdentityReads {
  /** The identity of an account; null when it has none. */
  findIdentityOf(account: AccountId): Promise<Identity | null>;
  /** The identity of this person; null when no account is linked to it. */
  findIdentity(person: PersonKey): Promise<Identity | null>;
  /** The identities with this id at any provider and issuer, one for each issuer of a provider at most. */
  findIdentitiesById(subject: string): Promise<readonly Identity[]>;
  /** Whether an identity of this provider is older than the storing of issuers. */
  hasWithoutIssuer(provider: string): Promise<boolean>;
  /** The person who waits to be linked under this hash, expired or not; null when there is none. */
  findPending(hash: string): Promise<PendingPerson | null>;
}

/** What is written of identities. A second identity of a person or an account fails with conflict. */
export interface IdentityStore extends IdentityReads {
  insertIdentity(identity: Identity): Promise<void>;
  /** Updates the person's name and picture. */
  refreshIdentity(account: AccountId, now: Pick<Identity, "username" | "avatar">): Promise<void>;
  deleteIdentityOf(account: AccountId): Promise<void>;
  /**
   * Gives this issuer to the provider's identities that have none, and returns how many. An identity stays as
   * it is if the person at that issuer has another account already.
   */
  setMissingIssuer(now: ProviderIssuer): Promise<number>;
  /** Stores a person who waits to be linked, replacing an older wait of the same person. */
  putPending(person: PendingPerson): Promise<void>;
  deletePending(hash: string): Promise<void>;
  /** Removes the waits that expired before the time given (Unix seconds). */
  deleteExpiredPending(before: number): Promise<void>;
}
