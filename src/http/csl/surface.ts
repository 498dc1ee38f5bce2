import type { Appearance } from "../../domain/ports/texture-store.ts";
import { givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { dated, keptJson } from "../textures/answers.ts";
import { modFailure, presentModFailure } from "../textures/mod-failures.ts";
import { modTextureId, modTextureRoutes } from "../textures/mod-textures.ts";
import { knownJson } from "../textures/named.ts";
import { jsonParams, stemOf } from "../textures/segments.ts";
import { below, route, type Input } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * CustomSkinAPI, which the mod CustomSkinLoader reads: `/csl/{name}.json`, and `/{name}.json` for mods that
 * have the bare host for their root (docs/contract/skin-mods.md#customskinapi).
 */
export function cslSurface(
  { reads }: Pick<Services, "reads">,
  http: Pick<Http, "answers" | "requests">,
): Surface {
  const profile = ({
    params,
    request,
  }: Pick<Input<unknown, unknown, typeof jsonParams.static>, "params" | "request">) => {
    const name = stemOf(http.requests, request, { segment: params["name.json"], suffix: ".json" });
    return http.answers.json(request, () => knownJson(reads, name, present));
  };
  const routes = () =>
    below("", "CustomSkinAPI", [
      route("GET", "/csl/:name.json", {
        params: jsonParams,
        operationId: "getCustomSkinProfile",
        summary: "What CustomSkinLoader shows of a player",
        description: "Both revisions of CustomSkinAPI in one. Each id is below `/csl/textures`.",
        protocol: true,
        answers: {
          200: dated({ description: "The player's textures", schema: profileSchema, ...keptJson }),
          404: modFailure("No player has this name"),
        },
        handle: profile,
      }),
      route("GET", "/:name.json", {
        params: jsonParams,
        alias: "/csl/:name.json",
        handle: profile,
      }),
      ...modTextureRoutes(reads, http, "/csl", "getCustomSkinTexture"),
    ]);
  return {
    prefixes: ["/csl"],
    owns: (path) => /^\/[^/]+\.json\/?$/.test(path),
    isOpen: true,
    routes,
    presentFailure: presentModFailure,
  };
}

const skinIds = {
  default: modTextureId("skin with classic arms"),
  slim: modTextureId("skin with slim arms"),
};

const profileSchema = t.Object(
  {
    username: givenText("The player's name", examples.name),
    textures: t.Object(
      { ...skinIds, cape: modTextureId("cape"), elytra: modTextureId("cape's wings") },
      { component: "CustomSkinTextures" },
    ),
    skins: t.Object(skinIds, { component: "CustomSkinModels" }),
    cape: modTextureId("cape"),
  },
  { component: "CustomSkinProfile" },
);

function present({ name, skin, cape }: Appearance): typeof profileSchema.static {
  const skins = skin === null ? {} : { [skin.model === "slim" ? "slim" : "default"]: skin.texture.hash };
  const capes = cape === null ? {} : { cape: cape.texture.hash };
  const wings = cape?.wings ? { elytra: cape.wings.hash } : {};
  return { username: name, textures: { ...skins, ...capes, ...wings }, skins, ...capes };
}
