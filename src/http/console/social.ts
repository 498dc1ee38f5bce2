import { refusalsOf } from "../openapi/refusal-groups.ts";
import { httpRefusals } from "../refusals.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { SignedIn } from "../../domain/sessions/open-session.ts";
import type { ConnectionClaim } from "../../domain/social/pending.ts";
import { AppError } from "../../kernel/errors.ts";
import { limitByAddress } from "../admission.ts";
import { answerOpened, clearedCookieExample, joinedCookiesExample } from "../browser-session.ts";
import { ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import { ownPagesGuard } from "../own-pages.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Access } from "../access.ts";
import type { Http } from "../http.ts";
import { consoleSessionEnvelope, joinBody, waitingEnvelope } from "../resources/console.ts";
import { parseClaim } from "../resources/social-account.ts";
import { route } from "../routing/route.ts";

/**
 * `/social`: a person who came from a provider, whom no account is linked to yet
 * (docs/contract/console.md#social).
 */
export function consoleSocialRoutes(services: Pick<Services, "limits" | "sessions" | "social">, http: Http) {
  return [waitingRoute(services, http), joinRoute(services, http)];
}

const said = { waiting: "Person", link: "Accounts linked", create: "Account created" } as const;

const expired = httpRefusals.signInExpired;

function waitingRoute(services: Pick<Services, "social">, http: Pick<Http, "access">) {
  const { social } = services;
  const { cookies, ownPages } = http.access;
  return route("GET", "/social", {
    answer: waitingEnvelope,
    operationId: "getWaitingPerson",
    summary: "Who came from a social provider and waits to be linked",
    description:
      "For ten minutes after a sign-in with `to=console`; `data` is null without one, and for requests of other pages.",
    msg: said.waiting,
    answers: {
      200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": clearedCookieExample } },
    },
    handle: async ({ request, set }) => {
      if (!ownPages.sent(request) || !cookies.person.isSent(request)) return ok(said.waiting, null);
      const claim = claimOf(http.access, request);
      const person = claim === null ? null : await social.findWaiting(claim).catch(nullWhereInvalid);
      if (person === null) set.headers["set-cookie"] = cookies.person.clear();
      return ok(
        said.waiting,
        person === null ? null : { provider: person.provider, username: person.username },
      );
    },
  });
}

function nullWhereInvalid(cause: unknown): null {
  if (cause instanceof AppError && cause.kind === "invalid") return null;
  throw cause;
}

function claimOf({ cookies }: Pick<Access, "cookies">, request: Request): ConnectionClaim | null {
  return parseClaim(cookies.person.read(request) ?? "");
}

type Join = typeof joinBody.static;

function joinRoute(services: Pick<Services, "limits" | "sessions" | "social">, http: Http) {
  return route("POST", "/social", {
    guard: ownPagesGuard(http),
    before: limitByAddress(http.requests, services.limits.social.take),
    body: joinBody,
    answer: consoleSessionEnvelope,
    operationId: "joinPerson",
    refuses: [
      ...refusalsOf.ownPages,
      ...refusalsOf.signingIn,
      ...refusalsOf.newName,
      refusals.badConnection,
      refusals.personLinked,
    ],
    summary: "Link the person who waits to an account, or create one",
    description:
      "`link` needs the account's name and password; `create` derives a name, as `POST /api/auth/register/social` does.",
    msg: said.link,
    errors: [expired(), refusals.wrongLogin(), refusals.unfinished(), refusals.linkedElsewhere()],
    answers: {
      200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": joinedCookiesExample } },
    },
    handle: async ({ body, request, set }) => {
      const claim = claimOf(http.access, request);
      if (claim === null) throw expired();
      const { action, stay = false } = body;
      const signedIn = await join(services, http, request, { ...body, claim }).catch((cause: unknown) => {
        throw cause instanceof AppError && cause.field === "connection" ? expired() : cause;
      });
      const { answer, cookies } = await answerOpened(services, http, request, {
        signedIn,
        stay,
        msg: said[action],
      });
      set.headers["set-cookie"] = [...cookies, http.access.cookies.person.clear()];
      return answer;
    },
  });
}

async function join(
  services: Pick<Services, "limits" | "social">,
  http: Pick<Http, "requests">,
  request: Request,
  { claim, action, username = "", password = "", stay = false }: Join & { readonly claim: ConnectionClaim },
): Promise<SignedIn> {
  const client = { ...http.requests.clientOf(request), console: { stay } };
  if (action === "create") {
    await services.limits.socialCreation.take(client);
    return services.social.createAccount({ claim, language: languageOf(request), client });
  }
  const attempt = http.requests.attemptBy(request, username);
  return services.social.link({ login: username, password, attempt, claim, ...client });
}
