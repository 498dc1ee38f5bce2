import { Elysia, t } from "elysia";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { givenText } from "../fields.ts";
import { describe, describeAlias } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { dated, keptJson } from "../textures/answers.ts";
import { modFailure, presentModFailure } from "../textures/mod-failures.ts";
import { modTextureRoutes } from "../textures/mod-textures.ts";
import { knownJson } from "../textures/named.ts";
import { jsonParams, stemOf } from "../textures/segments.ts";

/**
 * CustomSkinAPI, which the mod CustomSkinLoader reads: `/csl/{name}.json`, and `/{name}.json` for mods that have the bare host for
 * their root (docs/contract/skin-mods.md#customskinapi).
 */
export function cslSurface(parts: Parts): Surface {
  const routes = new Elysia({ tags: ["CustomSkinAPI"] })
    .get("/csl/:name.json", ({ params, request, set }) => profile(parts, { params, request, set }), {
      params: jsonParams,
      detail: describe({
        operationId: "getCustomSkinProfile",
        summary: "What CustomSkinLoader shows of a player",
        description: "Both revisions of CustomSkinAPI in one. Each id is below `/csl/textures`.",
        who: "everybody",
        protocol: true,
        answers: {
          200: dated({ description: "The player's textures", schema: profileSchema, ...keptJson }),
          404: modFailure("No player has this name"),
        },
      }),
    })
    .get("/:name.json", ({ params, request, set }) => profile(parts, { params, request, set }), {
      params: jsonParams,
      detail: describeAlias("/csl/:name.json"),
    })
    .use(modTextureRoutes(parts, "/csl", "getCustomSkinTexture"));
  return {
    prefixes: ["/csl"],
    owns: (path) => /^\/[^/]+\.json\/?$/.test(path),
    isOpen: true,
    routes,
    presentFailure: presentModFailure,
  };
}

type Asked = {
  readonly params: typeof jsonParams.static;
  readonly request: Request;
  readonly set: { headers: object };
};

function profile(parts: Parts, { params, ...asked }: Asked): Promise<Response> {
  const name = stemOf(parts, asked.request, { segment: params["name.json"], suffix: ".json" });
  return parts.answers.json(asked, () => knownJson(parts.reads, name, present));
}

const id = (what: string) => t.Optional(givenText(`The id of the ${what}`, examples.texture, "hash"));
const skinIds = { default: id("skin with classic arms"), slim: id("skin with slim arms") };

const profileSchema = t.Object(
  {
    username: givenText("The player's name", examples.name),
    textures: t.Object(
      { ...skinIds, cape: id("cape"), elytra: id("cape's wings") },
      { component: "CustomSkinTextures" },
    ),
    skins: t.Object(skinIds, { component: "CustomSkinModels" }),
    cape: id("cape"),
  },
  { component: "CustomSkinProfile" },
);

function present({ name, skin, cape }: Appearance): typeof profileSchema.static {
  const skins = skin === null ? {} : { [skin.model === "slim" ? "slim" : "default"]: skin.texture.hash };
  const capes = cape === null ? {} : { cape: cape.texture.hash };
  const wings = cape?.wings ? { elytra: cape.wings.hash } : {};
  return { username: name, textures: { ...skins, ...capes, ...wings }, skins, ...capes };
}
