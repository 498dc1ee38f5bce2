import { Elysia, t } from "elysia";
import { describe, describeAlias } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { pngAnswer } from "../textures/answers.ts";
import { describeLegacyFile, legacyFileRoutes } from "../textures/legacy-files.ts";
import { headOfName } from "../textures/named.ts";
import { sizeQuery } from "../textures/params.ts";
import { modFailure, presentModFailure } from "../textures/mod-failures.ts";
import { nameParams } from "../textures/segments.ts";

/** Files for clients before 1.8 and heads for websites, by a player's name (docs/contract/skin-mods.md#old-clients). */
export function legacySurface(parts: Parts): Surface {
  const skins = "/legacy/skin";
  const capes = "/legacy/cape";
  const routes = () =>
    new Elysia({ tags: ["Old clients"] })
      .use(
        legacyFileRoutes(parts, {
          skins: [skins, describeLegacyFile("getLegacySkin", "skin", modFailure)],
          capes: [capes, describeLegacyFile("getLegacyCape", "cape", modFailure)],
        }),
      )
      .use(legacyFileRoutes(parts, { skins: ["/skin", again(skins)], capes: ["/cape", again(capes)] }))
      .use(
        legacyFileRoutes(parts, {
          skins: ["/legacy/MinecraftSkins", again(skins)],
          capes: ["/legacy/MinecraftCloaks", again(capes)],
        }),
      )
      .use(headRoute(parts));
  const prefixes = ["/legacy", "/skin", "/cape", "/avatar/player"];
  return { prefixes, isOpen: true, routes, presentFailure: presentModFailure };
}

/** The same files as in another folder. */
function again(folder: string) {
  return describeAlias(`${folder}/:name.png`);
}

const headQuery = t.Object({
  ...sizeQuery,
  "3d": t.Optional(
    t.String({ description: "When it is there, whatever its value: the head in 3D", examples: ["1"] }),
  ),
  png: t.Optional(t.String({ description: "Changes nothing: every picture is a PNG", examples: ["1"] })),
});

function headRoute({ reads, defaults, answers }: Parts) {
  return new Elysia().get(
    "/avatar/player/:name",
    ({ params, query, request, set }) =>
      answers.image({ request, set }, () => headOfName({ ...reads, defaults }, params.name, query)),
    {
      params: nameParams,
      query: headQuery,
      detail: describe({
        operationId: "getLegacyAvatar",
        summary: "The head of a player",
        description: "`size` wide and high.",
        who: "everybody",
        protocol: true,
        answers: {
          200: { ...pngAnswer, headers: [...(pngAnswer.headers ?? []), "X-Texture-Default"] },
          400: modFailure("No player can have this name, or the size is out of bounds"),
          404: modFailure("No player has this name"),
        },
      }),
    },
  );
}
