import { PlainError } from "../../kernel/errors.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { nameParams } from "../textures/segments.ts";
import { failureAnswer, failureResponse } from "./failures.ts";
import { signedRoutes } from "./keys.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { type TSchema } from "@sinclair/typebox";

/** What the game itself asks of its services. */
export function servicesRoutes(
  services: Pick<Services, "clock" | "game" | "players" | "reads">,
  http: Pick<Http, "guards" | "requests" | "site">,
) {
  return [
    ...signedRoutes(services, http),
    ...atPlaces(
      ["/minecraftservices", ""],
      [
        ...fixedRoutes(http),
        ...profileRoutes(services, http),
        ...nameRoutes(services, http),
        ...missingRoutes(http),
      ],
    ),
    ...atPlaces(
      ["/api", "/minecraftservices/api", ""],
      [
        route("GET", "/user/security/location", {
          guard: http.guards.game,
          operationId: "getLocationTrust",
          summary: "Whether the address is trusted, which it always is",
          answers: { 204: { description: "It is" }, 401: unauthorized },
          handle: noContent,
        }),
      ],
    ),
  ];
}

const unauthorized = failureAnswer("The token is missing or not valid");
const unbound = failureAnswer("The token belongs to no player");

function noContent({ set }: { readonly set: { status?: number | string } }): void {
  set.status = 204;
}

const enabled = (value: boolean) => ({ enabled: value });

/** Chat and servers are for every player; nothing is reported to anybody. */
const attributes = {
  privileges: {
    onlineChat: enabled(true),
    multiplayerServer: enabled(true),
    multiplayerRealms: enabled(false),
    telemetry: enabled(false),
    optionalTelemetry: enabled(false),
  },
  profanityFilterPreferences: { profanityFilterOn: false },
  banStatus: { bannedScopes: {} },
};

/** Every member owns the game here. */
const entitlements = {
  items: ["product_minecraft", "game_minecraft"].map((name) => ({ name, signature: "" })),
  signature: "",
  keyId: "1",
};

/** What is the same for all players, by path. */
const fixed = {
  "/player/attributes": {
    operationId: "getPlayerAttributes",
    summary: "What the player may do online",
    component: "GameAttributes",
    answer: attributes,
  },
  "/privileges": {
    operationId: "getPrivileges",
    summary: "The same, for games of before 1.18",
    component: "GameAttributes",
    answer: attributes,
  },
  "/privacy/blocklist": {
    operationId: "getBlockedProfiles",
    summary: "The players that this one blocks, of whom there are none",
    component: "GameBlocklist",
    answer: { blockedProfiles: [] },
  },
  "/entitlements/mcstore": {
    operationId: "getEntitlements",
    summary: "What the player owns",
    component: "GameEntitlements",
    answer: entitlements,
  },
  "/entitlements/license": {
    operationId: "getLicence",
    summary: "The same at another address",
    component: "GameEntitlements",
    answer: entitlements,
  },
  "/rollout/v1/msamigration": {
    operationId: "getMigration",
    summary: "Whether accounts move elsewhere, which they do not",
    component: "GameMigration",
    answer: { feature: "msamigration", rollout: false },
  },
} as const;

/** The schema of an answer that is always the same, by its name in the document. */
function schemaLike(value: unknown, component?: string): TSchema {
  const examples = [value];
  if (Array.isArray(value))
    return t.Array(value.length === 0 ? t.String() : schemaLike(value[0]), { examples });
  if (typeof value === "boolean") return t.Boolean({ examples });
  if (typeof value === "string") return t.String({ examples });
  const fields = Object.entries(value as object).map(([name, one]) => [name, schemaLike(one)]);
  return t.Object(Object.fromEntries(fields), { examples, ...(component && { component }) });
}

function fixedRoutes(http: Pick<Http, "guards">) {
  return [
    ...Object.entries(fixed).map(([path, { answer, component, ...described }]) =>
      route("GET", path, {
        guard: http.guards.game,
        ...described,
        answers: { 200: { schema: schemaLike(answer, component) }, 401: unauthorized },
        handle: () => answer,
      }),
    ),
    route("POST", "/player/attributes", {
      guard: http.guards.game,
      operationId: "setPlayerAttributes",
      summary: "The same: nothing of it can be changed",
      answers: { 200: { schema: schemaLike(attributes, "GameAttributes") }, 401: unauthorized },
      handle: () => attributes,
    }),
    route("POST", "/events", {
      guard: http.guards.game,
      operationId: "sendTelemetry",
      summary: "What the game reports of itself, which is not kept",
      answers: { 204: { description: "Nothing was kept" }, 401: unauthorized },
      handle: noContent,
    }),
  ];
}

function profileRoutes(services: Pick<Services, "clock" | "reads">, http: Pick<Http, "guards" | "site">) {
  return [
    route("GET", "/minecraft/profile", {
      guard: http.guards.game,
      operationId: "getOwnGameProfile",
      summary: "The token's player, with its skin and the capes that it may wear",
      answers: { 200: { schema: ownProfile }, 401: unauthorized, 404: unbound },
      handle: ({ member, player }) => presentOwnProfile(services, http, member, boundPlayer({ player })),
    }),
    route("GET", "/minecraft/profile/namechange", {
      guard: http.guards.game,
      operationId: "getNameChange",
      summary: "When the player was named; names are changed on the website",
      answers: { 200: { schema: nameChange }, 401: unauthorized, 404: unbound },
      handle: async ({ player }) => {
        const { id, createdAt } = boundPlayer({ player });
        const changedAt = (await services.reads.players.lastRename(id)) || createdAt;
        return { changedAt: timeText(changedAt), createdAt: timeText(createdAt), nameChangeAllowed: false };
      },
    }),
  ];
}

const timeExample = "2026-01-01T00:00:00.000Z";
const nameChange = t.Object(
  {
    changedAt: t.String({ examples: [timeExample] }),
    createdAt: t.String({ examples: [timeExample] }),
    nameChangeAllowed: t.Literal(false),
  },
  { component: "GameNameChange" },
);

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** What the protocol calls the states of a name. */
const stateWords = { free: "AVAILABLE", taken: "DUPLICATE", refused: "NOT_ALLOWED" } as const;
const nameStatus = t.Object(
  {
    status: t.Union(
      Object.values(stateWords).map((word) => t.Literal(word)),
      { examples: ["AVAILABLE"] },
    ),
  },
  { component: "GameNameStatus" },
);

function nameRoutes(services: Pick<Services, "players">, http: Pick<Http, "guards">) {
  return [
    route("GET", "/minecraft/profile/name/:name/available", {
      guard: http.guards.game,
      params: nameParams,
      operationId: "getNameAvailability",
      summary: "Whether a player could have this name",
      answers: { 200: { schema: nameStatus }, 401: unauthorized },
      handle: async ({ member, params: { name } }) => ({
        status: stateWords[await services.players.nameState(member.account.id, name ?? "")],
      }),
    }),
    route("PUT", "/minecraft/profile/name/:name", {
      guard: http.guards.game,
      params: nameParams,
      operationId: "changeGameName",
      summary: "Always refused: renaming wants the password, on the website",
      answers: { 401: unauthorized, 403: failureAnswer("Names are changed on the website") },
      handle: () => {
        throw new PlainError("forbidden", "Names are changed on the website, which asks for the password");
      },
    }),
  ];
}

const missing = [
  ["POST", "/presence", "updatePresence"],
  ["GET", "/friends", "getFriends"],
  ["PUT", "/friends", "updateFriends"],
  ["POST", "/player/report", "reportPlayer"],
  ["POST", "/authentication/login_with_xbox", "loginXbox"],
] as const;

function notImplemented(): Response {
  return failureResponse(501, "Not Implemented", "This server does not have this service");
}

/** What there is not, answered in a way that the game understands. */
function missingRoutes(http: Pick<Http, "guards">) {
  const summary = "Not there: this server has no such service";
  const answers = {
    401: unauthorized,
    501: { ...failureAnswer("This server does not have this service"), headers: ["X-Request-Id"] },
  } as const;
  return missing.map(([method, path, operationId]) =>
    route(method, path, { guard: http.guards.game, operationId, summary, answers, handle: notImplemented }),
  );
}
