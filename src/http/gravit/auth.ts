import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { freshSecondsOf, refreshGameSession, useGameToken } from "../../domain/game/session.ts";
import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { levelInForce } from "../../domain/model/account.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { bearerToken } from "../authorization.ts";
import { lenientJsonReader } from "../body.ts";
import { givenText, textField } from "../fields.ts";
import { serviceGuard } from "../guards.ts";
import { launchSignIn } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import { describe } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { failed, tokenWords } from "./failure.ts";
import { joinedPlayer, noteJoin } from "./joining.ts";
import { userRoutes } from "./users.ts";
import { launchUser, presentUser } from "./user.ts";

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
export function authRoutes(parts: Parts) {
  return new Elysia({ prefix: "/auth" })
    .use(userRoutes(parts))
    .use(openRoutes(parts))
    .use(serverRoutes(parts));
}

const freshMs = limits.gameSessionFreshSeconds * 1000;

/** A game session as the LaunchServer reads it. One token is both the game's and the launcher's. */
async function presentReport(
  parts: Parts,
  { token, player, account }: Pick<GameSignedIn, "token" | "player" | "account">,
  forGame: boolean,
) {
  const { textures } = parts.reads;
  const shown = player === null ? null : await textures.findAppearance({ by: "uuid", value: player.uuid });
  if (shown === null) throw new PlainError("forbidden", "Finish your registration on the website first");
  const user = presentUser(shown, parts.publicUrl(), levelInForce(account, parts.clock.nowSeconds()));
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
function openRoutes(parts: Parts) {
  return new Elysia()
    .get("/details", () => ({ details: [{ type: "password" as const }] }), {
      response: { 200: details },
      detail: describe({
        operationId: "getGravitAuthDetails",
        summary: "How players sign in: by password",
        who: "everybody",
        protocol: true,
        answers: { 429: failed("Too many requests") },
      }),
    })
    .get(
      "/session",
      async ({ request }) => {
        const token = bearerToken(request);
        const used = useGameToken(parts, { token });
        const { session, member, player } = await proven(words.expired, used, "unauthenticated");
        const report = await presentReport(parts, { token, account: member.account, player }, true);
        return { ...report.session, expireIn: freshSecondsOf(session, parts.clock.nowSeconds()) * 1000 };
      },
      {
        response: { 200: session },
        detail: describe({
          operationId: "getGravitSession",
          summary: "The player of a launcher's token",
          who: "games",
          protocol: true,
          answers: { 401: failed(`\`${words.expired}\`: refresh it, or sign in again`) },
        }),
      },
    )
    .use(lenientJsonReader())
    .post(
      "/refresh",
      async ({ body, request }) => {
        const asMain = { clientToken: null, player: null, entersAsMain: true } as const;
        const input = { ...asMain, token: body.refreshToken, ...parts.clientOf(request) };
        const renewed = await proven(words.invalid, refreshGameSession(parts, input), "unauthenticated");
        return presentReport(parts, renewed, true);
      },
      {
        body: t.Object({
          refreshToken: textField("The `oauthRefreshToken`", examples.gameToken),
          ...context,
        }),
        response: { 200: report },
        detail: describe({
          operationId: "refreshGravitToken",
          summary: "Exchange a launcher's token for a new one",
          who: "everybody",
          protocol: true,
          answers: { ...badBody, 401: failed(`\`${words.invalid}\`: sign in again`) },
        }),
      },
    );
}

const described = { who: "services:launcher", protocol: true } as const;

/** Calls of the LaunchServer, which shows a service token. */
function serverRoutes(parts: Parts) {
  return new Elysia()
    .use(serviceGuard(parts, "launcher"))
    .use(lenientJsonReader())
    .use(joinRoutes(parts))
    .post(
      "/authorize",
      async ({ body, request }) => {
        const { login, minecraftAccess } = body;
        const password = readPassword(body.password);
        const given = { login, password, playerAddress: readAddress(body.context) };
        const opened = await proven(words.password, launchSignIn(parts, request, given));
        return presentReport(parts, opened, minecraftAccess ?? true);
      },
      {
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
        response: { 200: report },
        detail: describe({
          ...described,
          operationId: "authorizeGravitPlayer",
          summary: "Sign a player in",
          description: `A wrong password and an unknown player are both \`${words.password}\`.`,
          answers: { ...forServices, 429: failed("Too many attempts by this player, or at this name") },
        }),
      },
    );
}

function joinRoutes(parts: Parts) {
  return new Elysia()
    .post(
      "/join",
      async ({ body }) => {
        await noteJoin(parts, body);
        return new Response(null, { status: 204 });
      },
      {
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
        detail: describe({
          ...described,
          operationId: "joinByGravit",
          summary: "Note that a player joins a game server",
          description: "It holds for 30 seconds, for the game server's question by whatever protocol.",
          answers: { 204: { description: "Noted" }, ...forServices },
        }),
      },
    )
    .post(
      "/check",
      async ({ body }) => {
        const { shown, level } = await joinedPlayer(parts, body);
        return presentUser(shown, parts.publicUrl(), level);
      },
      {
        body: t.Object({ username, serverId }),
        response: { 200: launchUser },
        detail: describe({
          ...described,
          operationId: "checkByGravit",
          summary: "The player that has joined a game server",
          answers: { ...forServices, 404: failed("The player has not joined within 30 seconds") },
        }),
      },
    );
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
