import type { GameProfile } from "../../domain/game/profile.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { lenientJsonReader } from "../body.ts";
import { readUuid, uuidField } from "../fields.ts";
import { answerProfile, gameProfile } from "../game/profiles.ts";
import { proven } from "../game/proof.ts";
import { jsonType } from "../json-type.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { away, bodyFailures, failureAnswer, words } from "./failures.ts";
import { filledField, profileField, tokenField } from "./fields.ts";
import { atPlaces } from "./places.ts";
import { openJsonHeaders, openNothing } from "../textures/answers.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** What games and game servers ask when a player joins (docs/contract/yggdrasil.md#sessionserver). */
export function sessionserverRoutes(
  services: Pick<Services, "game" | "reads">,
  http: Pick<Http, "answers" | "requests">,
) {
  return atPlaces(
    ["/sessionserver", ""],
    [
      joinRoute(services, http),
      joinedRoute(services, http),
      profileRoute(services, http),
      route("GET", "/blockedservers", {
        operationId: "listBlockedServers",
        summary: "The game servers that are blocked, of which there are none",
        answers: { 200: { description: "An empty text" }, 404: failureAnswer("The protocol is off") },
        handle: () => new Response("", { headers: textHeaders }),
      }),
    ],
  );
}

const textHeaders = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
const unseen = { "cache-control": "no-store" };
const unseenJson = { ...unseen, "content-type": jsonType };

const busy = failureAnswer("Too many signatures are waited for");

const serverIdField = filledField(
  "What the game and the game server agreed upon: a signed SHA-1 in hexadecimal",
  examples.serverId,
);

function joinRoute(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return route("POST", "/session/minecraft/join", {
    read: lenientJsonReader(),
    body: t.Object({
      accessToken: tokenField,
      // Games send the id; go-mc sends the profile.
      selectedProfile: t.Union(
        [uuidField("The player's UUID, with or without dashes", examples.user), profileField],
        { rule: "must be a UUID, or an object with an id" },
      ),
      serverId: serverIdField,
    }),
    isDirect: true,
    operationId: "joinServer",
    summary: "Say that the player of a token joins a game server",
    description: "It is kept for half a minute. A later one of the player replaces it.",
    answers: {
      204: { description: "Noted" },
      ...bodyFailures,
      403: failureAnswer("The token is not valid, or not bound to this player"),
    },
    handle: async ({ body, request }) => {
      const { selectedProfile } = body;
      const player =
        typeof selectedProfile === "string"
          ? readUuid("selectedProfile", selectedProfile)
          : readUuid("selectedProfile.id", selectedProfile.id);
      const input = { token: body.accessToken, player, serverId: body.serverId };
      const address = http.requests.clientAddress(request);
      await proven(words.token, services.game.join({ ...input, address }));
      return new Response(null, { status: 204 });
    },
  });
}

const question = t.Object({
  username: filledField("The player's name, to the letter", examples.name),
  serverId: serverIdField,
  ip: t.Optional(
    t.String({
      description: "Where the player's game must have joined from, IPv4 or IPv6",
      examples: ["192.0.2.17"],
      rule: "must be a text",
    }),
  ),
});

function joinedRoute(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return route("GET", "/session/minecraft/hasJoined", {
    query: question,
    isDirect: true,
    operationId: "hasJoinedServer",
    summary: "The signed profile of a player who joins a game server",
    answers: {
      200: { description: "The player", schema: gameProfile },
      204: { description: "No such player joins this server, or not from this address" },
      400: failureAnswer("A field is missing or blank"),
      429: busy,
      500: failureAnswer("A fault of the server"),
      503: away,
    },
    handle: async ({ query: { username: name, serverId, ip: address = null }, request }) => {
      const shown = await services.game.findJoined({ name, serverId, address });
      if (shown === null) return new Response(null, { status: 204, headers: unseen });
      const { profile } = await services.game.profiles.signed(shown, http.requests.waiterOf(request));
      return new Response(textOf(profile), { headers: unseenJson });
    },
  });
}

/** Signed profiles are kept, so each becomes a text once: 1.5 µs less of each answer. */
const texts = new WeakMap<GameProfile, string>();

function textOf(profile: GameProfile): string {
  const known = texts.get(profile);
  if (known !== undefined) return known;
  const text = JSON.stringify(profile);
  texts.set(profile, text);
  return text;
}

function profileRoute(services: Pick<Services, "game" | "reads">, http: Pick<Http, "answers" | "requests">) {
  return route("GET", "/session/minecraft/profile/:id", {
    params: t.Object({
      // What does not decode is no text, and names no player either.
      id: t.Unknown({
        documented: {
          type: "string",
          shape: "uuidText",
          description: "The player's UUID",
          examples: [examples.user],
        },
      }),
    }),
    operationId: "getGameProfile",
    summary: "A player's profile with its textures",
    description:
      "With `unsigned=false` it is signed. The id that a server without authentication makes of the player's name is taken as well.",
    answers: {
      200: { description: "The player", schema: gameProfile, headers: openJsonHeaders },
      204: { description: "No player has this UUID", ...openNothing },
      429: busy,
      500: failureAnswer("A fault of the server"),
      503: away,
    },
    handle: async ({ params, request }) => {
      const uuid = typeof params.id === "string" ? parseUuid(params.id) : null;
      if (uuid === null) return http.answers.json(request, async () => null);
      const isSigned = new URL(request.url).searchParams.get("unsigned") === "false";
      return answerProfile(services, http, request, { key: { by: "uuid", value: uuid }, isSigned });
    },
  });
}
