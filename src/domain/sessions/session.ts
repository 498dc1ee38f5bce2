import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { SessionId, Uuid } from "../../kernel/ids.ts";
import { anonymous } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import { isInTime } from "../model/in-time.ts";
import { carrierOf, endOf, type Carrier } from "../model/session.ts";
import { levelInForce, type Level, type Member } from "../model/account.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, RightReads, Transact } from "../ports/unit-of-work.ts";
import type { SessionActivity } from "./activity.ts";
import type { Session } from "../ports/session-store.ts";

/** The member who makes a request, and the session that they use. */
export type SignedInMember = Member & {
  readonly sessionId: SessionId;
  /** Unix seconds, as it is written so far. */
  readonly lastUsedAt: number;
  /** When the session ends unless it is used again; Unix seconds. */
  readonly endsAt: number;
  /** When the member signed in; Unix seconds. */
  readonly signedInAt: number;
  /** The level in force. */
  readonly level: Level;
};

/** What a token says, and what brought it. */
export type SessionClaims = {
  readonly sessionId: SessionId;
  readonly accountUuid: Uuid;
  readonly carrier: Carrier;
};

/**
 * The member of a web session. Fails with unauthenticated when it was ended, has expired, is of another kind
 * or another account's, and when something else than `carrierOf` says brought its token.
 */
export async function resumeSession(
  { activity }: { readonly activity: Pick<SessionActivity, "lastUsedAt"> },
  { sessions, now }: Pick<RightReads, "sessions" | "now">,
  claims: SessionClaims,
): Promise<SignedInMember> {
  const found = await sessions.findSession(claims.sessionId);
  if (found?.session.kind !== "web" || found.member.account.uuid !== claims.accountUuid) throw hasEnded();
  const { member, session } = found;
  if (carrierOf(session) !== claims.carrier) throw wrongCarrier(claims.carrier);
  const level = levelInForce(member.account, now);
  const used = { ...session, lastUsedAt: activity.lastUsedAt(session) };
  if (!isInTime({ ...used, expiresAt: endOf(used, level) }, now)) throw hasEnded();
  const endsAt = endOf({ ...session, lastUsedAt: now }, level);
  const { id, lastUsedAt, createdAt } = session;
  return { ...member, sessionId: id, lastUsedAt, endsAt, signedInAt: createdAt, level };
}

function wrongCarrier(carrier: Carrier): AppError {
  return carrier === "cookie" ? refusals.headerTokenElsewhere() : refusals.cookieTokenElsewhere();
}

function hasEnded(): AppError {
  return refusals.sessionEnded();
}

/** Ends one session; its token is invalid from then on. */
export async function signOut(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  sessionId: SessionId,
): Promise<void> {
  await transact(actor, ({ sessions }) => sessions.deleteSession(sessionId));
}

/**
 * Ends the console's session that a browser had, if it still runs: the browser signs out, or has signed in
 * again.
 */
export async function forgetSession(
  { transact }: { readonly transact: Transact },
  sessionId: SessionId,
): Promise<void> {
  await transact(anonymous, async ({ sessions }) => {
    const found = await sessions.findSession(sessionId);
    if (found?.session.kind !== "web" || carrierOf(found.session) !== "cookie") return;
    await sessions.deleteSession(sessionId);
  });
}

/**
 * The member's own sessions, the last used first, with the times when they end unless they are used before.
 * It writes nothing, so it works while the disk is full.
 */
export async function listSessions(
  deps: { readonly reads: Reads; readonly clock: Clock; readonly activity: SessionActivity },
  { account }: Member,
): Promise<readonly Session[]> {
  const now = deps.clock.nowSeconds();
  const level = levelInForce(account, now);
  const found = await deps.reads.sessions.listSessions(account.id, now);
  const sessions = found
    .map((session) => ({ ...session, lastUsedAt: deps.activity.lastUsedAt(session) }))
    .map((session) => ({ ...session, expiresAt: endOf(session, level) }))
    .filter((session) => isInTime(session, now));
  return sessions.toSorted(
    (one, other) => other.lastUsedAt - one.lastUsedAt || other.createdAt - one.createdAt,
  );
}

/**
 * Ends one of the member's sessions, this one or another. Fails with not_found for one that is not theirs.
 */
export async function endSession(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  { account }: Member,
  sessionId: SessionId,
): Promise<void> {
  await transact(actor, async ({ sessions }) => {
    const found = await sessions.findSession(sessionId);
    if (found?.session.accountId !== account.id) throw refusals.unknownSession();
    await sessions.deleteSession(sessionId);
  });
}
