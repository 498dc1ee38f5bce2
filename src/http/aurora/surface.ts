import { findPlayer } from "../../domain/textures/delivery.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { isSameSecret } from "../../kernel/constant-time.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { lenientJsonReader } from "../body.ts";
import { nothingHere } from "../failures.ts";
import { givenGameId, readUuid, textField, uuidField } from "../fields.ts";
import { launchSignIn, noAddress } from "../game/launch-servers.ts";
import { proven } from "../game/proof.ts";
import { examples } from "../openapi/examples.ts";
import type { Http } from "../http.ts";
import type { Site } from "../site.ts";
import { parseNameKey } from "../player-keys.ts";
import { presentDescriptor } from "../resources/launcher-textures.ts";
import type { Failure, Surface } from "../surface.ts";
import { pathOf } from "../target.ts";
import {
  answerOf,
  calls,
  failed,
  presentFailure,
  presentUnknown,
  say,
  sayHarmless,
  succeeded,
} from "./answers.ts";
import { below, route, type Guard } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

const prefix = "/api/aurora";

/**
 * `/api/aurora/<AURORA_SECRET>`: what an AuroraLauncher server asks for (docs/connect/auroralauncher.md). It
 * sends no token, so the address holds the secret: without it, every address below is unknown, and
 * `presentOther` says so.
 */
export function auroraSurface(
  { game, reads }: Pick<Services, "game" | "reads">,
  { requests, site }: Pick<Http, "requests" | "site">,
  presentOther: Surface["presentFailure"],
): Surface {
  const isSecret = secretCheck(site.auroraSecret);
  const guard: Guard = {
    who: "everybody",
    look: async (request) => {
      if (!isSecret(segmentsOf(request).secret)) throw nothingHere();
      return {};
    },
  };
  const routes = () =>
    below(
      `${prefix}/:secret`,
      "AuroraLauncher",
      [signInRoute({ game }, { requests }), ...joinRoutes(game, site), ...profileRoutes(reads, site)].map(
        (one) => ({ ...one, guard, read: lenientJsonReader() }),
      ),
    );
  return {
    prefixes: [prefix],
    routes,
    presentFailure: (failure) => {
      const { secret, call } = segmentsOf(failure.request);
      const isCall = failure.request.method === "POST" && calls.has(call);
      if (isSecret(secret)) return presentFailure(failure, isCall ? call : null);
      const unknown = asUnknown(failure);
      return isCall ? presentUnknown(unknown, call) : presentOther(unknown);
    },
  };
}

/** The two segments after the prefix, as they were sent. */
function segmentsOf({ url }: Request): { readonly secret: string; readonly call: string } {
  const [secret = "", call = ""] = pathOf(url)
    .slice(prefix.length + 1)
    .split("/", 2);
  return { secret, call };
}

const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();

/** Compares hashes, so that the time reveals neither the secret nor its length. */
function secretCheck(secret: string | null): (given: string) => boolean {
  const expected = secret === null ? null : hash(secret);
  return (given) => expected !== null && isSameSecret(expected, hash(given));
}

function asUnknown(failure: Failure): Failure {
  const { kind, message } = nothingHere();
  return { ...failure, kind, message, status: 404, headers: {}, route: null };
}

const params = t.Object({
  secret: t.String({ description: "The setting `AURORA_SECRET`", examples: [examples.launchSecret] }),
});
const userUUID = uuidField("The player's UUID", examples.user, "player");
const serverID = textField(
  "What the game server calls this connection",
  examples.serverId,
  undefined,
  "serverId",
);
const givenName = t.String({ examples: [examples.name] });
const looks = {
  skinUrl: t.Optional(t.String({ format: "uri" })),
  isAlex: t.Optional(t.Boolean({ description: "Whether the arms are slim; beside `skinUrl`" })),
  capeUrl: t.Optional(t.String({ format: "uri" })),
};

const loginField = textField(
  "A mail address, or the name of any of the account's players. Newer servers call it `username`",
  examples.name,
);
const signedIn = t.Object(
  {
    username: givenName,
    userUUID,
    accessToken: t.String({ examples: [examples.gameToken] }),
    clientToken: t.String({ description: "As it was given", examples: [""] }),
    selectedProfile: t.Object(
      { id: givenGameId(), name: givenName },
      { description: "The same player, as newer servers read it" },
    ),
  },
  { component: "AuroraSession" },
);

function signInRoute(services: Pick<Services, "game">, http: Pick<Http, "requests">) {
  return route("POST", "/auth", {
    params,
    body: t.Object({
      login: t.Optional(loginField),
      username: t.Optional(loginField),
      password: textField("The password", examples.password),
      clientToken: t.Optional(textField("Comes back as it is", "")),
    }),
    answer: answerOf("AuroraSignedIn", signedIn),
    ...say({
      operationId: "signInByAurora",
      summary: "Sign a player in",
      refusal: "Name and password do not fit, or the player may not sign in",
      answers: { 429: failed("This name is tried too often, or too many players sign in at once") },
    }),
    handle: async ({ body: { login, username, password, clientToken = "" }, request }) => {
      const given = { login: login ?? username, password, playerAddress: null };
      if (given.login === undefined) throw new PlainError("invalid", "login: must be a text");
      const signIn = { ...given, login: given.login };
      const { player, token } = await proven(null, launchSignIn(services, http, request, signIn));
      if (player === null) throw new PlainError("forbidden", "Finish your registration on the website first");
      const selectedProfile = { id: player.uuid.replaceAll("-", ""), name: player.name };
      const session = { username: player.name, userUUID: player.uuid, accessToken: token };
      return succeeded({ ...session, clientToken, selectedProfile });
    },
  });
}

function joinRoutes(game: Services["game"], { publicUrl }: Site) {
  return [
    route("POST", "/join", {
      params,
      body: t.Object({
        accessToken: textField("The player's token", examples.gameToken),
        userUUID,
        serverID,
      }),
      answer: answerOf("AuroraJoin", t.Boolean({ examples: [true] })),
      ...sayHarmless({
        operationId: "joinByAurora",
        summary: "Note that a player joins a game server",
        otherwise:
          "`result` is false for a token that is not the player's or has ended, and for whatever else is not noted.",
      }),
      handle: async ({ body }) => {
        const player = readUuid("userUUID", body.userUUID);
        const join = { token: body.accessToken, player, serverId: body.serverID, address: noAddress };
        await proven(null, game.join(join));
        return succeeded(true);
      },
    }),
    route("POST", "/hasJoined", {
      params,
      body: t.Object({ username: textField("The player's name", examples.name), serverID }),
      answer: answerOf("AuroraJoined", t.Object({ userUUID, ...looks })),
      ...say({
        operationId: "hasJoinedByAurora",
        summary: "The player that has joined a game server",
        refusal: "The player has not joined within 30 seconds",
      }),
      handle: async ({ body: { username, serverID: serverId } }) => {
        const shown = await game.findJoined({ name: username, serverId, address: null });
        if (shown === null) throw new PlainError("forbidden", "This player has not joined");
        return succeeded({ userUUID: shown.uuid, ...presentLooks(shown, publicUrl()) });
      },
    }),
  ];
}

/** Names in one question. AuroraLauncher servers ask for 10 at most. */
const namesMax = 100;

function profileRoutes({ textures }: Services["reads"], { publicUrl }: Site) {
  const find = async (name: string) => {
    const key = parseNameKey(name);
    return key === null ? null : textures.findAppearance(key);
  };
  const names = t.Array(t.Any(), {
    rule: "must be a list of names",
    documented: { type: "array", items: { type: "string" }, examples: [[examples.name]] },
  });
  return [
    route("POST", "/profile", {
      params,
      body: t.Object({ userUUID }),
      answer: answerOf("AuroraProfile", t.Object({ username: givenName, ...looks })),
      ...say({
        operationId: "getAuroraProfile",
        summary: "What a player shows",
        refusal: "No player has this UUID",
      }),
      handle: async ({ body }) => {
        const uuid = readUuid("userUUID", body.userUUID);
        const shown = await findPlayer(textures, { by: "uuid", value: uuid });
        if (shown === null) throw new PlainError("forbidden", "No player has this UUID");
        return succeeded({ username: shown.name, ...presentLooks(shown, publicUrl()) });
      },
    }),
    route("POST", "/profiles", {
      params,
      body: t.Union([t.Object({ usernames: names }), names], {
        rule: "must hold usernames, a list",
        documented: { component: "FindAuroraPlayersBody", ...t.Object({ usernames: names }) },
      }),
      answer: answerOf("AuroraPlayers", t.Array(t.Object({ id: userUUID, name: givenName }))),
      ...sayHarmless({
        operationId: "findAuroraPlayers",
        summary: "The players of these names",
        otherwise: `Unknown names and what is no text are left out, and so is what follows the first ${namesMax} names.`,
      }),
      handle: async ({ body }) => {
        const asked: readonly unknown[] = "usernames" in body ? body.usernames : body;
        const texts = asked.filter((name) => typeof name === "string");
        const found = await Promise.all(texts.slice(0, namesMax).map(find));
        return succeeded(
          found.flatMap((shown) => (shown === null ? [] : [{ id: shown.uuid, name: shown.name }])),
        );
      },
    }),
  ];
}

function presentLooks(shown: Appearance, publicUrl: string) {
  const { SKIN: skin, CAPE: cape } = presentDescriptor(shown, publicUrl);
  return {
    ...(skin && { skinUrl: skin.url, isAlex: skin.metadata?.model === "slim" }),
    ...(cape && { capeUrl: cape.url }),
  };
}
