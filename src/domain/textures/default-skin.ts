import type { Uuid } from "../../kernel/ids.ts";
import type { TextureSize } from "../ports/pictures.ts";
import type { SkinModel } from "../model/texture.ts";

/** The file shown for players who chose no skin. */
export type DefaultSkin = TextureSize & { readonly png: Uint8Array; readonly digest: string };
/** One for each model. */
export type DefaultSkins = Readonly<Record<SkinModel, DefaultSkin>>;

/** Which default a uuid has, by the rule of the game since 1.19.3: the first nine of its eighteen are slim. */
export function defaultModel(uuid: Uuid): SkinModel {
  const folded = javaHash(uuid);
  return ((folded % 18) + 18) % 18 < 9 ? "slim" : "classic";
}

/** The 128 bits folded to a signed 32-bit number by xor, as Java's `UUID.hashCode()` does. */
function javaHash(uuid: Uuid): number {
  const hex = uuid.replaceAll("-", "");
  let folded = 0;
  for (let at = 0; at < 32; at += 8) folded ^= Number.parseInt(hex.slice(at, at + 8), 16);
  return folded;
}
