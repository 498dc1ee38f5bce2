import type { AccountId } from "../../kernel/ids.ts";
import type { Identity, PendingPerson } from "./identity.ts";

/** What is read of identities. */
export interface IdentityReads {
  /** The identity of an account; null when it has none. */
  findIdentityOf(account: AccountId): Promise<Identity | null>;
  /** The identity of this person; null when no account is linked to them. */
  findIdentity(person: Pick<Identity, "provider" | "subject">): Promise<Identity | null>;
  /** The identities with this id, whichever provider's: one for each provider at most. */
  findIdentitiesById(subject: string): Promise<readonly Identity[]>;
  /** The identities of these accounts, at most as many as a list page has. */
  listIdentities(accounts: readonly AccountId[]): Promise<readonly Identity[]>;
  /** Who waits to be linked under this hash, in time or not; null when nobody does. */
  findPending(hash: string): Promise<PendingPerson | null>;
}

/** What is written of identities. Each person and each account has one at most: a second one fails with conflict. */
export interface IdentityStore extends IdentityReads {
  insertIdentity(identity: Identity): Promise<void>;
  /** Notes what the person is called and looks like now. */
  refreshIdentity(account: AccountId, now: Pick<Identity, "username" | "avatar">): Promise<void>;
  deleteIdentityOf(account: AccountId): Promise<void>;
  /** Keeps a person who waits to be linked, in the place of the same person's older wait. */
  putPending(person: PendingPerson): Promise<void>;
  deletePending(hash: string): Promise<void>;
  /** Removes who waited until before the time given (Unix seconds). */
  deleteExpiredPending(before: number): Promise<void>;
}
