import { findPlayer } from "../../domain/players/list-players.ts";
import type { SpokenFor } from "../../domain/ports/launch-key.ts";
import type { PlayerLook, PlayerReads } from "../../domain/ports/player-store.ts";
import type { Actor } from "../../domain/ports/unit-of-work.ts";
import { nameKey } from "../../domain/model/username.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formReader } from "../form-body.ts";
import { pngField } from "../fields.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { capeTexture, presentDescriptor, type descriptor } from "../resources/launcher-textures.ts";
import { nameKeyOf } from "../player-keys.ts";
import { failed } from "./failure.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { type Static } from "@sinclair/typebox";

/** The LaunchServer sends `{"modelSlim": true}` or `{}`. */
const options = t.Optional(
  t.String({
    description: 'JSON: `{"modelSlim": true}` for slim arms, `{}` for others and for capes',
    rule: "must be a text part with JSON",
    examples: ['{"modelSlim":true}'],
  }),
);
const body = t.Object({ options, file: pngField() });

/** Unlike in a descriptor, the metadata are always there. */
const uploaded = t.Object(
  { ...capeTexture.properties, metadata: t.Object({ model: t.Optional(t.Literal("slim")) }) },
  { component: "LaunchUpload", description: "The texture as games load it; `model` is there for slim arms" },
);

const failures = {
  400: failed("The form or the picture breaks a rule"),
  401: failed("The token is neither the LaunchServer's nor a game token, or has ended"),
  403: failed("The wardrobe is full, the cape is none that the player was granted, or `auth.userblocked`"),
  404: failed("No player has the token's UUID or name"),
  413: failed("The file is too large"),
  415: failed("The body is no form"),
  429: failed("Too many uploads, or changes of what the player shows"),
} as const;

/**
 * `POST /api/gravit/upload/skin` and `…/cape`: what the launcher sends where the LaunchServer has the mixin
 * `uploadAsset`. It shows the token that it got at sign-in: one that the LaunchServer signed, or ours. The
 * skin joins the wardrobe and is worn; a cape must be one that the player's account was granted.
 */
export function uploadRoutes(
  services: Pick<Services, "players" | "reads" | "rules" | "limits">,
  http: Pick<Http, "guards" | "requests" | "site">,
) {
  const { publicUrl } = http.site;
  const { players, textures } = services.reads;
  const shownBy = async ({ player }: PlayerLook) =>
    presentDescriptor(await textures.findAppearance({ by: "uuid", value: player.uuid }), publicUrl());
  return [
    route("POST", "/upload/skin", {
      guard: http.guards.launcher,
      before: http.requests.uploadGuard(),
      read: formReader(services.rules.textures.bytesMax),
      body,
      protocol: true,
      operationId: "uploadGravitSkin",
      summary: "Upload a skin for a player, who wears it",
      answers: { 200: { description: "The skin", schema: uploaded }, ...failures },
      handle: async ({ actor, speaksFor, body: { options, file } }) => {
        const model = isSlim(options) ? "slim" : "classic";
        const look = await findSpokenFor(players, speaksFor);
        const by = actorFor(actor, look);
        await services.limits.upload.take({ account: look.player.accountId });
        const worn = await services.players.wearUpload(by, look, { png: await file.bytes(), model });
        return presentUploaded((await shownBy(worn)).SKIN);
      },
    }),
    route("POST", "/upload/cape", {
      guard: http.guards.launcher,
      before: http.requests.uploadGuard(),
      read: formReader(services.rules.textures.bytesMax),
      body,
      protocol: true,
      operationId: "uploadGravitCape",
      summary: "Wear a granted cape, by its picture",
      answers: { 200: { description: "The cape", schema: uploaded }, ...failures },
      handle: async ({ actor, speaksFor, body: { file } }) => {
        const look = await findSpokenFor(players, speaksFor);
        const by = actorFor(actor, look);
        await services.limits.upload.take({ account: look.player.accountId });
        const worn = await services.players.wearCapeFile(by, look, await file.bytes());
        return presentUploaded((await shownBy(worn)).CAPE);
      },
    }),
  ];
}

/** The launch server acts in the name of the player's account; a player acts itself. */
function actorFor(actor: Actor, { player }: PlayerLook): Actor {
  return actor.accountId === player.accountId ? actor : { ...actor, inNameOf: player.accountId };
}

function presentUploaded(shown: Static<typeof descriptor>["SKIN"]) {
  return shown && { ...shown, metadata: shown.metadata ?? {} };
}

/** The player of a token: by `uuid`, else by `sub`. Where both are there, they must mean the same player. */
async function findSpokenFor(players: PlayerReads, { uuid, name }: SpokenFor): Promise<PlayerLook> {
  const parsed = uuid === null ? null : parseUuid(uuid);
  if (parsed === null && (uuid !== null || name === null)) throw noPlayer();
  const key = parsed === null ? nameKeyOf(name ?? "") : ({ by: "uuid", value: parsed } as const);
  const look = await findPlayer(players, key);
  if (name !== null && nameKey(name) !== nameKey(look.player.name)) throw noPlayer();
  return look;
}

const noPlayer = () => new PlainError("unauthenticated", "The token's uuid and sub name no player, or two");

/**
 * Fails with invalid for a text that is no object of JSON, and for a model that is neither true nor false.
 */
function isSlim(options: string | undefined): boolean {
  const given = parseObject(options === undefined || options === "" ? "{}" : options);
  if (given === null) throw new PlainError("invalid", "options: must be an object of JSON");
  const { modelSlim = false } = given;
  if (typeof modelSlim !== "boolean") throw new PlainError("invalid", "modelSlim: must be true or false");
  return modelSlim;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
