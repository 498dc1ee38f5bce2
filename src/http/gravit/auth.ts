import { Type } from "@sinclair/typebox";
import { freshSecondsOf } from "../../domain/game/session.ts";
import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { levelInForce } from "../../domain/model/account.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { bearerToken } from "../authorization.ts";
import { lenientJsonReader } from "../body.ts";
import { givenText, textField } from "../fields.ts";
import { launchSignIn } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { failed, tokenWords } from "./failure.ts";
import { joinedPlayer, noteJoin } from "./joining.ts";
import { userRoutes } from "./users.ts";
import { launchUser, presentUser } from "./user.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

type Needed = Pick<Services, "game" | "reads" | "clock" | "serviceTokens">;
type Needs = Pick<Http, "guards" | "requests" | "site">;

/** Words that LaunchServers and their launchers know. */
const words = {
  password: "auth.wrongpassword",
  expired: "auth.expiretoken",
  invalid: tokenWords.invalid,
} as const;

const anything = t.Optional(t.Any({ description: "Not read", examples: [null] }));
const context = { context: anything };
const serverId = textField("What the game server calls this connection", examples.serverId);
const accessToken = textField("The `minecraftAccessToken` of the player", examples.gameToken);
const username = textField("The player's name", examples.name);

const session = t.Object(
  {
    id: givenText("The account's id", examples.session, "uuid"),
    user: launchUser,
    minecraftAccessToken: t.Union([t.String(), t.Null()], { examples: [examples.gameToken] }),
    expireIn: Type.Integer({
      description: "Milliseconds until the token has to be refreshed",
      examples: [1_296_000_000],
    }),
  },
  { component: "LaunchSession" },
);
const details = t.Object(
  { details: t.Array(t.Object({ type: t.Literal("password") })) },
  { component: "LaunchDetails" },
);
const report = t.Object(
  {
    minecraftAccessToken: t.Union([t.String(), t.Null()], {
      description: "Null when `minecraftAccess` was not asked for",
      examples: [examples.gameToken],
    }),
    oauthAccessToken: t.String({ examples: [examples.gameToken] }),
    oauthRefreshToken: t.String({
      description: "The same token, which can be refreshed",
      examples: [examples.gameToken],
    }),
    oauthExpire: Type.Integer({
      description: "Milliseconds until it has to be refreshed",
      examples: [1_296_000_000],
    }),
    session,
  },
  { component: "LaunchReport" },
);

const badBody = { 400: failed("A field is missing or of another type; `error` names it") } as const;
const forServices = {
  ...badBody,
  401: failed("The service token is missing or not valid"),
  403: failed("The service token lacks the right `launcher`, or the player is refused"),
} as const;

/** `/api/gravit/auth`: what the core `http` of LaunchServers 5.2 to 5.4 asks for. */
export function authRoutes(services: Needed, http: Needs) {
  const guard = http.guards.service("launcher");
  return below("/auth", undefined, [
    ...userRoutes(services, http),
    ...openRoutes(services, http),
    ...[...joinRoutes(services, http), authorizeRoute(services, http)].map((one) => ({
      ...one,
      guard,
      read: lenientJsonReader(),
    })),
  ]);
}

const freshMs = limits.gameSessionFreshSeconds * 1000;

/** A game session as the LaunchServer reads it. One token is both the game's and the launcher's. */
async function presentReport(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  { site }: Pick<Http, "site">,
  { token, player, account }: Pick<GameSignedIn, "token" | "player" | "account">,
  forGame: boolean,
) {
  const { textures } = reads;
  const shown = player === null ? null : await textures.findAppearance({ by: "uuid", value: player.uuid });
  if (shown === null) throw new PlainError("forbidden", "Finish your registration on the website first");
  const user = presentUser(shown, site.publicUrl(), levelInForce(account, clock.nowSeconds()));
  const minecraftAccessToken = forGame ? token : null;
  return {
    minecraftAccessToken,
    oauthAccessToken: token,
    oauthRefreshToken: token,
    oauthExpire: freshMs,
    session: { id: account.uuid, user, minecraftAccessToken, expireIn: freshMs },
  };
}

/** Calls that carry no service token: the launcher's own token, or none, is enough. */
function openRoutes(services: Needed, http: Needs) {
  return [
    route("GET", "/details", {
      answer: details,
      operationId: "getGravitAuthDetails",
      summary: "How players sign in: by password",
      protocol: true,
      answers: { 429: failed("Too many requests") },
      handle: () => ({ details: [{ type: "password" as const }] }),
    }),
    route("GET", "/session", {
      answer: session,
      operationId: "getGravitSession",
      summary: "The player of a launcher's token",
      who: "games",
      protocol: true,
      answers: { 401: failed(`\`${words.expired}\`: refresh it, or sign in again`) },
      handle: async ({ request }) => {
        const token = bearerToken(request);
        const used = services.game.useToken({ token });
        const { session, member, player } = await proven(words.expired, used, "unauthenticated");
        const report = await presentReport(services, http, { token, account: member.account, player }, true);
        return { ...report.session, expireIn: freshSecondsOf(session, services.clock.nowSeconds()) * 1000 };
      },
    }),
    route("POST", "/refresh", {
      read: lenientJsonReader(),
      body: t.Object({
        refreshToken: textField("The `oauthRefreshToken`", examples.gameToken),
        ...context,
      }),
      answer: report,
      operationId: "refreshGravitToken",
      summary: "Exchange a launcher's token for a new one",
      protocol: true,
      answers: { ...badBody, 401: failed(`\`${words.invalid}\`: sign in again`) },
      handle: async ({ body, request }) => {
        const asMain = { clientToken: null, player: null, entersAsMain: true } as const;
        const input = { ...asMain, token: body.refreshToken, ...http.requests.clientOf(request) };
        const renewed = await proven(words.invalid, services.game.refresh(input), "unauthenticated");
        return presentReport(services, http, renewed, true);
      },
    }),
  ];
}

/** A call of the LaunchServer, which shows a service token. */
function authorizeRoute(services: Needed, http: Needs) {
  return route("POST", "/authorize", {
    body: t.Object({
      login: textField("A mail address, or the name of any of the account's players", examples.name),
      password: t.Any({
        description: '`{"type":"plain","password":"…"}`; no other type is taken',
        examples: [{ type: "plain", password: examples.password }],
      }),
      minecraftAccess: t.Optional(t.Union([t.Boolean(), t.Null()])),
      context: t.Optional(
        t.Any({
          description: "`ip` is the player's address, for which attempts count; the rest is not read",
          examples: [{ ip: "192.0.2.1" }],
        }),
      ),
    }),
    answer: report,
    protocol: true,
    operationId: "authorizeGravitPlayer",
    summary: "Sign a player in",
    description: `A wrong password and an unknown player are both \`${words.password}\`.`,
    answers: { ...forServices, 429: failed("Too many attempts by this player, or at this name") },
    handle: async ({ body, request }) => {
      const { login, minecraftAccess } = body;
      const password = readPassword(body.password);
      const given = { login, password, playerAddress: readAddress(body.context) };
      const opened = await proven(words.password, launchSignIn(services, http, request, given));
      return presentReport(services, http, opened, minecraftAccess ?? true);
    },
  });
}

/** Other calls of the LaunchServer. */
function joinRoutes(services: Needed, { site }: Pick<Http, "site">) {
  return [
    route("POST", "/join", {
      body: t.Object({
        username,
        uuid: t.Optional(
          t.Union([t.String({ shape: "uuidText" }), t.Null()], {
            description: "The player's UUID",
            examples: [examples.user],
          }),
        ),
        accessToken,
        serverId,
      }),
      protocol: true,
      operationId: "joinByGravit",
      summary: "Note that a player joins a game server",
      description: "It holds for 30 seconds, for the game server's question by whatever protocol.",
      answers: { 204: { description: "Noted" }, ...forServices },
      handle: async ({ body }) => {
        await noteJoin(services, body);
        return new Response(null, { status: 204 });
      },
    }),
    route("POST", "/check", {
      body: t.Object({ username, serverId }),
      answer: launchUser,
      protocol: true,
      operationId: "checkByGravit",
      summary: "The player that has joined a game server",
      answers: { ...forServices, 404: failed("The player has not joined within 30 seconds") },
      handle: async ({ body }) => {
        const { shown, level } = await joinedPlayer(services, body);
        return presentUser(shown, site.publicUrl(), level);
      },
    }),
  ];
}

/** The address of the player in what the LaunchServer knows of the connection; null: it says none. */
function readAddress(context: unknown): string | null {
  const given = typeof context === "object" && context !== null ? { ip: null, ...context } : null;
  return typeof given?.ip === "string" ? given.ip : null;
}

/** Fails with invalid for a password of another kind than the plain one. */
function readPassword(password: unknown): string {
  const given =
    typeof password === "object" && password !== null ? { type: "", password: "", ...password } : null;
  if (given?.type === "plain" && typeof given.password === "string") return given.password;
  throw new PlainError("invalid", "password: must be of the type plain");
}
