import { levelInForce } from "../domain/model/account.ts";
import { endOf } from "../domain/model/session.ts";
import type { SignedIn } from "../domain/sessions/open-session.ts";
import type { SessionClaims } from "../domain/sessions/session.ts";
import type { Services } from "../domain/use-cases/services.ts";
import { AppError } from "../kernel/errors.ts";
import type { SessionId } from "../kernel/ids.ts";
import type { Access } from "./access.ts";
import { createCookies, type Cookie } from "./cookies.ts";
import { ok } from "./envelope.ts";
import { examples } from "./openapi/examples.ts";
import type { Requests } from "./requests.ts";
import { presentConsoleSession } from "./resources/console.ts";
import type { Site } from "./site.ts";
import type { Claims } from "./tokens.ts";

/** Sessions that browsers get for the console. */

type Own = { readonly access: Access; readonly requests: Requests; readonly site: Site };

/** What the API's document shows of cookies. */
const shown = createCookies(() => "https://skins.example.org");
export const sessionCookieExample = shown.session.set(examples.jwt, null);
export const clearedCookieExample = shown.session.clear();
/** Of an answer that ends a person's wait. */
export const joinedCookiesExample = `${sessionCookieExample}, ${shown.person.clear()}`;

/** The cookie of a session that was opened just now. Without `stay` it ends with the browser. */
export async function sessionCookie(
  { tokens, cookies }: Pick<Access, "tokens" | "cookies">,
  signedIn: SignedIn,
  stay: boolean,
): Promise<string> {
  const { createdAt, expiresAt } = signedIn.session;
  return cookies.session.set(await tokens.issue(signedIn), stay ? expiresAt - createdAt : null);
}

/**
 * Gives a browser the session that one of our own pages has opened for it, ends the one that it had, and
 * answers who signed in. `url` leads to the page that finishes the registration, where it is unfinished.
 */
export async function answerOpened(
  services: Pick<Services, "sessions">,
  { access, requests, site }: Own,
  request: Request,
  { signedIn, stay, msg }: { readonly signedIn: SignedIn; readonly stay: boolean; readonly msg: string },
) {
  const { member, session } = signedIn;
  requests.noteUser(request, member.account.id);
  await endSessionBefore(services, access, request);
  const level = levelInForce(member.account, session.createdAt);
  const endsAt = endOf(session, level);
  const isFinished = member.account.registration === "complete";
  const next = isFinished ? null : site.pages().finishRegistration;
  const cookie = await sessionCookie(access, signedIn, stay);
  const byHttp = access.cookies.sessionByHttp();
  return {
    cookies: byHttp?.isSent(request) === true ? [cookie, byHttp.clear()] : [cookie],
    answer: ok(msg, presentConsoleSession({ ...member, level, endsAt }), next),
  };
}

/**
 * Ends the session that a browser had before it signed in again: the one that its cookie names, whichever
 * site caused the request, and the one that it is known to have had.
 */
export async function endSessionBefore(
  { sessions }: Pick<Services, "sessions">,
  access: Pick<Access, "tokens" | "cookies">,
  request: Request,
  known: SessionId | null = null,
): Promise<void> {
  const ended = new Set([known, await sessionBefore(access, request)]);
  for (const sessionId of ended) if (sessionId !== null) await sessions.forget(sessionId);
}

/**
 * The session that a browser's cookie names, in requests of other sites as well: good for nothing but to end
 * it.
 */
export async function sessionBefore(
  access: Pick<Access, "tokens" | "cookies">,
  request: Request,
): Promise<SessionId | null> {
  const claims = await claimsIn(access, access.cookies.session, request);
  return claims === null ? null : claims.sessionId;
}

/**
 * Whether the browser has a running session from before this host had https, which does not count any more:
 * its person has to sign in again.
 */
export async function isSignedInByHttp(
  { reads, clock, sessions }: Pick<Services, "reads" | "clock" | "sessions">,
  access: Pick<Access, "tokens" | "cookies">,
  request: Request,
): Promise<boolean> {
  const byHttp = access.cookies.sessionByHttp();
  const claims = byHttp === null ? null : await claimsIn(access, byHttp, request);
  if (claims === null) return false;
  const looks = { sessions: reads.sessions, now: clock.nowSeconds() };
  const member = await sessions.resume(looks, { ...claims, carrier: "cookie" }).catch(nullWhereNotValid);
  return member !== null;
}

async function claimsIn(
  { tokens }: Pick<Access, "tokens">,
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

/**
 * The session that a browser's cookie names, whether it still runs or not; null without one, and for programs
 * with a token.
 */
export async function sessionIn(
  { claimsOf }: Pick<Access, "claimsOf">,
  request: Request,
): Promise<SessionClaims | null> {
  if (request.headers.has("authorization")) return null;
  return claimsOf(request).catch(nullWhereNotValid);
}
