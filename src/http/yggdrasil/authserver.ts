import { Elysia, t } from "elysia";
import { endGameSession, refreshGameSession, useGameToken } from "../../domain/game/session.ts";
import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { lenientJsonReader } from "../body.ts";
import { readUuid } from "../fields.ts";
import { proven } from "../game/proof.ts";
import type { Answer } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { bodyFailures, failureAnswer, words } from "./failures.ts";
import {
  clientTokenField,
  filledField,
  givenClientToken,
  profileField,
  passwordField,
  readClientToken,
  requestUserField,
  tokenField,
} from "./fields.ts";
import { atPlaces, type Say } from "./places.ts";
import { briefProfile, gameUser, presentBrief, presentUser } from "./profile.ts";

/** Signing in to the game and out of it, and the tokens in between (docs/contract/yggdrasil.md#authserver). */
export function authserverRoutes(parts: Parts) {
  return atPlaces(["/authserver", ""], (say) =>
    new Elysia()
      .use(lenientJsonReader())
      .use(passwordRoutes(parts, say))
      .use(refreshRoute(parts, say))
      .use(tokenRoutes(parts, say)),
  );
}

const badToken = failureAnswer("The token is not valid: unknown, ended, too old, or another launcher's");
const passwordFailures = {
  ...bodyFailures,
  403: failureAnswer("Username and password do not fit, or the account's were tried a moment ago"),
  429: failureAnswer("Too many from one address"),
};
const nothing: Answer = { description: "Done" };

const credentials = {
  username: filledField("A mail address, or the name of any of the account's players", examples.name),
  password: passwordField,
};
const tokens = { accessToken: tokenField, clientToken: clientTokenField };

const signedIn = t.Object(
  {
    accessToken: t.String({ description: "The token of the game session", examples: [examples.gameToken] }),
    clientToken: givenClientToken,
    availableProfiles: t.Array(briefProfile, { description: "The account's players" }),
    selectedProfile: t.Optional(briefProfile),
    user: t.Optional(gameUser),
  },
  { component: "YggdrasilSession" },
);

const opened: Answer = { description: "The session", schema: signedIn };

/** What is not there is left out: clients take null for a fault. */
function presentSignedIn(
  { token, clientToken, account, players, player }: GameSignedIn,
  requestUser: boolean | null | undefined,
): typeof signedIn.static {
  return {
    accessToken: token,
    clientToken,
    availableProfiles: players.map(presentBrief),
    ...(player === null ? {} : { selectedProfile: presentBrief(player) }),
    ...(requestUser === true ? { user: presentUser(account) } : {}),
  };
}

function passwordRoutes(parts: Parts, say: Say) {
  return new Elysia()
    .post(
      "/authenticate",
      async ({ body, request }) => {
        const { username: login, password, requestUser } = body;
        const clientToken = readClientToken(body.clientToken);
        const attempt = parts.attemptBy(request, login, { isForgiven: true });
        const input = {
          login,
          password,
          attempt,
          clientToken,
          entersAsMain: false,
          ...parts.clientOf(request),
        };
        const found = await proven(words.credentials, parts.game.signIn(input));
        parts.noteUser(request, found.account.id);
        return presentSignedIn(found, requestUser);
      },
      {
        body: t.Object({ ...credentials, clientToken: clientTokenField, requestUser: requestUserField }),
        detail: say("/authenticate", {
          operationId: "authenticate",
          summary: "Sign in to the game",
          description: "The token is bound to the player that `username` names, else to the only one.",
          who: "everybody",
          answers: { 200: opened, ...passwordFailures },
        }),
      },
    )
    .post(
      "/signout",
      async ({ body: { username: login, password }, request }) => {
        const attempt = parts.attemptBy(request, login, { isForgiven: true });
        const input = { login, password, attempt, ...parts.clientOf(request) };
        const member = await proven(words.credentials, parts.game.signOut(input));
        parts.noteUser(request, member.account.id);
        return noContent();
      },
      {
        body: t.Object(credentials),
        detail: say("/signout", {
          operationId: "signOutOfGame",
          summary: "End all game sessions of the account",
          who: "everybody",
          answers: { 204: nothing, ...passwordFailures },
        }),
      },
    );
}

function refreshRoute(parts: Parts, say: Say) {
  return new Elysia().post(
    "/refresh",
    async ({ body, request }) => {
      const { accessToken: token, selectedProfile: wanted } = body;
      const clientToken = readClientToken(body.clientToken);
      const player =
        wanted === undefined || wanted === null
          ? null
          : { uuid: readUuid("selectedProfile.id", wanted.id), name: wanted.name ?? null };
      const input = { token, clientToken, player, ...parts.clientOf(request) };
      const renewed = await proven(words.token, refreshGameSession(parts, input));
      parts.noteUser(request, renewed.account.id);
      return presentSignedIn(renewed, body.requestUser);
    },
    {
      body: t.Object({
        ...tokens,
        requestUser: requestUserField,
        selectedProfile: t.Optional(
          t.Union([profileField, t.Null()], { rule: "must be an object with an id", field: "player" }),
        ),
      }),
      detail: say("/refresh", {
        operationId: "refreshGameToken",
        summary: "Exchange a token for a new one",
        description:
          "`selectedProfile` binds a token that is bound to no player. A failed refresh leaves the token as it was.",
        who: "everybody",
        answers: { 200: opened, ...bodyFailures, 403: badToken },
      }),
    },
  );
}

function tokenRoutes(parts: Parts, say: Say) {
  return new Elysia()
    .post(
      "/validate",
      async ({ body, request }) => {
        const clientToken = readClientToken(body.clientToken);
        const { member } = await proven(
          words.token,
          useGameToken(parts, { token: body.accessToken, clientToken }),
        );
        parts.noteUser(request, member.account.id);
        return noContent();
      },
      {
        body: t.Object(tokens),
        detail: say("/validate", {
          operationId: "validateGameToken",
          summary: "Ask whether a token is valid",
          who: "everybody",
          answers: { 204: { description: "It is" }, ...bodyFailures, 403: badToken },
        }),
      },
    )
    .post(
      "/invalidate",
      async ({ body }) => {
        await endGameSession(parts, body.accessToken);
        return noContent();
      },
      {
        body: t.Object({ accessToken: tokenField }),
        detail: say("/invalidate", {
          operationId: "invalidateGameToken",
          summary: "End a token, whatever it is",
          who: "everybody",
          answers: { 204: nothing, ...bodyFailures },
        }),
      },
    );
}

function noContent(): Response {
  return new Response(null, { status: 204 });
}
