import { Type } from "@sinclair/typebox";
import { freshSecondsOf } from "../../domain/game/session.ts";
import type { GameSignedIn } from "../../domain/game/sign-in.ts";
import { levelInForce, type Level } from "../../domain/model/account.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { findPlayer } from "../../domain/textures/delivery.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { lenientJsonReader } from "../body.ts";
import { givenFlag, givenText, textField, uuidField } from "../fields.ts";
import { launchSignIn } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import type { Description } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { nameKeyOf } from "../player-keys.ts";
import { descriptor } from "../resources/launcher-textures.ts";
import { failed, tokenWords } from "./failure.ts";
import { joinedPlayer, levelOf, noteJoin } from "./joining.ts";
import { presentTextures } from "./textures.ts";
import { rolesOf } from "./user.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

type Needed = Pick<Services, "game" | "reads" | "clock">;
type Needs = Pick<Http, "guards" | "requests" | "site">;

const texts = (description: string, example: readonly string[]) =>
  t.Array(t.String(), { description, examples: [[...example]] });

/** A player as LaunchServers from 5.5 on read it: lists beside each other, and digests in hex. */
const user = t.Object(
  {
    username: t.String({ examples: [examples.name] }),
    uuid: givenText("The player's UUID", examples.user, "uuid"),
    permissions: texts("Always empty", []),
    roles: texts("`moderator` or `administrator`; empty for players", ["moderator"]),
    assets: descriptor,
    banned: givenFlag("Always false: who is banned cannot sign in", false),
  },
  { component: "LaunchPlayer" },
);
const token = (description: string) => t.String({ description, examples: [examples.gameToken] });
const session = t.Object(
  {
    id: givenText("The account's id", examples.session, "uuid"),
    accessToken: token("The game's token and the launcher's"),
    refreshToken: token("The same token, which can be refreshed"),
    expire: Type.Integer({ description: "Seconds until it has to be refreshed", examples: [1_296_000] }),
    user,
  },
  { component: "LaunchPlayerSession" },
);

const accessToken = textField("The player's token", examples.gameToken);
const username = textField("The player's name", examples.name);
const serverId = textField("What the game server calls this connection", examples.serverId);

/** What the API's document says of a call. */
function say({ answers = {}, ...described }: Omit<Description, "who" | "protocol">) {
  return {
    ...described,
    protocol: true,
    answers: {
      400: failed("A field is missing or of another type; `error` names it"),
      401: failed("The service token is missing or not valid"),
      403: failed("The service token lacks the right `launcher`, or the player is refused"),
      ...answers,
    },
  } as const;
}

/**
 * `/api/gravit/myhttp`: what the module `myhttp` of LaunchServers from 5.5 on asks for. Each call shows the
 * service token. The addresses are others than those of the older core, because its questions for players are
 * the same and want other answers.
 */
export function myHttpRoutes(services: Needed, http: Needs) {
  const guard = http.guards.service("launcher");
  const routes = [
    userRoute(services, http),
    signInRoute(services, http),
    ...tokenRoutes(services, http),
    ...joinRoutes(services, http),
  ];
  return below(
    "/myhttp",
    undefined,
    routes.map((one) => ({ ...one, guard, read: lenientJsonReader() })),
  );
}

function presentPlayer({ site }: Pick<Http, "site">, shown: Appearance, level: Level | null) {
  return {
    username: shown.name,
    uuid: shown.uuid,
    permissions: [],
    roles: [...rolesOf[level ?? 1]],
    assets: presentTextures(shown, site.publicUrl(), "hex"),
    banned: false,
  };
}

async function presentSession(
  services: Pick<Services, "reads" | "clock">,
  http: Pick<Http, "site">,
  { token, player, account }: Pick<GameSignedIn, "token" | "player" | "account">,
  expire: number = limits.gameSessionFreshSeconds,
) {
  const { textures } = services.reads;
  const shown = player === null ? null : await textures.findAppearance({ by: "uuid", value: player.uuid });
  if (shown === null) throw new PlainError("forbidden", "Finish your registration on the website first");
  const level = levelInForce(account, services.clock.nowSeconds());
  const tokens = { accessToken: token, refreshToken: token };
  return { id: account.uuid, ...tokens, expire, user: presentPlayer(http, shown, level) };
}

/** A query, and not a path: the module writes a space of a name as `+`. */
function userRoute(services: Pick<Services, "reads" | "clock">, http: Pick<Http, "site">) {
  const { textures } = services.reads;
  const find = ({ username, uuid }: { readonly username?: string; readonly uuid?: string }) => {
    if (username !== undefined) return textures.findAppearance(nameKeyOf(username));
    const value = parseUuid(uuid ?? "");
    return value === null ? null : findPlayer(textures, { by: "uuid", value });
  };
  return route("GET", "/user", {
    query: t.Object({
      username: t.Optional(username),
      uuid: t.Optional(uuidField("Or its UUID", examples.user)),
    }),
    answer: user,
    ...say({
      operationId: "findLaunchPlayer",
      summary: "A player by name or UUID",
      answers: { 404: failed("No player is known by this") },
    }),
    handle: async ({ query }) => {
      const shown = await find(query);
      if (shown === null) throw new PlainError("not_found", "auth.usernotfound");
      return presentPlayer(http, shown, await levelOf(services, shown));
    },
  });
}

function signInRoute(services: Needed, http: Needs) {
  return route("POST", "/authorize", {
    body: t.Object({
      login: textField("A mail address, or the name of any of the account's players", examples.name),
      password: textField("The password", examples.password),
      totpCode: t.Optional(t.Any({ description: "Not read", examples: [null] })),
    }),
    answer: session,
    ...say({
      operationId: "authorizeLaunchPlayer",
      summary: "Sign a player in",
      description: "A wrong password and an unknown player are both `auth.wrongpassword`.",
      answers: { 429: failed("Too many attempts at this name") },
    }),
    handle: async ({ body: { login, password }, request }) => {
      const given = { login, password, playerAddress: null };
      const opened = await proven("auth.wrongpassword", launchSignIn(services, http, request, given));
      return presentSession(services, http, opened);
    },
  });
}

function tokenRoutes(services: Needed, http: Needs) {
  return [
    route("POST", "/token", {
      body: t.Object({ accessToken }),
      answer: session,
      ...say({
        operationId: "findLaunchSession",
        summary: "The session of a player's token",
        answers: {
          401: failed(
            `\`${tokenWords.expired}\` and code 1001: refresh it. Or the service token is not valid`,
          ),
        },
      }),
      handle: async ({ body: { accessToken: token } }) => {
        const used = services.game.useToken({ token });
        const { session, member, player } = await proven(tokenWords.expired, used, "unauthenticated");
        const left = freshSecondsOf(session, services.clock.nowSeconds());
        return presentSession(services, http, { token, account: member.account, player }, left);
      },
    }),
    route("POST", "/refresh", {
      body: t.Object({ refreshToken: textField("The `refreshToken`", examples.gameToken) }),
      answer: session,
      ...say({
        operationId: "refreshLaunchSession",
        summary: "Exchange a player's token for a new one",
        answers: {
          401: failed(`\`${tokenWords.invalid}\` and code 1002: sign in. Or the service token is not valid`),
        },
      }),
      handle: async ({ body: { refreshToken: token }, request }) => {
        const asMain = { clientToken: null, player: null, entersAsMain: true } as const;
        const input = { ...asMain, token, ...http.requests.clientOf(request) };
        return presentSession(
          services,
          http,
          await proven(tokenWords.invalid, services.game.refresh(input), "unauthenticated"),
        );
      },
    }),
  ];
}

function joinRoutes(services: Needed, http: Needs) {
  return [
    route("POST", "/join", {
      body: t.Object({
        username,
        uuid: uuidField("The player's UUID", examples.user),
        accessToken,
        serverId,
      }),
      ...say({
        operationId: "joinByLaunchPlayer",
        summary: "Note that a player joins a game server",
        description: "It holds for 30 seconds, for the game server's question by whatever protocol.",
        answers: { 204: { description: "Noted" } },
      }),
      handle: async ({ body }) => {
        await noteJoin(services, body);
        // The module reads any body into a class that it cannot make.
        return new Response(null, { status: 204 });
      },
    }),
    route("POST", "/check", {
      body: t.Object({ username, serverId }),
      answer: user,
      ...say({
        operationId: "checkLaunchPlayer",
        summary: "The player that has joined a game server",
        answers: { 404: failed("The player has not joined within 30 seconds") },
      }),
      handle: async ({ body }) => {
        const { shown, level } = await joinedPlayer(services, body);
        return presentPlayer(http, shown, level);
      },
    }),
  ];
}
