import { Elysia, t, type TSchema } from "elysia";
import { nameState } from "../../domain/players/name-state.ts";
import { PlainError } from "../../kernel/errors.ts";
import { unread } from "../body.ts";
import { gameGuard } from "../guards.ts";
import type { Parts } from "../parts.ts";
import { nameParams } from "../textures/segments.ts";
import { failureAnswer, failureResponse } from "./failures.ts";
import { signedRoutes } from "./keys.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces, type Say } from "./places.ts";

/** What the game itself asks of its services. */
export function servicesRoutes(parts: Parts) {
  return new Elysia()
    .use(signedRoutes(parts))
    .use(
      atPlaces(["/minecraftservices", ""], (say) =>
        new Elysia()
          .use(fixedRoutes(parts, say))
          .use(profileRoutes(parts, say))
          .use(nameRoutes(parts, say))
          .use(missingRoutes(parts, say)),
      ),
    )
    .use(
      atPlaces(["/api", "/minecraftservices/api", ""], (say) =>
        new Elysia().use(gameGuard(parts)).get("/user/security/location", noContent, {
          detail: say("/user/security/location", {
            operationId: "getLocationTrust",
            summary: "Whether the address is trusted, which it always is",
            who: "games",
            answers: { 204: { description: "It is" }, 401: unauthorized },
          }),
        }),
      ),
    );
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

function fixedRoutes(parts: Parts, say: Say) {
  const routes = new Elysia().use(gameGuard(parts));
  for (const [path, { answer, component, ...described }] of Object.entries(fixed)) {
    const answers = { 200: { schema: schemaLike(answer, component) }, 401: unauthorized };
    routes.get(path, () => answer, { detail: say(path, { ...described, who: "games", answers }) });
  }
  return routes
    .post("/player/attributes", () => attributes, {
      ...unread,
      detail: say("/player/attributes", {
        operationId: "setPlayerAttributes",
        summary: "The same: nothing of it can be changed",
        who: "games",
        answers: { 200: { schema: schemaLike(attributes, "GameAttributes") }, 401: unauthorized },
      }),
    })
    .post("/events", noContent, {
      ...unread,
      detail: say("/events", {
        operationId: "sendTelemetry",
        summary: "What the game reports of itself, which is not kept",
        who: "games",
        answers: { 204: { description: "Nothing was kept" }, 401: unauthorized },
      }),
    });
}

function profileRoutes(parts: Parts, say: Say) {
  return new Elysia()
    .use(gameGuard(parts))
    .get(
      "/minecraft/profile",
      ({ member, player }) => presentOwnProfile(parts, member, boundPlayer({ player })),
      {
        detail: say("/minecraft/profile", {
          operationId: "getOwnGameProfile",
          summary: "The token's player, with its skin and the capes that it may wear",
          who: "games",
          answers: { 200: { schema: ownProfile }, 401: unauthorized, 404: unbound },
        }),
      },
    )
    .get(
      "/minecraft/profile/namechange",
      async ({ player }) => {
        const { id, createdAt } = boundPlayer({ player });
        const changedAt = (await parts.reads.players.lastRename(id)) || createdAt;
        return { changedAt: timeText(changedAt), createdAt: timeText(createdAt), nameChangeAllowed: false };
      },
      {
        detail: say("/minecraft/profile/namechange", {
          operationId: "getNameChange",
          summary: "When the player was named; names are changed on the website",
          who: "games",
          answers: { 200: { schema: nameChange }, 401: unauthorized, 404: unbound },
        }),
      },
    );
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

function nameRoutes(parts: Parts, say: Say) {
  return new Elysia()
    .use(gameGuard(parts))
    .get(
      "/minecraft/profile/name/:name/available",
      async ({ member, params: { name } }) => ({
        status: stateWords[await nameState(parts, member.account.id, name ?? "")],
      }),
      {
        params: nameParams,
        detail: say("/minecraft/profile/name/:name/available", {
          operationId: "getNameAvailability",
          summary: "Whether a player could have this name",
          who: "games",
          answers: { 200: { schema: nameStatus }, 401: unauthorized },
        }),
      },
    )
    .put(
      "/minecraft/profile/name/:name",
      () => {
        throw new PlainError("forbidden", "Names are changed on the website, which asks for the password");
      },
      {
        ...unread,
        params: nameParams,
        detail: say("/minecraft/profile/name/:name", {
          operationId: "changeGameName",
          summary: "Always refused: renaming wants the password, on the website",
          who: "games",
          answers: { 401: unauthorized, 403: failureAnswer("Names are changed on the website") },
        }),
      },
    );
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
function missingRoutes(parts: Parts, say: Say) {
  const summary = "Not there: this server has no such service";
  const answers = {
    401: unauthorized,
    501: { ...failureAnswer("This server does not have this service"), headers: ["X-Request-Id"] },
  } as const;
  const routes = new Elysia().use(gameGuard(parts));
  for (const [method, path, operationId] of missing)
    routes.route(method, path, notImplemented, {
      ...unread,
      detail: say(path, { operationId, summary, who: "games", answers }),
    });
  return routes;
}
