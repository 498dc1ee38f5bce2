import { timingSafeEqual } from "node:crypto";
import { Elysia, t } from "elysia";
import { findJoined, joinServer } from "../../domain/game/joins.ts";
import { findPlayer } from "../../domain/textures/delivery.ts";
import { signInToGame } from "../../domain/game/sign-in.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { AppError } from "../../kernel/errors.ts";
import { lenientJsonReader } from "../body.ts";
import { failureJson, nothingHere } from "../failures.ts";
import { readUuid, textField, uuidField } from "../fields.ts";
import { launchSignIn, noAddress } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import { describe, type Description } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { parseNameKey } from "../player-keys.ts";
import { presentDescriptor } from "../resources/launcher-textures.ts";
import type { Failure, Surface } from "../surface.ts";
import { pathOf } from "../target.ts";

const prefix = "/api/aurora";

/**
 * `/api/aurora/<AURORA_SECRET>`: what an AuroraLauncher server asks for (docs/connect/auroralauncher.md). It sends no token, so
 * the address holds the secret: without it, every address below is unknown, and `presentOther` says so.
 */
export function auroraSurface(parts: Parts, presentOther: Surface["presentFailure"]): Surface {
  const isSecret = secretCheck(parts.auroraSecret);
  const routes = () =>
    new Elysia({ prefix: `${prefix}/:secret`, tags: ["AuroraLauncher"] })
      .onParse({ as: "scoped" }, ({ request }) => {
        if (!isSecret(secretIn(request))) throw nothingHere();
      })
      .use(lenientJsonReader())
      .use(signInRoute(parts))
      .use(joinRoutes(parts))
      .use(profileRoutes(parts));
  return {
    prefixes: [prefix],
    routes,
    presentFailure: (failure) =>
      isSecret(secretIn(failure.request)) ? presentFailure(failure) : presentOther(asUnknown(failure)),
  };
}

/** The segment after the prefix, as it was sent. */
function secretIn({ url }: Request): string {
  return (
    pathOf(url)
      .slice(prefix.length + 1)
      .split("/", 1)[0] ?? ""
  );
}

const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();

/** Compares hashes, so that the time reveals neither the secret nor its length. */
function secretCheck(secret: string | null): (given: string) => boolean {
  const expected = secret === null ? null : hash(secret);
  return (given) => expected !== null && timingSafeEqual(hash(given), expected);
}

function asUnknown(failure: Failure): Failure {
  const { code, message } = nothingHere();
  return { ...failure, code, message, status: 404, headers: {}, route: null };
}

/** The launcher shows `error` to the player and ignores the status. */
function presentFailure({ status, message, headers }: Failure): Response {
  return failureJson({ status, headers }, { success: false, error: message });
}

const userUUID = uuidField("The player's UUID", examples.user, "player");
const serverID = textField(
  "What the game server calls this connection",
  examples.serverId,
  undefined,
  "serverId",
);
const looks = {
  skinUrl: t.Optional(t.String({ format: "uri" })),
  isAlex: t.Optional(t.Boolean({ description: "Whether the arms are slim; beside `skinUrl`" })),
  capeUrl: t.Optional(t.String({ format: "uri" })),
};

const failure = t.Object(
  {
    success: t.Literal(false),
    error: t.String({ description: "What is wrong, for the player to read" }),
  },
  { component: "AuroraFailure" },
);
const failed = (description: string) => ({ description, schema: failure });

function answerOf<Result extends Parameters<typeof t.Object>[0][string]>(result: Result) {
  return t.Object({ success: t.Literal(true), result });
}

function succeeded<Result>(result: Result) {
  return { success: true as const, result };
}

/** The `detail` of a call. */
function say(
  described: Pick<Description, "operationId" | "summary" | "answers"> & { readonly refusal: string },
) {
  const { refusal, answers = {}, ...rest } = described;
  return describe({
    ...rest,
    description: "The address holds the setting `AURORA_SECRET`.",
    who: "everybody",
    protocol: true,
    answers: {
      400: failed("A field is missing or of another type"),
      403: failed(refusal),
      404: { description: "The address does not hold the secret" },
      ...answers,
    },
  });
}

function signInRoute(parts: Parts) {
  return new Elysia().post(
    "/auth",
    async ({ body, request }) => {
      const given = { ...body, playerAddress: null };
      const { player, token } = await proven(null, launchSignIn(parts, request, given, signInToGame));
      if (player === null) throw new AppError("forbidden", "Finish your registration on the website first");
      return succeeded({ username: player.name, userUUID: player.uuid, accessToken: token });
    },
    {
      body: t.Object({
        login: textField("A mail address, or the name of any of the account's players", examples.name),
        password: textField("The password", examples.password),
      }),
      response: { 200: answerOf(t.Object({ username: t.String(), userUUID, accessToken: t.String() })) },
      detail: say({
        operationId: "signInByAurora",
        summary: "Sign a player in",
        refusal: "Name and password do not fit, or the player may not sign in",
        answers: { 429: failed("This name is tried too often, or too many players sign in at once") },
      }),
    },
  );
}

function joinRoutes(parts: Parts) {
  return new Elysia()
    .post(
      "/join",
      async ({ body }) => {
        const player = readUuid("userUUID", body.userUUID);
        const join = { token: body.accessToken, player, serverId: body.serverID, address: noAddress };
        await proven(null, joinServer(parts, join));
        return succeeded(true as const);
      },
      {
        body: t.Object({
          accessToken: textField("The player's token", examples.gameToken),
          userUUID,
          serverID,
        }),
        response: { 200: answerOf(t.Literal(true)) },
        detail: say({
          operationId: "joinByAurora",
          summary: "Note that a player joins a game server",
          refusal: "The token is not the player's, or has ended",
        }),
      },
    )
    .post(
      "/hasJoined",
      async ({ body: { username, serverID: serverId } }) => {
        const shown = await findJoined(parts, { name: username, serverId, address: null });
        if (shown === null) throw new AppError("forbidden", "This player has not joined");
        return succeeded({ userUUID: shown.uuid, ...presentLooks(shown, parts.publicUrl()) });
      },
      {
        body: t.Object({ username: textField("The player's name", examples.name), serverID }),
        response: { 200: answerOf(t.Object({ userUUID, ...looks })) },
        detail: say({
          operationId: "hasJoinedByAurora",
          summary: "The player that has joined a game server",
          refusal: "The player has not joined within 30 seconds",
        }),
      },
    );
}

/** Names in one question; a game asks for those of its player list. */
const namesMax = 100;

function profileRoutes({ reads: { textures }, publicUrl }: Parts) {
  const find = async (name: string) => {
    const key = parseNameKey(name);
    return key === null ? null : textures.findAppearance(key);
  };
  const names = t.Array(t.String(), {
    maxItems: namesMax,
    rule: `must be a list of ${namesMax} names at most`,
    examples: [[examples.name]],
  });
  return new Elysia()
    .post(
      "/profile",
      async ({ body }) => {
        const uuid = readUuid("userUUID", body.userUUID);
        const shown = await findPlayer(textures, { by: "uuid", value: uuid });
        if (shown === null) throw new AppError("forbidden", "No player has this UUID");
        return succeeded({ username: shown.name, ...presentLooks(shown, publicUrl()) });
      },
      {
        body: t.Object({ userUUID }),
        response: { 200: answerOf(t.Object({ username: t.String(), ...looks })) },
        detail: say({
          operationId: "getAuroraProfile",
          summary: "What a player shows",
          refusal: "No player has this UUID",
        }),
      },
    )
    .post(
      "/profiles",
      async ({ body }) => {
        const asked = "usernames" in body ? body.usernames : body;
        const found = await Promise.all(asked.map(find));
        return succeeded(
          found.flatMap((shown) => (shown === null ? [] : [{ id: shown.uuid, name: shown.name }])),
        );
      },
      {
        body: t.Union([t.Object({ usernames: names }), names], {
          rule: `must hold usernames, a list of ${namesMax} at most`,
        }),
        response: { 200: answerOf(t.Array(t.Object({ id: userUUID, name: t.String() }))) },
        detail: say({
          operationId: "findAuroraPlayers",
          summary: "The players of these names",
          refusal: "Never",
        }),
      },
    );
}

function presentLooks(shown: Appearance, publicUrl: string) {
  const { SKIN: skin, CAPE: cape } = presentDescriptor(shown, publicUrl);
  return {
    ...(skin && { skinUrl: skin.url, isAlex: skin.metadata?.model === "slim" }),
    ...(cape && { capeUrl: cape.url }),
  };
}
