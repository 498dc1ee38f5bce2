import type { Uuid } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import type { DefaultSkins, WornSkin } from "./pictures.ts";
import type { Subject } from "../ports/change-feed.ts";
import type { Appearance, CapeKey, TextureReads } from "../ports/texture-store.ts";
import type { Cape, Skin, SkinModel } from "../model/texture.ts";

/** How a delivery path names a player: by uuid, or by a name in the form of `nameKey`. */
export type PlayerKey =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "name"; readonly value: string };

/** A skin to show. `byDefault` is the default skin that it is; null for a skin that its owner selected. */
export type ShownSkin = WornSkin & { readonly byDefault: SkinModel | null };

/** A result with all subjects that it was found from: a change of any of them may change it. */
type Found<T> = T & { readonly subjects: readonly Subject[] };

/** What the player of this uuid or name shows. Fails with not_found. */
export async function findShown(textures: TextureReads, key: PlayerKey): Promise<Appearance> {
  const appearance = await textures.findAppearance(key);
  if (appearance === null) throw refusals.unknownPlayer();
  return appearance;
}

/** The subjects of the skin that a key finds: the player, and the skin that it has selected. */
export function subjectsOfSkin(key: PlayerKey, shown: Appearance | null): readonly Subject[] {
  const subjects: Subject[] = [];
  if (shown !== null) subjects.push(`player:${shown.uuid}`);
  // An account's uuid names its main player until a player has that uuid.
  if (key.by === "uuid" && key.value !== shown?.uuid) subjects.push(`player:${key.value}`);
  if (shown?.skin) subjects.push(`skin:${shown.skin.uuid}`);
  return subjects;
}

/** The subjects of the skin and the cape that a key finds. */
export function subjectsOf(key: PlayerKey, shown: Appearance | null): readonly Subject[] {
  const subjects = subjectsOfSkin(key, shown);
  return shown?.cape ? [...subjects, `cape:${shown.cape.uuid}`] : subjects;
}

/** The skin that a player shows: the selected one, else the default that belongs to the uuid. */
export function shownSkin({ uuid, skin }: Appearance, defaults: DefaultSkins): ShownSkin {
  if (skin !== null) return { file: skin.texture, model: skin.model, byDefault: null };
  return defaultSkin(defaults, defaultModel(uuid));
}

/** The default skin of a model. */
export function defaultSkin(defaults: DefaultSkins, model: SkinModel): ShownSkin {
  return { file: defaults[model], model, byDefault: model };
}

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

/** A saved skin as it is worn. */
export function savedSkin({ texture, model }: Skin): ShownSkin {
  return { file: texture, model, byDefault: null };
}

/** What `head` and `body` show: a player by uuid or name, or a saved skin by its uuid. Fails with not_found. */
export async function findSkinToShow(
  textures: TextureReads,
  key: PlayerKey,
  defaults: DefaultSkins,
): Promise<Found<{ readonly skin: ShownSkin }>> {
  const appearance = await textures.findAppearance(key);
  if (appearance !== null) {
    return { skin: shownSkin(appearance, defaults), subjects: subjectsOfSkin(key, appearance) };
  }
  const skin = key.by === "uuid" ? await textures.findSkin(key.value) : null;
  if (skin === null) throw refusals.unknownPlayerOrSkin();
  // A player with this uuid would be shown instead.
  return { skin: savedSkin(skin), subjects: [`player:${skin.uuid}`, `skin:${skin.uuid}`] };
}

/** What `cloak` shows: a cape by uuid or number, else a saved skin by uuid. Fails with not_found. */
export async function findCapeOrSkin(
  textures: TextureReads,
  key: CapeKey,
): Promise<Found<{ readonly cape: Cape } | { readonly skin: Skin }>> {
  const cape = await textures.findCape(key);
  if (cape !== null) return { cape, subjects: [`cape:${cape.uuid}`] };
  const skin = key.by === "uuid" ? await textures.findSkin(key.value) : null;
  if (skin === null) throw refusals.unknownCapeOrSkin();
  // A cape with this uuid would be shown instead.
  return { skin, subjects: [`cape:${skin.uuid}`, `skin:${skin.uuid}`] };
}
