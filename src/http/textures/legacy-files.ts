import type { Shown } from "../answers.ts";
import type { Answer, Description } from "../openapi/describe.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { Http } from "../http.ts";
import { pngAnswer } from "./answers.ts";
import { namedCapeShown, namedSkinShown } from "./named.ts";
import { pngParams, stemOf } from "./segments.ts";
import { route, type Route } from "../routing/route.ts";

/** What the API's document says of a file: an alias has no words of its own. */
type Detail = Partial<Description> & Pick<Route, "alias">;

/** Two folders of files for clients before 1.8, with what the API's document says of each. */
export type LegacyFolders = {
  /** `MinecraftSkins`, whose files are `MinecraftSkins/{name}.png`. */
  readonly skins: readonly [path: string, detail: Detail];
  readonly capes: readonly [path: string, detail: Detail];
};

/** Skins and capes by a player's name, 64x32, each below a folder of its own. */
export function legacyFileRoutes(reads: TextureRows, http: Shared, { skins, capes }: LegacyFolders) {
  const [skinPath, skinDetail] = skins;
  const [capePath, capeDetail] = capes;
  return [
    route("GET", `${skinPath}/:name.png`, {
      params: pngParams,
      ...skinDetail,
      handle: ({ params, request }) => file(reads, http, { params, request }, namedSkinShown),
    }),
    route("GET", `${capePath}/:name.png`, {
      params: pngParams,
      ...capeDetail,
      handle: ({ params, request }) => file(reads, http, { params, request }, namedCapeShown),
    }),
  ];
}

/** What the API's document says of a file, whose failures have the protocol's form. */
export function describeLegacyFile(
  operationId: string,
  what: "skin" | "cape",
  failed: (description: string) => Answer,
) {
  return {
    operationId,
    summary: `The ${what} of a player, for clients before 1.8`,
    description:
      "64x32, whatever the player's own file is. There is no default skin: these clients have one.",
    protocol: true,
    answers: {
      200: pngAnswer,
      400: failed("No player can have this name"),
      404: failed(`No player has this name, or the player has no ${what}`),
    },
  } as const satisfies Detail;
}

type TextureRows = Pick<Reads, "textures">;
type Shared = Pick<Http, "answers" | "requests">;

function file(
  reads: TextureRows,
  { answers, requests }: Shared,
  { params, request }: { readonly request: Request; readonly params: typeof pngParams.static },
  find: (reads: TextureRows, name: string | null, format: "legacy") => Promise<Shown>,
): Promise<Response> {
  const name = stemOf(requests, request, { segment: params["name.png"], suffix: ".png" });
  return answers.image(request, () => find(reads, name, "legacy"));
}
