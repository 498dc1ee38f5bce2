import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { lenientJsonReader } from "../body.ts";
import { readUuid } from "../fields.ts";
import { proven } from "../game/proof.ts";
import type { Answer } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
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
import { atPlaces } from "./places.ts";
import { briefProfile, gameUser, presentBrief, presentUser } from "./profile.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * Signing in to the game and out of it, and the tokens in between (docs/contract/yggdrasil.md#authserver).
 */
export function authserverRoutes(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  const routes = [
    ...passwordRoutes(services, http),
    refreshRoute(services, http),
    ...tokenRoutes(services, http),
  ];
  return atPlaces(
    ["/authserver", ""],
    routes.map((one) => ({ ...one, read: lenientJsonReader() })),
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

function passwordRoutes(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return [
    route("POST", "/authenticate", {
      body: t.Object({ ...credentials, clientToken: clientTokenField, requestUser: requestUserField }),
      operationId: "authenticate",
      summary: "Sign in to the game",
      description: "The token is bound to the player that `username` names, else to the only one.",
      answers: { 200: opened, ...passwordFailures },
      handle: async ({ body, request }) => {
        const { username: login, password, requestUser } = body;
        const clientToken = readClientToken(body.clientToken);
        const attempt = http.requests.attemptBy(request, login, { resetsAddress: true });
        const input = {
          login,
          password,
          attempt,
          clientToken,
          entersAsMain: false,
          ...http.requests.clientOf(request),
        };
        const found = await proven(words.credentials, services.game.signIn(input));
        http.requests.noteUser(request, found.account.id);
        return presentSignedIn(found, requestUser);
      },
    }),
    route("POST", "/signout", {
      body: t.Object(credentials),
      operationId: "signOutOfGame",
      summary: "End all game sessions of the account",
      answers: { 204: nothing, ...passwordFailures },
      handle: async ({ body: { username: login, password }, request }) => {
        const attempt = http.requests.attemptBy(request, login, { resetsAddress: true });
        const input = { login, password, attempt, ...http.requests.clientOf(request) };
        const member = await proven(words.credentials, services.game.signOut(input));
        http.requests.noteUser(request, member.account.id);
        return noContent();
      },
    }),
  ];
}

function refreshRoute(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return route("POST", "/refresh", {
    body: t.Object({
      ...tokens,
      requestUser: requestUserField,
      selectedProfile: t.Optional(
        t.Union([profileField, t.Null()], { rule: "must be an object with an id", field: "player" }),
      ),
    }),
    operationId: "refreshGameToken",
    summary: "Exchange a token for a new one",
    description:
      "`selectedProfile` binds a token that is bound to no player. A failed refresh leaves the token as it was.",
    answers: { 200: opened, ...bodyFailures, 403: badToken },
    handle: async ({ body, request }) => {
      const { accessToken: token, selectedProfile: wanted } = body;
      const clientToken = readClientToken(body.clientToken);
      const player =
        wanted === undefined || wanted === null
          ? null
          : { uuid: readUuid("selectedProfile.id", wanted.id), name: wanted.name ?? null };
      const input = { token, clientToken, player, ...http.requests.clientOf(request) };
      const renewed = await proven(words.token, services.game.refresh(input));
      http.requests.noteUser(request, renewed.account.id);
      return presentSignedIn(renewed, body.requestUser);
    },
  });
}

function tokenRoutes(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return [
    route("POST", "/validate", {
      body: t.Object(tokens),
      operationId: "validateGameToken",
      summary: "Ask whether a token is valid",
      answers: { 204: { description: "It is" }, ...bodyFailures, 403: badToken },
      handle: async ({ body, request }) => {
        const clientToken = readClientToken(body.clientToken);
        const { member } = await proven(
          words.token,
          services.game.useToken({ token: body.accessToken, clientToken }),
        );
        http.requests.noteUser(request, member.account.id);
        return noContent();
      },
    }),
    route("POST", "/invalidate", {
      body: t.Object({ accessToken: tokenField }),
      operationId: "invalidateGameToken",
      summary: "End a token, whatever it is",
      answers: { 204: nothing, ...bodyFailures },
      handle: async ({ body }) => {
        await services.game.end(body.accessToken);
        return noContent();
      },
    }),
  ];
}

function noContent(): Response {
  return new Response(null, { status: 204 });
}
