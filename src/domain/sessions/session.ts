import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SessionId, Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { levelInForce, type Level, type Member } from "../model/account.ts";
import type { RightReads } from "./rights.ts";
import type { Reads, Transact } from "../ports/stores.ts";
import type { SessionActivity } from "./activity.ts";
import type { LiveSession, Session } from "../ports/session-store.ts";

/** Who a request is made by, and through which session. */
export type SignedInMember = Member & {
  readonly sessionId: SessionId;
  /** The level in force. */
  readonly level: Level;
};

/** The member whose session it is. Fails with unauthenticated when it was ended, has expired or is not of this uuid. */
export async function resumeSession(
  deps: { readonly reads: RightReads; readonly clock: Clock; readonly activity: SessionActivity },
  claims: { readonly sessionId: SessionId; readonly accountUuid: Uuid },
): Promise<SignedInMember> {
  const found = await deps.reads.sessions.findSession(claims.sessionId);
  const now = deps.clock.nowSeconds();
  if (found === null || !isInTime(found.session, now) || found.member.account.uuid !== claims.accountUuid)
    throw new AppError("unauthenticated", "This session has ended; sign in again");
  deps.activity.note(found.session, now);
  const level = levelInForce(found.member.account, now);
  return { ...found.member, sessionId: claims.sessionId, level };
}

/** Neither expired, nor from before the clock was set back, when it would run for longer than it should. */
function isInTime({ expiresAt }: LiveSession, now: number): boolean {
  const openedAt = expiresAt - limits.sessionSeconds;
  return expiresAt > now && openedAt <= now + limits.clockStepSeconds;
}

/** Ends one session; its token is worth nothing from then on. */
export async function signOut(deps: { readonly transact: Transact }, sessionId: SessionId): Promise<void> {
  await deps.transact((stores) => stores.sessions.deleteSession(sessionId));
}

/** The member's own sessions, the last used first. Nothing is written, so it works while nothing can be. */
export async function listSessions(
  deps: { readonly reads: Reads; readonly clock: Clock; readonly activity: SessionActivity },
  { account }: Member,
): Promise<readonly Session[]> {
  const found = await deps.reads.sessions.listSessions(account.id, deps.clock.nowSeconds());
  const sessions = found.map((session) => ({ ...session, lastUsedAt: deps.activity.lastUsedAt(session) }));
  return sessions.toSorted(
    (one, other) => other.lastUsedAt - one.lastUsedAt || other.createdAt - one.createdAt,
  );
}

/** Ends one of the member's sessions, this one or another. Fails with not_found for one that is not theirs. */
export async function endSession(
  deps: { readonly transact: Transact },
  { account }: Member,
  sessionId: SessionId,
): Promise<void> {
  await deps.transact(async (stores) => {
    const found = await stores.sessions.findSession(sessionId);
    if (found === null || found.session.accountId !== account.id) {
      throw new AppError("not_found", "You have no such session");
    }
    await stores.sessions.deleteSession(sessionId);
  });
}
