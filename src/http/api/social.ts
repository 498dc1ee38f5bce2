import type { RateLimits } from "../../domain/limits/rate-limits.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { connect, BegunLogin } from "../../domain/social/connect.ts";
import { newBrowserSecret } from "../../domain/social/login-states.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { AppError } from "../../kernel/errors.ts";
import { limitByAddress } from "../admission.ts";
import { jsonReader, throwIfRefused } from "../body.ts";
import { sessionBefore, sessionCookieExample } from "../browser-session.ts";
import { createCookies, type Cookies } from "../cookies.ts";
import { ok } from "../envelope.ts";
import type { Http } from "../http.ts";
import { languageOf } from "../negotiation.ts";
import { examples } from "../openapi/examples.ts";
import { failuresOf } from "../openapi/failure-answers.ts";
import { refusalsOf } from "../openapi/refusal-groups.ts";
import { httpRefusals } from "../refusals.ts";
import type { Requests } from "../requests.ts";
import { createBody, linkBody } from "../resources/credentials.ts";
import { loggedIn, tokenEnvelope } from "../resources/session.ts";
import {
  notConnectedEnvelope,
  presentSignedIn,
  readClaim,
  signedInEnvelope,
} from "../resources/social-account.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";
import type { Site } from "../site.ts";
import {
  BackToConsole,
  consoleIsOff,
  finishInConsole,
  goalOf,
  isLedByOthers,
  loginPage,
  redeemFor,
  seeOther,
  writeGoal,
} from "./social-console.ts";

/** Sign-in with an account of another service (docs/contract/social.md). */
export function socialRoutes(services: Services, http: Http) {
  return below("", "Social login and linking", [
    loginRoute(services, http),
    callbackRoute(services, http),
    ...claimRoutes(services, http),
  ]);
}

/** The messages of success. */
const said = { linked: "Accounts linked", created: "Account created" } as const;

/** Longer than every code and state that providers send, and short enough to send on. */
const parameterLengthMax = 4096;

function parameter(description: string, example: string) {
  const rule = rules.charactersMax.of(parameterLengthMax);
  return t.Optional(t.String({ maxLength: parameterLengthMax, description, rule, examples: [example] }));
}

const toRule = rules.is.of("console");
/**
 * Counts a step of a login, unless a page of another site embeds it: a person who is led here opens it as a
 * document.
 */
async function countLogin(limits: RateLimits, { clientAddress }: Requests, request: Request): Promise<void> {
  if (request.headers.get("sec-fetch-dest") !== "document") throwIfRefused(request);
  await limits.social.take({ address: clientAddress(request) });
}

const loginQuery = t.Object({
  provider: parameter("Where to sign in; the default provider when absent", "discord"),
  to: t.Optional(
    t.Literal("console", {
      description: "Sign in to the console of this server: the callback then leads to its pages",
      rule: toRule,
      examples: ["console"],
    }),
  ),
  stay: t.Optional(
    t.Literal("true", {
      description: "Stay signed in to the console",
      rule: rules.is.of("true"),
      examples: ["true"],
    }),
  ),
  next: parameter("Where the console goes on; what is no path of ours is dropped", "/home/capes"),
});

function loginRoute({ social, limits }: Services, { requests, access, site }: Http) {
  return route("GET", "/auth/social/login", {
    query: loginQuery,
    operationId: "beginSocialLogin",
    summary: "Begin to sign in at a provider",
    description: "Open it in a browser: the callback needs the cookie that it sets.",
    errors: [
      ...failuresOf("limited", "upstream"),
      consoleIsOff(),
      refusals.unknownProvider("discord or github"),
    ],
    answers: {
      303: {
        description: "To the console's sign-in page, when `to=console` fails or another site leads there",
        headers: ["Location"],
        headerExamples: { Location: "/login?problem=unavailable" },
      },
      302: {
        description: "To the provider's page",
        headers: ["Location", "Set-Cookie"],
        headerExamples: {
          Location: `https://discord.com/oauth2/authorize?response_type=code&client_id=80351110224678913&redirect_uri=https%3A%2F%2Fskins.example.org%2Fauth%2Fsocial%2Fcallback&state=discord.${examples.time}.${examples.secret}.${examples.secret}&code_challenge_method=S256&code_challenge=${examples.secret}&scope=identify+email`,
          "Set-Cookie": loginCookieExample,
        },
      },
    },
    refuses: [refusals.noProvider, refusals.unknownProvider, rules.noConsole],
    handle: async ({ query, request, set }) => {
      const goal = query.to === undefined ? null : goalOf(site, query);
      const begin = async () => {
        await countLogin(limits, requests, request);
        // One secret for all logins of a browser, so that two tabs do not disturb each other.
        const browser = readBrowserSecret(access, request) ?? newBrowserSecret();
        const note = goal === null ? null : writeGoal(goal, await sessionBefore(access, request));
        const provider = query.provider ?? null;
        const address = await social.beginLogin({ provider, browser, note, redirectUri: redirectUri(site) });
        set.status = 302;
        set.headers["location"] = address.href;
        set.headers["set-cookie"] = access.cookies.login.set(browser, loginSeconds);
      };
      if (goal === null) return begin();
      if (isLedByOthers(request)) return seeOther(loginPage(goal));
      return begin().catch((cause: unknown) => {
        throw new BackToConsole(cause, loginPage(goal, cause));
      });
    },
  });
}

const callbackQuery = t.Object({
  code: parameter("The provider's code for this sign-in", "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee"),
  state: parameter(
    "The state that the sign-in began with; without it the default provider is meant",
    "discord.1767226200.a.b",
  ),
  error: parameter("Why the provider gave no code", "access_denied"),
  iss: parameter("Which provider answers (RFC 9207)", "https://login.example.org"),
});

function callbackRoute(services: Services, http: Http) {
  const { social, limits } = services;
  const { requests, access, site } = http;
  return route("GET", "/auth/social/callback", {
    query: callbackQuery,
    answer: signedInEnvelope,
    operationId: "finishSocialLogin",
    summary: "Where providers send browsers back to",
    description:
      "A website that begins the sign-in itself brings `code` alone, for the default provider, unless the operator has turned that off. A code is never tried twice.",
    msg: loggedIn,
    errors: [...failuresOf("limited", "upstream"), refusals.providerRefuses("discord")],
    answers: {
      303: {
        description:
          "A sign-in to the console: to its pages, with the cookie of the session; to `/social`, when no account is linked to this person; or to `/login`, which says what went wrong",
        headers: ["Location", "Set-Cookie"],
        headerExamples: { Location: "/home", "Set-Cookie": sessionCookieExample },
      },
      404: {
        description: "No account is linked to this person. `conn_id` allows to link one, or to create it.",
        headers: ["X-Error", "X-Request-Id"],
        headerExamples: { "X-Error": refusals.notConnected.code },
        schema: notConnectedEnvelope,
      },
    },
    refuses: [
      refusals.noProvider,
      refusals.noProviderCode,
      refusals.noState,
      refusals.foreignState,
      refusals.oldState,
      refusals.usedState,
      refusals.notConnected,
      refusals.suspended,
      refusals.providerRefuses,
    ],
    handle: async ({ query, request }) => {
      const { code = null, state = null, error = null, iss = null } = query;
      const callback = { code, state, error, issuer: iss, browser: readBrowserSecret(access, request) };
      const { begun, goal } = await redeemFor(state, async () => {
        await countLogin(limits, requests, request);
        return social.redeemLogin(callback);
      });
      const input = { callback, redirectUri: redirectUri(site), client: requests.clientOf(request) };
      if (goal !== null) return finishInConsole(services, http, request, { begun, goal, input });
      return finishForWebsite(services, http, request, { begun, input });
    },
  });
}

async function finishForWebsite(
  { social }: Services,
  { requests, access, site }: Http,
  request: Request,
  { begun, input }: { readonly begun: BegunLogin; readonly input: Parameters<typeof connect>[2] },
) {
  const signedIn = await social.connect(begun, input);
  requests.noteUser(request, signedIn.member.account.id);
  const jwt = await access.tokens.issue(signedIn);
  return ok(loggedIn, presentSignedIn(signedIn, jwt), site.pages().home);
}

/** Ids of people are the one field whose integers are longer than numbers. */
const claimReader = () => jsonReader({ exactIn: ["id"] });

function claimRoutes({ social, limits }: Services, { requests, access, site }: Http) {
  return [
    route("POST", "/api/auth/login/social", {
      before: limitByAddress(requests, limits.social.take),
      read: claimReader(),
      body: linkBody,
      answer: signedInEnvelope,
      operationId: "linkSocialAccount",
      summary: "Link a social account by signing in to yours",
      msg: "Accounts linked",
      errors: [...failuresOf("forbidden"), refusals.wrongLogin(), refusals.linkedElsewhere()],
      refuses: [
        ...refusalsOf.signingIn,
        refusals.badConnection,
        refusals.personLinked,
        refusals.wrongLogin,
        refusals.unfinished,
      ],
      handle: async ({ body, request }) => {
        const client = requests.clientOf(request);
        const attempt = requests.attemptBy(request, body.username);
        const { username: login, password } = body;
        const input = { login, password, attempt, claim: readClaim(body.meta), ...client };
        const signedIn = await social.link(input);
        requests.noteUser(request, signedIn.member.account.id);
        const jwt = await access.tokens.issue(signedIn);
        return ok(said.linked, presentSignedIn(signedIn, jwt), site.pages().home);
      },
    }),
    route("POST", "/api/auth/register/social", {
      before: limitByAddress(requests, limits.socialCreation.take),
      read: claimReader(),
      body: createBody,
      answer: tokenEnvelope,
      operationId: "registerWithSocialAccount",
      summary: "Create an account from a social one",
      description: `Its name is derived from the provider's; \`url\` leads to the page for another name and a password, once. Every failure but a malformed body is \`${httpRefusals.creationFailed.sentence}\`.`,
      msg: "Account created",
      errors: [httpRefusals.creationFailed()],
      handle: async ({ body, request }) => {
        const client = requests.clientOf(request);
        const input = { claim: readClaim(body.meta), language: languageOf(request), client };
        const signedIn = await social.createAccount(input).catch((cause: unknown) => {
          throw creationFailure(cause);
        });
        requests.noteUser(request, signedIn.member.account.id);
        const jwt = await access.tokens.issue(signedIn);
        return ok(said.created, { jwt }, site.pages().finishRegistration);
      },
    }),
  ];
}

/** The one message of a failed creation (docs/contract/social.md#create). */
function creationFailure(cause: unknown): unknown {
  const isExpected = cause instanceof AppError && cause.kind !== "internal";
  if (isExpected && (cause.kind === "limited" || cause.kind === "unavailable")) return cause;
  const report = isExpected ? { reason: cause.message, ...cause.report } : { error: cause };
  return httpRefusals.creationFailed({ report });
}

function redirectUri({ publicUrl }: Site): string {
  return `${publicUrl()}/auth/social/callback`;
}

/** As long as a login may take (see `domain/social/login-states.ts`). */
const loginSeconds = 600;

const loginCookieExample = createCookies(() => "https://skins.example.org").login.set(
  examples.secret,
  loginSeconds,
);

/** The browser's secret; null without a cookie of ours. */
function readBrowserSecret({ cookies }: { readonly cookies: Cookies }, request: Request): string | null {
  const value = cookies.login.read(request) ?? "";
  return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}
