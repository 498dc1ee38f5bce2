import { Elysia, t } from "elysia";
import type { Member } from "../../domain/model/account.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { PlayerLook } from "../../domain/ports/player-store.ts";
import { dressOwnPlayer } from "../../domain/players/change-player.ts";
import { wearCapeFile, wearUpload } from "../../domain/players/wear-upload.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formReader, unread } from "../body.ts";
import { pngField } from "../fields.ts";
import { gameGuard } from "../guards.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { describeLegacyFile, legacyFileRoutes } from "../textures/legacy-files.ts";
import { activeCapeRoute } from "./active-cape.ts";
import { activeSkinRoute } from "./active-skin.ts";
import { failureAnswer } from "./failures.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { modelField, modelOf, uploadFailures, uploadGate } from "./uploads.ts";

/** Uploads and removals of what players wear, by launchers, and files for clients before 1.8. */
export function playerTextureRoutes(parts: Parts) {
  return new Elysia()
    .use(oldClientRoutes(parts))
    .use(uploadRoutes(parts))
    .use(removalRoutes(parts))
    .use(otherTypeRoutes(parts))
    .use(activeSkinRoute(parts))
    .use(activeRemovalRoutes(parts))
    .use(activeCapeRoute(parts));
}

const skinForm = t.Object({
  file: pngField(),
  model: modelField("`slim`; anything else, and none, is the classic model"),
});
const capeForm = t.Object({ file: pngField() });

const params = t.Object({
  id: t.String({ description: "A player's id", shape: "uuidText", examples: [examples.gameId] }),
});

const { 401: unauthorized, 403: forbidden, 404: unknown } = uploadFailures;
const tooMany = failureAnswer("Too many changes of what the player shows");
const done = { description: "It is done; the body is empty" };

function uploadRoutes(parts: Parts) {
  return atPlaces(["/api", ""], (say) =>
    new Elysia()
      .use(gameGuard(parts))
      .use(uploadGate(parts))
      .use(formReader(parts.rules.textures.bytesMax))
      .put(
        "/user/profile/:id/skin",
        async ({ actor, member, params: { id }, body, set }) => {
          const player = await ownPlayer(parts, member, id);
          const png = await body.file.bytes();
          await wearUpload(parts, actor, player, { png, model: modelOf(body.model) });
          set.status = 204;
        },
        {
          params,
          body: skinForm,
          detail: say("/user/profile/:id/skin", {
            operationId: "putPlayerSkin",
            summary: "Upload a skin and wear it",
            description: "It comes into the wardrobe, unless an equal one is there.",
            who: "games",
            answers: { 204: done, ...uploadFailures },
          }),
        },
      )
      .put(
        "/user/profile/:id/cape",
        async ({ actor, member, params: { id }, body, set }) => {
          const player = await ownPlayer(parts, member, id);
          await wearCapeFile(parts, actor, player, await body.file.bytes());
          set.status = 204;
        },
        {
          params,
          body: capeForm,
          detail: say("/user/profile/:id/cape", {
            operationId: "putPlayerCape",
            summary: "Wear the granted cape that a file shows",
            description: "Capes are granted: any other picture is refused.",
            who: "games",
            answers: { 204: done, ...uploadFailures },
          }),
        },
      ),
  );
}

/** What a player wears then. */
const without = { skin: { skin: null }, cape: { cape: "none" } } as const;

function removalRoutes(parts: Parts) {
  return atPlaces(["/api", ""], (say) => {
    const routes = new Elysia().use(gameGuard(parts));
    for (const what of ["skin", "cape"] as const) {
      routes.delete(
        `/user/profile/:id/${what}`,
        async ({ actor, member, params: { id }, set }) => {
          const { player } = await ownPlayer(parts, member, id);
          const key = { by: "id", value: player.id } as const;
          await dressOwnPlayer(parts, actor, member, { player: key, ...without[what] });
          set.status = 204;
        },
        {
          ...unread,
          params,
          detail: say(`/user/profile/:id/${what}`, {
            operationId: what === "skin" ? "deletePlayerSkin" : "deletePlayerCape",
            summary: `Wear no ${what}`,
            who: "games",
            answers: { 204: done, 401: unauthorized, 403: forbidden, 404: unknown, 429: tooMany },
          }),
        },
      );
    }
    return routes;
  });
}

function refuseType(): never {
  throw new PlainError("forbidden", "Only skins and capes can be uploaded and taken off");
}

/** Textures of types that no profile announces as `uploadableTextures`. */
function otherTypeRoutes(parts: Parts) {
  const params = t.Object({ id: t.String(), type: t.String({ examples: ["elytra"] }) });
  return atPlaces(["/api", ""], (say) => {
    const path = "/user/profile/:id/:type";
    const described = (operationId: string) =>
      say(path, {
        operationId,
        summary: "Always refused: there are skins and capes alone",
        who: "games",
        answers: { 401: unauthorized, 403: forbidden },
      });
    return new Elysia()
      .use(gameGuard(parts))
      .put(path, refuseType, { ...unread, params, detail: described("putOtherTexture") })
      .delete(path, refuseType, { ...unread, params, detail: described("deleteOtherTexture") });
  });
}

/** In the place of `skins.minecraft.net`. */
function oldClientRoutes(parts: Parts) {
  return legacyFileRoutes(parts, {
    skins: ["/skins/MinecraftSkins", describeLegacyFile("getYggdrasilSkin", "skin", failureAnswer)],
    capes: ["/skins/MinecraftCloaks", describeLegacyFile("getYggdrasilCape", "cape", failureAnswer)],
  });
}

const unbound = failureAnswer("The token belongs to no player");

function activeRemovalRoutes(parts: Parts) {
  return atPlaces(["/minecraftservices", ""], (say) => {
    const routes = new Elysia().use(gameGuard(parts));
    for (const what of ["skin", "cape"] as const) {
      routes.delete(
        `/minecraft/profile/${what}s/active`,
        async ({ actor, member, player }) => {
          const { id, uuid } = boundPlayer({ player });
          const key = { by: "id", value: id } as const;
          await dressOwnPlayer(parts, actor, member, { player: key, ...without[what] });
          return presentOwnProfile(parts, member, { uuid });
        },
        {
          ...unread,
          detail: say(`/minecraft/profile/${what}s/active`, {
            operationId: what === "skin" ? "deleteActiveSkin" : "deleteActiveCape",
            summary: `Let the token's player wear no ${what}`,
            who: "games",
            answers: { 200: { schema: ownProfile }, 401: unauthorized, 404: unbound, 429: tooMany },
          }),
        },
      );
    }
    return routes;
  });
}

/** The player of an address, if it is the token's account's. Fails with not_found and forbidden. */
async function ownPlayer({ reads }: Parts, { account }: Member, id: string): Promise<PlayerLook> {
  const uuid = parseUuid(id);
  const look = uuid === null ? null : await reads.players.findLook({ by: "uuid", value: uuid });
  if (look === null) throw refusals.unknownPlayer();
  if (look.player.accountId !== account.id)
    throw new PlainError("forbidden", "This player belongs to another account");
  return look;
}
