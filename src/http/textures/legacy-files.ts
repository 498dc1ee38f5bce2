import { Elysia } from "elysia";
import type { Shown } from "../answers.ts";
import type { describe, describeAlias } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
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

type Asked = {
  readonly params: typeof pngParams.static;
  readonly request: Request;
  readonly set: { headers: object };
};

function file(
  parts: Parts,
  { params, ...asked }: Asked,
  find: (deps: Parts["reads"], name: string | null, format: "legacy") => Promise<Shown>,
): Promise<Response> {
  const name = stemOf(parts, asked.request, { segment: params["name.png"], suffix: ".png" });
  return parts.answers.image(asked, () => find(parts.reads, name, "legacy"));
}
