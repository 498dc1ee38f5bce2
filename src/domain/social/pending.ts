import { refusals } from "../model/refusals.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { PendingPerson, SocialProfile } from "../model/identity.ts";
import { isInTime } from "../model/in-time.ts";
import type { ProofMethod } from "../model/session.ts";
import type { KeyedHash } from "./login-states.ts";
import type { IdentityReads } from "../ports/identity-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** How a client shows that it was this person who signed in: the contract's `meta`. */
export type ConnectionClaim = { readonly subject: string; readonly connectionId: number };

/** Time to remember a password, or to decide on a new account. */
const connectionSeconds = 10 * 60;

/**
 * Keeps a person for ten minutes under a random number, which alone allows to link them: 53 bits, because a
 * JSON number carries no more. An older number of the same person is worthless from then on.
 */
export async function issueConnection(
  { identities, now }: Tx,
  hash: KeyedHash,
  { provider, issuer, subject, username, avatar, verifiedMail }: SocialProfile,
): Promise<number> {
  const connectionId = newConnectionId();
  const person = { provider, issuer, subject, username, avatar, verifiedMail };
  const expiresAt = now + connectionSeconds;
  await identities.putPending({ ...person, hash: hashOf(hash, connectionId), expiresAt });
  return connectionId;
}

/** The method of a person who signed in at their provider. */
export function socialProof({ provider }: Pick<PendingPerson, "provider">): ProofMethod {
  return `social:${provider}`;
}

/** When a person who waits to be linked signed in at the provider, in Unix seconds. */
export function provedAtOf({ expiresAt }: PendingPerson): number {
  return expiresAt - connectionSeconds;
}

/**
 * Uses a connection's number up, within the transaction of what it allows: of two uses at once one wins.
 * Fails with invalid, in the same words, for a number that is unknown, used, expired or another person's.
 */
export async function takePending(tx: Tx, hash: KeyedHash, claim: ConnectionClaim): Promise<PendingPerson> {
  const found = await findPending(tx, hash, claim);
  await tx.identities.deletePending(found.hash);
  return found;
}

/** Looks a person up at a time (Unix seconds) without using the number. Fails as `takePending` does. */
async function findPending(
  { identities, now }: { readonly identities: IdentityReads; readonly now: number },
  hash: KeyedHash,
  { subject, connectionId }: ConnectionClaim,
): Promise<PendingPerson> {
  const found = await identities.findPending(hashOf(hash, connectionId));
  const isOurs = found?.subject === subject && isInTime({ ...found, createdAt: provedAtOf(found) }, now);
  // Rows from before issuers were stored have no issuer.
  if (!isOurs || found.issuer === "") throw refusals.badConnection();
  return found;
}

/** A person who waits to be linked, as `findPending` finds them now. */
export function findWaiting(
  deps: {
    readonly reads: { readonly identities: IdentityReads };
    readonly clock: Pick<Clock, "nowSeconds">;
    readonly connectionHash: KeyedHash;
  },
  claim: ConnectionClaim,
): Promise<PendingPerson> {
  const now = deps.clock.nowSeconds();
  return findPending({ identities: deps.reads.identities, now }, deps.connectionHash, claim);
}

function hashOf(hash: KeyedHash, connectionId: number): string {
  return hash(`connection ${connectionId}`);
}

/** 1 to 2^53 - 1. */
function newConnectionId(): number {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return Math.max(1, Number(random >> 11n));
}
