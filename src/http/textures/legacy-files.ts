import { Elysia } from "elysia";
import type { Asked, Shown } from "../answers.ts";
import { describe, type Answer, type describeAlias } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import { pngAnswer } from "./answers.ts";
import { namedCapeShown, namedSkinShown } from "./named.ts";
import { pngParams, stemOf } from "./segments.ts";

/** A route's `detail`. */
type Detail = ReturnType<typeof describe> | ReturnType<typeof describeAlias>;

/** Two folders of files for clients before 1.8, with what the API's document says of each. */
export type LegacyFolders = {
  /** `MinecraftSkins`, whose files are `MinecraftSkins/{name}.png`. */
  readonly skins: readonly [path: string, detail: Detail];
  readonly capes: readonly [path: string, detail: Detail];
};

/** Skins and capes by a player's name, 64x32, each below a folder of its own. */
export function legacyFileRoutes(parts: Parts, { skins, capes }: LegacyFolders) {
  const [skinPath, skinDetail] = skins;
  const [capePath, capeDetail] = capes;
  return new Elysia()
    .get(
      `${skinPath}/:name.png`,
      ({ params, request, set }) => file(parts, { params, request, set }, namedSkinShown),
      { params: pngParams, detail: skinDetail },
    )
    .get(
      `${capePath}/:name.png`,
      ({ params, request, set }) => file(parts, { params, request, set }, namedCapeShown),
      { params: pngParams, detail: capeDetail },
    );
}

/** The `detail` of a file, whose failures have the protocol's form. */
export function describeLegacyFile(
  operationId: string,
  what: "skin" | "cape",
  failed: (description: string) => Answer,
) {
  return describe({
    operationId,
    summary: `The ${what} of a player, for clients before 1.8`,
    description:
      "64x32, whatever the player's own file is. There is no default skin: these clients have one.",
    who: "everybody",
    protocol: true,
    answers: {
      200: pngAnswer,
      400: failed("No player can have this name"),
      404: failed(`No player has this name, or the player has no ${what}`),
    },
  });
}

function file(
  parts: Parts,
  { params, ...asked }: Asked & { readonly params: typeof pngParams.static },
  find: (deps: Parts["reads"], name: string | null, format: "legacy") => Promise<Shown>,
): Promise<Response> {
  const name = stemOf(parts, asked.request, { segment: params["name.png"], suffix: ".png" });
  return parts.answers.image(asked, () => find(parts.reads, name, "legacy"));
}
