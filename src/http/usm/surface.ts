import { mayBeOfflineUuid } from "../../domain/model/player-uuid.ts";
import { findPlayer } from "../../domain/textures/delivery.ts";
import { gameId } from "../../domain/game/profile.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";
import type { ShownJson } from "../answers.ts";
import { givenGameId, givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { dated, keptJson } from "../textures/answers.ts";
import { describeLegacyFile, legacyFileRoutes } from "../textures/legacy-files.ts";
import { errnos, ModError, modFailure, presentModFailure } from "../textures/mod-failures.ts";
import { modTextureId, modTextureRoutes } from "../textures/mod-textures.ts";
import { knownJson } from "../textures/named.ts";
import { jsonParams, stemOf } from "../textures/segments.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * UniSkinAPI below `/usm`, for UniSkinMod and other mods that read it
 * (docs/contract/skin-mods.md#uniskinapi).
 */
export function usmSurface({ reads }: Pick<Services, "reads">, http: Http): Surface {
  const routes = () =>
    below("", "UniSkinAPI", [
      route("GET", "/usm/:name.json", {
        params: jsonParams,
        operationId: "getUniSkinProfile",
        summary: "What UniSkinMod shows of a player",
        description:
          "`/usm/{name}.{uuid}.json` answers the same where the UUID is the player's, or its offline id. Each id is below `/usm/textures`.",
        protocol: true,
        answers: {
          200: dated({ description: "The player's textures", schema: profileSchema, ...keptJson }),
          400: modFailure("The UUID is not this player's"),
          404: modFailure("No player has this name"),
        },
        handle: ({ params, request }) => {
          const asked = stemOf(http.requests, request, { segment: params["name.json"], suffix: ".json" });
          return http.answers.json(request, () => profileShown(reads, asked));
        },
      }),
      ...modTextureRoutes(reads, http, "/usm", "getUniSkinTexture"),
      ...legacyFileRoutes(reads, http, {
        skins: ["/usm/MinecraftSkins", describeLegacyFile("getUniSkinFile", "skin", modFailure)],
        capes: ["/usm/MinecraftCloaks", describeLegacyFile("getUniCapeFile", "cape", modFailure)],
      }),
    ]);
  return { prefixes: ["/usm"], isOpen: true, routes, presentFailure: presentModFailure };
}

/** `asked`: `name`, or `name.uuid`. */
async function profileShown(reads: Reads, asked: string | null): Promise<ShownJson> {
  const { name, uuid } = splitUuid(asked);
  const found = await knownJson(reads, name, async (shown) => {
    const isOwn = uuid === null || uuid === shown.uuid || (await isOfflineUuid(reads, shown, uuid));
    if (!isOwn) throw new ModError("invalid", errnos.otherUuid, "uuid: this player has another one");
    return {
      ...present(shown, await newestPart(reads, shown)),
      ...(uuid !== null && { uuid: gameId(uuid) }),
    };
  });
  // Another player may get this uuid.
  return uuid === null ? found : { ...found, subjects: [...(found.subjects ?? []), `player:${uuid}`] };
}

/** Whether servers without authentication know the player by this uuid, which is no other player's own. */
async function isOfflineUuid({ textures }: Reads, { uuid: own }: Appearance, uuid: Uuid): Promise<boolean> {
  if (!mayBeOfflineUuid(uuid)) return false;
  const found = await findPlayer(textures, { by: "uuid", value: uuid });
  return found?.uuid === uuid && found.playerUuid === own;
}

/** A name may hold dots, so that only a UUID behind the last one counts as such. */
function splitUuid(asked: string | null): { readonly name: string | null; readonly uuid: Uuid | null } {
  const dot = asked?.lastIndexOf(".") ?? -1;
  const uuid = asked === null || dot === -1 ? null : parseUuid(asked.slice(dot + 1));
  return uuid === null ? { name: asked, uuid } : { name: asked?.slice(0, dot) ?? null, uuid };
}

/**
 * When the newest part of what the player shows was added, in Unix seconds: the player, the skin or the cape.
 */
async function newestPart({ players, textures }: Reads, { uuid, skin, cape }: Appearance): Promise<number> {
  const [look, ...shown] = await Promise.all([
    players.findLook({ by: "uuid", value: uuid }),
    skin === null ? null : textures.findSkin(skin.uuid),
    cape === null ? null : textures.findCape({ by: "uuid", value: cape.uuid }),
  ]);
  return Math.max(...[look?.player, ...shown].map((part) => part?.createdAt ?? 0));
}

const model = t.Union([t.Literal("slim"), t.Literal("default")]);

const profileSchema = t.Object(
  {
    player_name: givenText("The player's name", examples.name),
    last_update: givenNumber(
      "When the newest of the player, the skin and the cape was added, in Unix seconds",
      examples.time,
    ),
    uuid: givenGameId(),
    model_preference: t.Array(model, { description: "The player's arms" }),
    skins: t.Object(
      { default: modTextureId("skin with classic arms"), slim: modTextureId("skin with slim arms") },
      { component: "UniSkinModels" },
    ),
    cape: modTextureId("cape"),
  },
  { component: "UniSkinProfile" },
);

function present({ name, uuid, skin, cape }: Appearance, changedAt: number): typeof profileSchema.static {
  const arms = skin?.model === "slim" ? "slim" : "default";
  return {
    player_name: name,
    last_update: changedAt,
    uuid: gameId(uuid),
    model_preference: [arms],
    skins: skin === null ? {} : { [arms]: skin.texture.hash },
    ...(cape === null ? {} : { cape: cape.texture.hash }),
  };
}
