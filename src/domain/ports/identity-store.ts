import type { AccountId } from "../../kernel/ids.ts";
import type { Identity, PendingPerson, PersonKey, ProviderIssuer } from "../model/identity.ts";

/** What is read of identities. */
export interface IdentityReads {
  /** The identity of an account; null when it has none. */
  findIdentityOf(account: AccountId): Promise<Identity | null>;
  /** The identity of this person; null when no account is linked to them. */
  findIdentity(person: PersonKey): Promise<Identity | null>;
  /** The identities with this id, whichever provider's and issuer's: one for each issuer of a provider at most. */
  findIdentitiesById(subject: string): Promise<readonly Identity[]>;
  /** The identities of these accounts, at most as many as a list page has. */
  listIdentities(accounts: readonly AccountId[]): Promise<readonly Identity[]>;
  /** Whether any identity of this provider is from before issuers were kept. */
  hasWithoutIssuer(provider: string): Promise<boolean>;
  /** Who waits to be linked under this hash, in time or not; null when nobody does. */
  findPending(hash: string): Promise<PendingPerson | null>;
}

/** What is written of identities. Each person and each account has one at most: a second one fails with conflict. */
export interface IdentityStore extends IdentityReads {
  insertIdentity(identity: Identity): Promise<void>;
  /** Notes what the person is called and looks like now. */
  refreshIdentity(account: AccountId, now: Pick<Identity, "username" | "avatar">): Promise<void>;
  deleteIdentityOf(account: AccountId): Promise<void>;
  /**
   * Gives the provider's identities without an issuer this one; returns how many. An identity stays as it is where the person
   * behind that issuer has another account already.
   */
  setMissingIssuer(now: ProviderIssuer): Promise<number>;
  /** Keeps a person who waits to be linked, in the place of the same person's older wait. */
  putPending(person: PendingPerson): Promise<void>;
  deletePending(hash: string): Promise<void>;
  /** Removes who waited until before the time given (Unix seconds). */
  deleteExpiredPending(before: number): Promise<void>;
}
