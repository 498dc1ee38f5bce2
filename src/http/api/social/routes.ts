import { Elysia } from "elysia";
import type { Pages } from "../../../domain/accounts/pages.ts";
import type { RateLimits } from "../../../domain/limits/rate-limits.ts";
import type { PasswordHasher } from "../../../domain/ports/password-hasher.ts";
import type { Client } from "../../../domain/sessions/open-session.ts";
import { beginLogin, connect } from "../../../domain/social/connect.ts";
import { createFromIdentity } from "../../../domain/social/create-from-identity.ts";
import { linkIdentity } from "../../../domain/social/link.ts";
import { newBrowserSecret, type KeyedHash, type LoginStates } from "../../../domain/social/login-states.ts";
import type { SocialProviders } from "../../../domain/social/provider.ts";
import type { Reads } from "../../../domain/ports/stores.ts";
import type { Transact } from "../../../domain/ports/unit-of-work.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { limitByAddress } from "../../address-limits.ts";
import { jsonReader } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { languageOf } from "../../language.ts";
import { tokenEnvelope } from "../auth/schema.ts";
import { failuresOf } from "../../openapi/failure-answers.ts";
import { describe } from "../../openapi/describe.ts";
import { examples } from "../../openapi/examples.ts";
import type { AttemptBy } from "../../password-attempts.ts";
import type { NoteUser } from "../../session.ts";
import type { Tokens } from "../../tokens.ts";
import { loginCookie, readLoginCookie } from "./login-cookie.ts";
import { presentSignedIn } from "./present.ts";
import {
  callbackQuery,
  createBody,
  linkBody,
  loginQuery,
  notConnectedEnvelope,
  readClaim,
  signedInEnvelope,
} from "./schema.ts";

export type SocialDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  readonly attemptBy: AttemptBy;
  readonly usernamePattern: RegExp;
  readonly providers: SocialProviders;
  readonly loginStates: LoginStates;
  readonly connectionHash: KeyedHash;
  readonly bareCodes: boolean;
  readonly uniformAnswers: boolean;
  readonly pages: () => Pages;
  /** Base of the address that providers send browsers back to. */
  readonly publicUrl: () => string;
  readonly clientAddress: (request: Request) => string;
  readonly noteUser: NoteUser;
};

/** Signing in through somebody else (contract, Social login and linking). */
export function socialRoutes(deps: SocialDeps) {
  return new Elysia({ tags: ["Social login and linking"] })
    .headers({ "cache-control": "no-store" })
    .use(loginRoute(deps))
    .use(callbackRoute(deps))
    .use(linkRoute(deps))
    .use(createRoute(deps));
}

function loginRoute(deps: SocialDeps) {
  return new Elysia().get(
    "/auth/social/login",
    async ({ query, request, set }) => {
      deps.limits.social.take({ address: deps.clientAddress(request) });
      // One secret for all logins of a browser, so that two tabs do not disturb each other.
      const browser = readLoginCookie(request) ?? newBrowserSecret();
      const input = { provider: query.provider ?? null, browser, redirectUri: redirectUri(deps) };
      const address = await beginLogin(deps, input);
      set.status = 302;
      set.headers["location"] = address.href;
      set.headers["set-cookie"] = loginCookie(browser, deps.publicUrl());
    },
    {
      query: loginQuery,
      detail: describe({
        operationId: "beginSocialLogin",
        summary: "Begin to sign in at a provider",
        description: "Open it in a browser: a cookie has to come along when the provider sends it back.",
        who: "everybody",
        errors: {
          ...failuresOf("limited", "upstream"),
          invalid: "provider: must be discord or github",
        },
        answers: {
          302: {
            description: "To the provider's page",
            headers: ["Location", "Set-Cookie"],
            headerExamples: {
              Location: `https://discord.com/oauth2/authorize?response_type=code&client_id=80351110224678913&redirect_uri=https%3A%2F%2Fskins.example.org%2Fauth%2Fsocial%2Fcallback&state=discord.${examples.time}.${examples.secret}.${examples.secret}&code_challenge_method=S256&code_challenge=${examples.secret}&scope=identify+email`,
              "Set-Cookie": loginCookie(examples.secret, "https://skins.example.org"),
            },
          },
        },
      }),
    },
  );
}

function callbackRoute(deps: SocialDeps) {
  return new Elysia().get(
    "/auth/social/callback",
    async ({ query, request }) => {
      deps.limits.social.take({ address: deps.clientAddress(request) });
      const { code = null, state = null, error = null, iss = null } = query;
      const callback = { code, state, error, issuer: iss, browser: readLoginCookie(request) };
      const client = clientOf(deps, request);
      const signedIn = await connect(deps, { callback, redirectUri: redirectUri(deps), client });
      deps.noteUser(request, signedIn.member.account.id);
      const jwt = await deps.tokens.issue(signedIn);
      return ok("Login successful", presentSignedIn(signedIn, jwt), deps.pages().home);
    },
    {
      query: callbackQuery,
      response: { 200: signedInEnvelope },
      detail: describe({
        operationId: "finishSocialLogin",
        summary: "Where providers send browsers back to",
        description:
          "A website that begins the sign-in itself brings `code` alone, for the default provider, unless the operator has turned that off. A code is never tried twice.",
        who: "everybody",
        msg: "Login successful",
        errors: {
          ...failuresOf("limited", "upstream"),
          invalid: "Signing in through discord was refused; begin again",
        },
        answers: {
          404: {
            description:
              "No account is linked to this person. `conn_id` allows to link one, or to create it.",
            headers: ["X-Request-Id"],
            schema: notConnectedEnvelope,
          },
        },
      }),
    },
  );
}

/** Ids of people are the one field whose integers are longer than numbers. */
const claimReader = () => jsonReader({ exactIn: ["id"] });

function linkRoute(deps: SocialDeps) {
  const limited = new Elysia().use(limitByAddress(deps, deps.limits.social.take)).use(claimReader());
  return limited.post(
    "/api/auth/login/social",
    async ({ body, request }) => {
      const client = clientOf(deps, request);
      const attempt = deps.attemptBy(request, body.username);
      const input = { login: body.username, password: body.password, claim: readClaim(body.meta), ...client };
      const signedIn = await linkIdentity({ ...deps, attempt }, input);
      deps.noteUser(request, signedIn.member.account.id);
      const jwt = await deps.tokens.issue(signedIn);
      return ok("Accounts linked", presentSignedIn(signedIn, jwt), deps.pages().home);
    },
    {
      body: linkBody,
      response: { 200: signedInEnvelope },
      detail: describe({
        operationId: "linkSocialAccount",
        summary: "Link a social account by signing in to yours",
        who: "everybody",
        msg: "Accounts linked",
        errors: {
          unauthenticated: "Invalid username or password",
          forbidden: "Finish your registration first: choose a username",
          conflict: "This account is linked to another social account already",
        },
      }),
    },
  );
}

function createRoute(deps: SocialDeps) {
  const limited = new Elysia().use(limitByAddress(deps, deps.limits.socialCreation.take)).use(claimReader());
  return limited.post(
    "/api/auth/register/social",
    async ({ body, request }) => {
      const client = clientOf(deps, request);
      const input = { claim: readClaim(body.meta), language: languageOf(request), client };
      const signedIn = await createFromIdentity(deps, input).catch((cause: unknown) => {
        throw creationFailure(cause);
      });
      deps.noteUser(request, signedIn.member.account.id);
      const jwt = await deps.tokens.issue(signedIn);
      return ok("Account created", { jwt }, deps.pages().finishRegistration);
    },
    {
      body: createBody,
      response: { 200: tokenEnvelope },
      detail: describe({
        operationId: "registerWithSocialAccount",
        summary: "Create an account from a social one",
        description:
          "Its name is derived from the provider's; `url` leads to the page where another one and a password may be chosen, once. Whatever it fails with but a malformed body is `Internal error`.",
        who: "everybody",
        msg: "Account created",
        errors: { invalid: "Internal error" },
      }),
    },
  );
}

function redirectUri({ publicUrl }: SocialDeps): string {
  return `${publicUrl()}/auth/social/callback`;
}

function clientOf({ clientAddress }: SocialDeps, request: Request): Client {
  return { address: clientAddress(request), userAgent: request.headers.get("user-agent") ?? "" };
}

/** Whatever a creation fails with, the client reads the same (contract, Errors: "Social account creation fails"). */
function creationFailure(cause: unknown): unknown {
  const isExpected = cause instanceof AppError && cause.code !== "internal";
  if (isExpected && cause.code === "limited") return cause;
  const report = isExpected ? { reason: cause.message, ...cause.report } : { error: cause };
  return new AppError("invalid", "Internal error", { report });
}
