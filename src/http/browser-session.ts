import { levelInForce } from "../domain/model/account.ts";
import { endOf } from "../domain/model/session.ts";
import type { SignedIn } from "../domain/sessions/open-session.ts";
import { forgetSession, type SessionClaims } from "../domain/sessions/session.ts";
import { AppError } from "../kernel/errors.ts";
import type { SessionId } from "../kernel/ids.ts";
import { createCookies, type Cookie } from "./cookies.ts";
import { ok } from "./envelope.ts";
import { examples } from "./openapi/examples.ts";
import type { Parts } from "./parts.ts";
import { presentConsoleSession } from "./resources/console.ts";
import type { Claims } from "./tokens.ts";

/** Sessions that browsers get for the console. */

/** What the API's document shows of cookies. */
const shown = createCookies(() => "https://skins.example.org");
export const sessionCookieExample = shown.session.set(examples.jwt, null);
export const clearedCookieExample = shown.session.clear();
/** Of an answer that ends a person's wait. */
export const joinedCookiesExample = `${sessionCookieExample}, ${shown.person.clear()}`;

/** The cookie of a session that was opened just now. Without `stay` it ends with the browser. */
export async function sessionCookie(
  { tokens, cookies }: Pick<Parts, "tokens" | "cookies">,
  signedIn: SignedIn,
  stay: boolean,
): Promise<string> {
  const { createdAt, expiresAt } = signedIn.session;
  return cookies.session.set(await tokens.issue(signedIn), stay ? expiresAt - createdAt : null);
}

/**
 * Gives a browser the session that one of our own pages has opened for it, ends the one that it had, and answers who signed in. `url`
 * leads to the page that finishes the registration, where it is unfinished.
 */
export async function answerOpened(
  parts: Parts,
  request: Request,
  { signedIn, stay, msg }: { readonly signedIn: SignedIn; readonly stay: boolean; readonly msg: string },
) {
  const { member, session } = signedIn;
  parts.noteUser(request, member.account.id);
  await endSessionBefore(parts, request);
  const level = levelInForce(member.account, session.createdAt);
  const endsAt = endOf(session, level);
  const isFinished = member.account.registration === "complete";
  const next = isFinished ? null : parts.pages().finishRegistration;
  const cookie = await sessionCookie(parts, signedIn, stay);
  const byHttp = parts.cookies.sessionByHttp();
  return {
    cookies: byHttp?.isSent(request) === true ? [cookie, byHttp.clear()] : [cookie],
    answer: ok(msg, presentConsoleSession({ ...member, level, endsAt }), next),
  };
}

/**
 * Ends the session that a browser had before it signed in again: the one that its cookie names, whichever site caused the request, and the one
 * that it is known to have had.
 */
export async function endSessionBefore(
  parts: Parts,
  request: Request,
  known: SessionId | null = null,
): Promise<void> {
  const ended = new Set([known, await sessionBefore(parts, request)]);
  for (const sessionId of ended) if (sessionId !== null) await forgetSession(parts, sessionId);
}

/** The session that a browser's cookie names, in requests of other sites as well: good for nothing but to end it. */
export async function sessionBefore(
  parts: Pick<Parts, "tokens" | "cookies">,
  request: Request,
): Promise<SessionId | null> {
  const claims = await claimsIn(parts, parts.cookies.session, request);
  return claims === null ? null : claims.sessionId;
}

/** Whether the browser has a running session from before this host had https, which does not count any more: its person has to sign in again. */
export async function isSignedInByHttp(parts: Parts, request: Request): Promise<boolean> {
  const byHttp = parts.cookies.sessionByHttp();
  const claims = byHttp === null ? null : await claimsIn(parts, byHttp, request);
  if (claims === null) return false;
  const { reads, clock } = parts;
  const looks = { sessions: reads.sessions, now: clock.nowSeconds() };
  const member = await parts.sessions
    .resume(looks, { ...claims, carrier: "cookie" })
    .catch(nullWhereNotValid);
  return member !== null;
}

async function claimsIn(
  { tokens }: Pick<Parts, "tokens">,
  cookie: Cookie,
  request: Request,
): Promise<Claims | null> {
  const token = cookie.read(request);
  return token === null ? null : tokens.read(`Bearer ${token}`).catch(nullWhereNotValid);
}

function nullWhereNotValid(cause: unknown): null {
  if (cause instanceof AppError && cause.kind === "unauthenticated") return null;
  throw cause;
}

/** The session that a browser's cookie names, whether it still runs or not; null without one, and for programs with a token. */
export async function sessionIn({ claimsOf }: Parts, request: Request): Promise<SessionClaims | null> {
  if (request.headers.has("authorization")) return null;
  return claimsOf(request).catch(nullWhereNotValid);
}
