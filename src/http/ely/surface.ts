import { gameTextures } from "../../domain/game/profile.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { keptJson, pngAnswer, openNothing } from "../textures/answers.ts";
import { namedCapeShown, namedJson, namedSkinShown } from "../textures/named.ts";
import { modFailure, presentModFailure, wrongMethod } from "../textures/mod-failures.ts";
import { nameParams, withoutSuffix } from "../textures/segments.ts";
import { keyRoutes } from "./keys.ts";
import { profileRoutes } from "./profiles.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * The texture system of Ely.by below `/ely` (docs/contract/skin-mods.md#ely). Its clients read an empty
 * answer, 204, where others read 404, except for files.
 */
export function elySurface(
  services: Pick<Services, "reads" | "game">,
  http: Pick<Http, "answers" | "requests" | "site">,
): Surface {
  const routes = () =>
    below("/ely", "Ely", [
      texturesRoute(services.reads, http),
      ...profileRoutes(services, http),
      ...keyRoutes(services.game),
      ...fileRoutes(services.reads, http, { path: "/skins", what: "skin", find: namedSkinShown }),
      ...fileRoutes(services.reads, http, { path: "/cloaks", what: "cape", find: namedCapeShown }),
    ]);
  return { prefixes: ["/ely"], isOpen: true, routes, presentFailure: presentModFailure };
}

function texturesRoute(reads: Services["reads"], { answers, site }: Pick<Http, "answers" | "site">) {
  const present = (shown: Appearance): typeof texturesSchema.static | null =>
    shown.skin === null && shown.cape === null ? null : gameTextures(shown, site.publicUrl());
  return route("GET", "/textures/:name", {
    params: nameParams,
    operationId: "getElyTextures",
    summary: "What a player shows",
    protocol: true,
    answers: {
      200: { description: "The player's textures", schema: texturesSchema, ...keptJson },
      204: { description: "No player has this name, or the player shows nothing", ...openNothing },
      405: wrongMethod,
      500: modFailure("A fault of the server"),
      503: modFailure("The database cannot be reached"),
    },
    handle: ({ params, request }) => answers.json(request, () => namedJson(reads, params.name, present)),
  });
}

type Files = {
  readonly path: string;
  readonly what: "skin" | "cape";
  readonly find: typeof namedSkinShown;
};

/** A file by the name in the path, or in the query. */
function fileRoutes(
  reads: Services["reads"],
  { answers }: Pick<Http, "answers">,
  { path, what, find }: Files,
) {
  const shown = (name: string | null) => find(reads, withoutSuffix(name, ".png"), "stored");
  return [
    route("GET", `${path}/:name`, {
      params: nameParams,
      operationId: what === "skin" ? "getElySkin" : "getElyCape",
      summary: `The file of the ${what} that a player wears`,
      description: "The name may end in `.png`, and may stand in the query instead, as `?name=`.",
      protocol: true,
      answers: {
        200: pngAnswer,
        400: modFailure("No player can have this name"),
        404: modFailure(`No player has this name, or the player has no ${what}`),
      },
      handle: ({ params, request }) => answers.image(request, () => shown(params.name)),
    }),
    route("GET", path, {
      query: t.Object({ name: t.String({ rule: "must be a player's name" }) }),
      alias: `/ely${path}/:name`,
      handle: ({ query, request }) => answers.image(request, () => shown(query.name)),
    }),
  ];
}

const url = t.String({ format: "uri", examples: [`https://skins.example.org/textures/${examples.texture}`] });

const texturesSchema = t.Object(
  {
    SKIN: t.Optional(
      t.Object(
        { url, metadata: t.Optional(t.Object({ model: t.Literal("slim") })) },
        { component: "ElySkin", description: "`metadata` is there for slim arms alone" },
      ),
    ),
    CAPE: t.Optional(t.Object({ url }, { component: "ElyCape" })),
  },
  { component: "ElyTextures" },
);
