import { httpRefusals } from "../refusals.ts";
import { Elysia } from "elysia";
import { refusals } from "../../domain/model/refusals.ts";
import type { SignedIn } from "../../domain/sessions/open-session.ts";
import { createFromIdentity } from "../../domain/social/create-from-identity.ts";
import type { ConnectionClaim } from "../../domain/social/pending.ts";
import { AppError } from "../../kernel/errors.ts";
import { limitByAddress } from "../admission.ts";
import { jsonReader } from "../body.ts";
import { answerOpened, clearedCookieExample, joinedCookiesExample } from "../browser-session.ts";
import { ok } from "../envelope.ts";
import { languageOf } from "../negotiation.ts";
import { describe } from "../openapi/describe.ts";
import { ownPagesGuard } from "../own-pages.ts";
import type { Parts } from "../parts.ts";
import { consoleSessionEnvelope, joinBody, waitingEnvelope } from "../resources/console.ts";
import { parseClaim } from "../resources/social-account.ts";

/** `/social`: a person who came from a provider, whom no account is linked to yet (docs/contract/console.md#social). */
export function consoleSocialRoutes(parts: Parts) {
  return new Elysia().use(waitingRoute(parts)).use(joinRoute(parts));
}

const said = { waiting: "Person", link: "Accounts linked", create: "Account created" } as const;

const expired = httpRefusals.signInExpired;

function waitingRoute(parts: Parts) {
  const { cookies, ownPages, social } = parts;
  return new Elysia().get(
    "/social",
    async ({ request, set }) => {
      if (!ownPages.sent(request) || !cookies.person.isSent(request)) return ok(said.waiting, null);
      const claim = claimOf(parts, request);
      const person = claim === null ? null : await social.findWaiting(claim).catch(nullWhereInvalid);
      if (person === null) set.headers["set-cookie"] = cookies.person.clear();
      return ok(
        said.waiting,
        person === null ? null : { provider: person.provider, username: person.username },
      );
    },
    {
      response: { 200: waitingEnvelope },
      detail: describe({
        operationId: "getWaitingPerson",
        summary: "Who came from a social provider and waits to be linked",
        description:
          "For ten minutes after a sign-in with `to=console`; `data` is null without one, and for requests of other pages.",
        who: "everybody",
        msg: said.waiting,
        answers: {
          200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": clearedCookieExample } },
        },
      }),
    },
  );
}

function nullWhereInvalid(cause: unknown): null {
  if (cause instanceof AppError && cause.kind === "invalid") return null;
  throw cause;
}

function claimOf({ cookies }: Parts, request: Request): ConnectionClaim | null {
  return parseClaim(cookies.person.read(request) ?? "");
}

type Join = typeof joinBody.static;

function joinRoute(parts: Parts) {
  return new Elysia()
    .use(ownPagesGuard(parts))
    .use(limitByAddress(parts, parts.limits.social.take))
    .use(jsonReader())
    .post(
      "/social",
      async ({ body, request, set }) => {
        const claim = claimOf(parts, request);
        if (claim === null) throw expired();
        const { action, stay = false } = body;
        const signedIn = await join(parts, request, claim, body).catch((cause: unknown) => {
          throw cause instanceof AppError && cause.field === "connection" ? expired() : cause;
        });
        const { answer, cookies } = await answerOpened(parts, request, { signedIn, stay, msg: said[action] });
        set.headers["set-cookie"] = [...cookies, parts.cookies.person.clear()];
        return answer;
      },
      {
        body: joinBody,
        response: { 200: consoleSessionEnvelope },
        detail: describe({
          operationId: "joinPerson",
          summary: "Link the person who waits to an account, or create one",
          description:
            "`link` needs the account's name and password; `create` derives a name, as `POST /api/auth/register/social` does.",
          who: "everybody",
          msg: said.link,
          errors: [expired(), refusals.wrongLogin(), refusals.unfinished(), refusals.linkedElsewhere()],
          answers: {
            200: { headers: ["Set-Cookie"], headerExamples: { "Set-Cookie": joinedCookiesExample } },
          },
        }),
      },
    );
}

async function join(
  parts: Parts,
  request: Request,
  claim: ConnectionClaim,
  { action, username = "", password = "", stay = false }: Join,
): Promise<SignedIn> {
  const client = { ...parts.clientOf(request), console: { stay } };
  if (action === "create") {
    await parts.limits.socialCreation.take(client);
    return createFromIdentity(parts, { claim, language: languageOf(request), client });
  }
  const attempt = parts.attemptBy(request, username);
  return parts.social.link({ login: username, password, attempt, claim, ...client });
}
