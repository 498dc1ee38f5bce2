import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { pngAnswer } from "../textures/answers.ts";
import { describeLegacyFile, legacyFileRoutes } from "../textures/legacy-files.ts";
import { headOfName } from "../textures/named.ts";
import { sizeQuery } from "../textures/params.ts";
import { modFailure, presentModFailure } from "../textures/mod-failures.ts";
import { nameParams } from "../textures/segments.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * Files for clients before 1.8 and heads for websites, by a player's name
 * (docs/contract/skin-mods.md#old-clients).
 */
export function legacySurface(
  services: Pick<Services, "reads" | "textures">,
  http: Pick<Http, "answers" | "requests">,
): Surface {
  const { reads } = services;
  const skins = "/legacy/skin";
  const capes = "/legacy/cape";
  const routes = () =>
    below("", "Old clients", [
      ...legacyFileRoutes(reads, http, {
        skins: [skins, describeLegacyFile("getLegacySkin", "skin", modFailure)],
        capes: [capes, describeLegacyFile("getLegacyCape", "cape", modFailure)],
      }),
      ...legacyFileRoutes(reads, http, { skins: ["/skin", again(skins)], capes: ["/cape", again(capes)] }),
      ...legacyFileRoutes(reads, http, {
        skins: ["/legacy/MinecraftSkins", again(skins)],
        capes: ["/legacy/MinecraftCloaks", again(capes)],
      }),
      headRoute(services, http),
    ]);
  const prefixes = ["/legacy", "/skin", "/cape", "/avatar/player"];
  return { prefixes, isOpen: true, routes, presentFailure: presentModFailure };
}

/** The same files as in another folder. */
function again(folder: string) {
  return { alias: `${folder}/:name.png` };
}

const headQuery = t.Object({
  ...sizeQuery,
  "3d": t.Optional(
    t.String({ description: "When it is there, whatever its value: the head in 3D", examples: ["1"] }),
  ),
  png: t.Optional(t.String({ description: "Changes nothing: every picture is a PNG", examples: ["1"] })),
});

function headRoute(
  { reads, textures: { defaults } }: Pick<Services, "reads" | "textures">,
  { answers }: Pick<Http, "answers">,
) {
  const deps = { ...reads, defaults };
  return route("GET", "/avatar/player/:name", {
    params: nameParams,
    query: headQuery,
    operationId: "getLegacyAvatar",
    summary: "The head of a player",
    description: "`size` wide and high.",
    protocol: true,
    answers: {
      200: { ...pngAnswer, headers: [...(pngAnswer.headers ?? []), "X-Texture-Default"] },
      400: modFailure("No player can have this name, or the size is out of bounds"),
      404: modFailure("No player has this name"),
    },
    handle: ({ params, query, request }) =>
      answers.image(request, () => headOfName(deps, params.name, query)),
  });
}
