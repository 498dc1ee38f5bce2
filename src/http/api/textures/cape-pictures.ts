import { AppError } from "../../../kernel/errors.ts";
import type { WornSkin } from "../../../domain/textures/pictures.ts";
import type { Texture } from "../../../domain/model/texture.ts";
import type { Shown } from "./answer.ts";
import { readSize } from "./params.ts";
import type { pictureQuery, playerCapeQuery } from "./schema.ts";

/** A cape alone, as it is stored or scaled to a size that was asked for; or on the back of who wears it. */
export function capeShown(
  cape: Texture,
  query: typeof pictureQuery.static,
  { size, skin }: { readonly size: number; readonly skin: WornSkin },
): Shown {
  if (query.type === "player") {
    return { what: { picture: { view: "cape", type: "player", size, skin, cape } }, caching: "follows" };
  }
  if (query.size === undefined) return { what: { file: cape }, caching: "follows" };
  return { what: { picture: { view: "cape", type: "skin", size, cape } }, caching: "follows" };
}

/** What `default` asks for in the place of a missing cape: a transparent picture as large as a cape's, else not_found. */
export function noCapeShown({ type = "skin", ...query }: typeof playerCapeQuery.static): Shown {
  if (query.default !== "transparent") throw noCape();
  const size = query.size === undefined && type === "skin" ? capeWidth : readSize(query.size);
  const picture = { view: "no-cape", type, size } as const;
  return { what: { picture }, caching: "follows", byDefault: "transparent" };
}

/** Of a cape's file, as most of them are. */
const capeWidth = 64;

export const noCape = () => new AppError("not_found", "This player wears no cape");
