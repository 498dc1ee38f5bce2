import { refusalsOf } from "../openapi/refusal-groups.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { arriveByAddress } from "../admission.ts";
import {
  answerOpened,
  clearedCookieExample,
  isSignedInByHttp,
  sessionCookieExample,
  sessionIn,
} from "../browser-session.ts";
import { ok } from "../envelope.ts";
import { ownPagesGuard, refused } from "../own-pages.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import {
  consoleSessionEnvelope,
  openBody,
  presentConsoleSession,
  visitEnvelope,
} from "../resources/console.ts";
import { loggedIn } from "../resources/session.ts";
import { route } from "../routing/route.ts";

/** `/session`: the browser's session, which a cookie names (docs/contract/console.md#session). */
export function sessionRoutes(
  services: Pick<Services, "clock" | "limits" | "reads" | "sessions">,
  http: Http,
) {
  return [visitRoute(services, http), openRoute(services, http), endRoute(services, http)];
}

const said = "Session";

/** Always 200: a browser writes a 401 on a visitor's page as an error. */
function visitRoute(
  services: Pick<Services, "clock" | "reads" | "sessions">,
  http: Pick<Http, "access" | "guards" | "site">,
) {
  const { cookies, ownPages } = http.access;
  return route("GET", "/session", {
    answer: visitEnvelope,
    operationId: "getVisitor",
    summary: "Who is signed in to the console in this browser",
    description:
      "`data` is null for a visitor, and for requests of other pages. A cookie of a session that has ended is removed. `url` is the page to sign in on where the browser still has a session from before https, whose cookie does not count any more.",
    msg: said,
    answers: {
      200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": clearedCookieExample } },
    },
    handle: async ({ request, set }) => {
      const member = await http.guards.visitor(request);
      if (member !== null) return ok(said, presentConsoleSession(member));
      if (!ownPages.sent(request)) return ok(said, null);
      if (cookies.session.isSent(request)) set.headers["set-cookie"] = cookies.session.clear();
      return ok(
        said,
        null,
        (await isSignedInByHttp(services, http.access, request)) ? `${http.site.publicUrl()}/login` : null,
      );
    },
  });
}

function openRoute(services: Pick<Services, "limits" | "sessions">, http: Http) {
  return route("POST", "/session", {
    guard: ownPagesGuard(http),
    before: arriveByAddress(http.requests, services.limits.signIn.takeHere),
    body: openBody,
    answer: consoleSessionEnvelope,
    operationId: "signInToConsole",
    refuses: [...refusalsOf.ownPages, ...refusalsOf.signingIn],
    summary: "Sign in to the console",
    description:
      "As `POST /api/auth/login`, with a cookie for the console's own pages instead of a token. A session that this browser had ends.",
    msg: loggedIn,
    errors: [refused(null), refusals.wrongLogin(), refusals.unconfirmed()],
    answers: {
      200: {
        headers: ["Set-Cookie"],
        headerExamples: { "Set-Cookie": sessionCookieExample },
      },
    },
    handle: async ({ body, request, set }) => {
      const { username: login, password, stay = false } = body;
      const { requests } = http;
      const attempt = requests.attemptBy(request, login, { arrival: requests.arrivalOf(request) });
      const input = { login, password, attempt, ...requests.clientOf(request), console: { stay } };
      const signedIn = await services.sessions.signIn(input);
      const { answer, cookies } = await answerOpened(services, http, request, {
        signedIn,
        stay,
        msg: loggedIn,
      });
      set.headers["set-cookie"] = cookies;
      return answer;
    },
  });
}

function endRoute(services: Pick<Services, "sessions">, http: Pick<Http, "access" | "requests">) {
  return route("DELETE", "/session", {
    guard: ownPagesGuard(http),
    operationId: "signOutOfConsole",
    refuses: [...refusalsOf.ownPages],
    summary: "Sign out of the console in this browser",
    description: "Ends the session, if there is one, and removes the cookie.",
    errors: [refused(null)],
    answers: {
      204: {
        description: "Signed out",
        headers: ["Set-Cookie"],
        headerExamples: { "Set-Cookie": clearedCookieExample },
      },
    },
    handle: async ({ request, set }) => {
      const claims = await sessionIn(http.access, request);
      if (claims !== null) await services.sessions.forget(claims.sessionId);
      set.headers["set-cookie"] = http.access.cookies.session.clear();
      set.status = 204;
    },
  });
}
