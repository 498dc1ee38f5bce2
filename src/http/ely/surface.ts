import { Elysia, t } from "elysia";
import { gameTextures } from "../../domain/game/profile.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { examples } from "../openapi/examples.ts";
import { describe, describeAlias } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { keptJson, pngAnswer, openNothing } from "../textures/answers.ts";
import { namedCapeShown, namedJson, namedSkinShown } from "../textures/named.ts";
import { modFailure, presentModFailure, wrongMethod } from "../textures/mod-failures.ts";
import { nameParams, withoutSuffix } from "../textures/segments.ts";
import { keyRoutes } from "./keys.ts";
import { profileRoutes } from "./profiles.ts";

/**
 * The texture system of Ely.by below `/ely` (docs/contract/skin-mods.md#ely). Its clients read an empty answer, 204, where
 * others read 404, except for files.
 */
export function elySurface(parts: Parts): Surface {
  const routes = () =>
    new Elysia({ prefix: "/ely", tags: ["Ely"] })
      .use(texturesRoute(parts))
      .use(profileRoutes(parts))
      .use(keyRoutes(parts))
      .use(fileRoutes(parts, { path: "/skins", what: "skin", find: namedSkinShown }))
      .use(fileRoutes(parts, { path: "/cloaks", what: "cape", find: namedCapeShown }));
  return { prefixes: ["/ely"], isOpen: true, routes, presentFailure: presentModFailure };
}

function texturesRoute({ reads, answers, publicUrl }: Parts) {
  const present = (shown: Appearance): typeof texturesSchema.static | null =>
    shown.skin === null && shown.cape === null ? null : gameTextures(shown, publicUrl());
  return new Elysia().get(
    "/textures/:name",
    ({ params, request, set }) =>
      answers.json({ request, set }, () => namedJson(reads, params.name, present)),
    {
      params: nameParams,
      detail: describe({
        operationId: "getElyTextures",
        summary: "What a player shows",
        who: "everybody",
        protocol: true,
        answers: {
          200: { description: "The player's textures", schema: texturesSchema, ...keptJson },
          204: { description: "No player has this name, or the player shows nothing", ...openNothing },
          405: wrongMethod,
          500: modFailure("A fault of the server"),
          503: modFailure("The database cannot be reached"),
        },
      }),
    },
  );
}

type Files = {
  readonly path: string;
  readonly what: "skin" | "cape";
  readonly find: typeof namedSkinShown;
};

/** A file by the name in the path, or in the query. */
function fileRoutes({ reads, answers }: Parts, { path, what, find }: Files) {
  const shown = (name: string | null) => find(reads, withoutSuffix(name, ".png"), "stored");
  return new Elysia()
    .get(
      `${path}/:name`,
      ({ params, request, set }) => answers.image({ request, set }, () => shown(params.name)),
      {
        params: nameParams,
        detail: describe({
          operationId: what === "skin" ? "getElySkin" : "getElyCape",
          summary: `The file of the ${what} that a player wears`,
          description: "The name may end in `.png`, and may stand in the query instead, as `?name=`.",
          who: "everybody",
          protocol: true,
          answers: {
            200: pngAnswer,
            400: modFailure("No player can have this name"),
            404: modFailure(`No player has this name, or the player has no ${what}`),
          },
        }),
      },
    )
    .get(path, ({ query, request, set }) => answers.image({ request, set }, () => shown(query.name)), {
      query: t.Object({ name: t.String({ rule: "must be a player's name" }) }),
      detail: describeAlias(`/ely${path}/:name`),
    });
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
