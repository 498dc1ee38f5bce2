import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SessionId, Uuid } from "../../kernel/ids.ts";
import type { Member } from "../accounts/account.ts";
import type { Reads, Transact } from "../stores.ts";

/** Who a request is made by, and through which session. */
export type SignedInMember = Member & { readonly sessionId: SessionId };

/** The member whose session it is. Fails with unauthenticated when it was ended, has expired or is not of this uuid. */
export async function resumeSession(
  deps: { readonly reads: Reads; readonly clock: Clock },
  claims: { readonly sessionId: SessionId; readonly accountUuid: Uuid },
): Promise<SignedInMember> {
  const found = await deps.reads.sessions.findSession(claims.sessionId);
  const alive =
    found !== null &&
    found.session.expiresAt > deps.clock.nowSeconds() &&
    found.member.account.uuid === claims.accountUuid;
  if (!alive) throw new AppError("unauthenticated", "This session has ended; sign in again");
  return { ...found.member, sessionId: claims.sessionId };
}

/** Ends one session; its token is worth nothing from then on. */
export async function signOut(deps: { readonly transact: Transact }, sessionId: SessionId): Promise<void> {
  await deps.transact((stores) => stores.sessions.deleteSession(sessionId));
}
