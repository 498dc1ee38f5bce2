import type { Member } from "../../domain/model/account.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { PlayerLook } from "../../domain/ports/player-store.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formReader } from "../form-body.ts";
import { pngField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { describeLegacyFile, legacyFileRoutes } from "../textures/legacy-files.ts";
import { activeCapeRoute } from "./active-cape.ts";
import { activeSkinRoute } from "./active-skin.ts";
import { failureAnswer } from "./failures.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { modelField, modelOf, uploadFailures, uploadGate } from "./uploads.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** Uploads and removals of what players wear, by launchers, and files for clients before 1.8. */
export function playerTextureRoutes(
  services: Pick<Services, "clock" | "limits" | "players" | "reads" | "rules">,
  http: Http,
) {
  return [
    ...oldClientRoutes(services, http),
    ...uploadRoutes(services, http),
    ...removalRoutes(services, http),
    ...otherTypeRoutes(http),
    ...activeSkinRoute(services, http),
    ...activeRemovalRoutes(services, http),
    ...activeCapeRoute(services, http),
  ];
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

function uploadRoutes(
  services: Pick<Services, "limits" | "players" | "reads" | "rules">,
  http: Pick<Http, "guards" | "requests">,
) {
  return atPlaces(
    ["/api", ""],
    [
      route("PUT", "/user/profile/:id/skin", {
        guard: http.guards.game,
        before: uploadGate(services, http),
        read: formReader(services.rules.textures.bytesMax),
        params,
        body: skinForm,
        operationId: "putPlayerSkin",
        summary: "Upload a skin and wear it",
        description: "It comes into the wardrobe, unless an equal one is there.",
        answers: { 204: done, ...uploadFailures },
        handle: async ({ actor, member, params: { id }, body, set }) => {
          const player = await ownPlayer(services, member, id);
          const png = await body.file.bytes();
          await services.players.wearUpload(actor, player, { png, model: modelOf(body.model) });
          set.status = 204;
        },
      }),
      route("PUT", "/user/profile/:id/cape", {
        guard: http.guards.game,
        before: uploadGate(services, http),
        read: formReader(services.rules.textures.bytesMax),
        params,
        body: capeForm,
        operationId: "putPlayerCape",
        summary: "Wear the granted cape that a file shows",
        description: "Capes are granted: any other picture is refused.",
        answers: { 204: done, ...uploadFailures },
        handle: async ({ actor, member, params: { id }, body, set }) => {
          const player = await ownPlayer(services, member, id);
          await services.players.wearCapeFile(actor, player, await body.file.bytes());
          set.status = 204;
        },
      }),
    ],
  );
}

/** What a player wears then. */
const without = { skin: { skin: null }, cape: { cape: "none" } } as const;

function removalRoutes(services: Pick<Services, "players" | "reads">, http: Pick<Http, "guards">) {
  return atPlaces(
    ["/api", ""],
    (["skin", "cape"] as const).map((what) =>
      route("DELETE", `/user/profile/:id/${what}`, {
        guard: http.guards.game,
        params,
        operationId: what === "skin" ? "deletePlayerSkin" : "deletePlayerCape",
        summary: `Wear no ${what}`,
        answers: { 204: done, 401: unauthorized, 403: forbidden, 404: unknown, 429: tooMany },
        handle: async ({ actor, member, params: { id }, set }) => {
          const { player } = await ownPlayer(services, member, id);
          const key = { by: "id", value: player.id } as const;
          await services.players.dressOwn(actor, member, { player: key, ...without[what] });
          set.status = 204;
        },
      }),
    ),
  );
}

function refuseType(): never {
  throw new PlainError("forbidden", "Only skins and capes can be uploaded and taken off");
}

/** Textures of types that no profile announces as `uploadableTextures`. */
function otherTypeRoutes(http: Pick<Http, "guards">) {
  const params = t.Object({ id: t.String(), type: t.String({ examples: ["elytra"] }) });
  const path = "/user/profile/:id/:type";
  const common = {
    guard: http.guards.game,
    params,
    summary: "Always refused: there are skins and capes alone",
    answers: { 401: unauthorized, 403: forbidden },
    handle: refuseType,
  };
  return atPlaces(
    ["/api", ""],
    [
      route("PUT", path, { operationId: "putOtherTexture", ...common }),
      route("DELETE", path, { operationId: "deleteOtherTexture", ...common }),
    ],
  );
}

/** In the place of `skins.minecraft.net`. */
function oldClientRoutes(services: Pick<Services, "reads">, http: Http) {
  return legacyFileRoutes(services.reads, http, {
    skins: ["/skins/MinecraftSkins", describeLegacyFile("getYggdrasilSkin", "skin", failureAnswer)],
    capes: ["/skins/MinecraftCloaks", describeLegacyFile("getYggdrasilCape", "cape", failureAnswer)],
  });
}

const unbound = failureAnswer("The token belongs to no player");

function activeRemovalRoutes(
  services: Pick<Services, "clock" | "players" | "reads">,
  http: Pick<Http, "guards" | "site">,
) {
  return atPlaces(
    ["/minecraftservices", ""],
    (["skin", "cape"] as const).map((what) =>
      route("DELETE", `/minecraft/profile/${what}s/active`, {
        guard: http.guards.game,
        operationId: what === "skin" ? "deleteActiveSkin" : "deleteActiveCape",
        summary: `Let the token's player wear no ${what}`,
        answers: { 200: { schema: ownProfile }, 401: unauthorized, 404: unbound, 429: tooMany },
        handle: async ({ actor, member, player }) => {
          const { id, uuid } = boundPlayer({ player });
          const key = { by: "id", value: id } as const;
          await services.players.dressOwn(actor, member, { player: key, ...without[what] });
          return presentOwnProfile(services, http, member, { uuid });
        },
      }),
    ),
  );
}

/** The player of an address, if it is the token's account's. Fails with not_found and forbidden. */
async function ownPlayer(
  { reads }: Pick<Services, "reads">,
  { account }: Member,
  id: string,
): Promise<PlayerLook> {
  const uuid = parseUuid(id);
  const look = uuid === null ? null : await reads.players.findLook({ by: "uuid", value: uuid });
  if (look === null) throw refusals.unknownPlayer();
  if (look.player.accountId !== account.id)
    throw new PlainError("forbidden", "This player belongs to another account");
  return look;
}
