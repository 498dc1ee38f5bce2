import { AppError } from "../../kernel/errors.ts";
import type { PendingPerson, SocialProfile } from "../model/identity.ts";
import type { KeyedHash } from "./login-states.ts";
import type { IdentityReads, IdentityStore } from "../ports/identity-store.ts";

/** How a client shows that it was this person who signed in (decisions, Social: `meta`). */
export type ConnectionClaim = { readonly subject: string; readonly connectionId: number };

/** Long enough to remember a password, or to decide on a new account. */
const connectionSeconds = 10 * 60;

/**
 * Keeps a person for ten minutes under a random number, which alone allows to link them: 53 bits, for JSON numbers carry no
 * more. An older number of the same person is worthless from then on.
 */
export async function issueConnection(
  identities: IdentityStore,
  hash: KeyedHash,
  { provider, issuer, subject, username, avatar, verifiedMail }: SocialProfile,
  at: number,
): Promise<number> {
  const connectionId = newConnectionId();
  const person = { provider, issuer, subject, username, avatar, verifiedMail };
  const expiresAt = at + connectionSeconds;
  await identities.putPending({ ...person, hash: hashOf(hash, connectionId), expiresAt });
  return connectionId;
}

/**
 * Uses a connection's number up, within the transaction of what it allows: of two at once one wins. Fails with invalid for
 * a number that is unknown, used, expired or another person's, without telling which.
 */
export async function takePending(
  identities: IdentityStore,
  hash: KeyedHash,
  claim: ConnectionClaim,
  at: number,
): Promise<PendingPerson> {
  const found = await findPending(identities, hash, claim, at);
  await identities.deletePending(found.hash);
  return found;
}

/** Looks a person up without using the number. Fails as `takePending` does. */
export async function findPending(
  identities: IdentityReads,
  hash: KeyedHash,
  { subject, connectionId }: ConnectionClaim,
  at: number,
): Promise<PendingPerson> {
  const found = await identities.findPending(hashOf(hash, connectionId));
  // A person from before issuers were kept has none.
  if (found === null || found.issuer === "" || found.subject !== subject || found.expiresAt <= at) {
    throw new AppError(
      "invalid",
      "meta: id and conn_id do not belong together, or were used, or have expired; begin again",
    );
  }
  return found;
}

function hashOf(hash: KeyedHash, connectionId: number): string {
  return hash(`connection ${connectionId}`);
}

/** 1 to 2^53 - 1. */
function newConnectionId(): number {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return Math.max(1, Number(random >> 11n));
}
