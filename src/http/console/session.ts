import { Elysia } from "elysia";
import { refusals } from "../../domain/model/refusals.ts";
import { forgetSession } from "../../domain/sessions/session.ts";
import { arriveByAddress } from "../admission.ts";
import {
  answerOpened,
  clearedCookieExample,
  isSignedInByHttp,
  sessionCookieExample,
  sessionIn,
} from "../browser-session.ts";
import { jsonReader, unread } from "../body.ts";
import { ok } from "../envelope.ts";
import { visitorOf } from "../guards.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import {
  consoleSessionEnvelope,
  openBody,
  presentConsoleSession,
  visitEnvelope,
} from "../resources/console.ts";
import { loggedIn } from "../resources/session.ts";

/** `/session`: the browser's session, which a cookie names (docs/contract/console.md#session). */
export function sessionRoutes(parts: Parts) {
  return new Elysia().use(visitRoute(parts)).use(openRoute(parts)).use(endRoute(parts));
}

const said = "Session";

/** Always 200: a browser writes a 401 on a visitor's page as an error. */
function visitRoute(parts: Parts) {
  const { cookies, ownPages } = parts;
  return new Elysia().get(
    "/session",
    async ({ request, set }) => {
      const member = await visitorOf(parts, request);
      if (member !== null) return ok(said, presentConsoleSession(member));
      if (!ownPages.sent(request)) return ok(said, null);
      if (cookies.session.isSent(request)) set.headers["set-cookie"] = cookies.session.clear();
      return ok(said, null, (await isSignedInByHttp(parts, request)) ? `${parts.publicUrl()}/login` : null);
    },
    {
      response: { 200: visitEnvelope },
      detail: describe({
        operationId: "getVisitor",
        summary: "Who is signed in to the console in this browser",
        description:
          "`data` is null for a visitor, and for requests of other pages. A cookie of a session that has ended is removed. `url` is the page to sign in on where the browser still has a session from before https, whose cookie does not count any more.",
        who: "everybody",
        msg: said,
        answers: {
          200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": clearedCookieExample } },
        },
      }),
    },
  );
}

function openRoute(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(arriveByAddress(parts, parts.limits.signIn.arrive))
    .use(jsonReader())
    .post(
      "/session",
      async ({ body, request, set }) => {
        const { username: login, password, stay = false } = body;
        const attempt = parts.attemptBy(request, login, { arrival: parts.arrivalOf(request) });
        const input = { login, password, attempt, ...parts.clientOf(request), console: { stay } };
        const signedIn = await parts.sessions.signIn(input);
        const { answer, cookies } = await answerOpened(parts, request, { signedIn, stay, msg: loggedIn });
        set.headers["set-cookie"] = cookies;
        return answer;
      },
      {
        body: openBody,
        response: { 200: consoleSessionEnvelope },
        detail: describe({
          operationId: "signInToConsole",
          summary: "Sign in to the console",
          description:
            "As `POST /api/auth/login`, with a cookie for the console's own pages instead of a token. A session that this browser had ends.",
          who: "everybody",
          msg: loggedIn,
          errors: [refused(null), refusals.wrongLogin(), refusals.unconfirmed()],
          answers: {
            200: {
              headers: ["Set-Cookie"],
              headerExamples: { "Set-Cookie": sessionCookieExample },
            },
          },
        }),
      },
    );
}

function endRoute(parts: Parts) {
  return new Elysia().use(ownPagesGuard(parts)).delete(
    "/session",
    async ({ request, set }) => {
      const claims = await sessionIn(parts, request);
      if (claims !== null) await forgetSession(parts, claims.sessionId);
      set.headers["set-cookie"] = parts.cookies.session.clear();
      set.status = 204;
    },
    {
      ...unread,
      detail: describe({
        operationId: "signOutOfConsole",
        summary: "Sign out of the console in this browser",
        description: "Ends the session, if there is one, and removes the cookie.",
        who: "everybody",
        errors: [refused(null)],
        answers: {
          204: {
            description: "Signed out",
            headers: ["Set-Cookie"],
            headerExamples: { "Set-Cookie": clearedCookieExample },
          },
        },
      }),
    },
  );
}
