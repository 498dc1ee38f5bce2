import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { defaultModel, type DefaultSkins } from "./default-skin.ts";
import type { WornSkin } from "./pictures.ts";
import type { Subject } from "../ports/change-feed.ts";
import type { Appearance, CapeKey, TextureReads } from "../ports/texture-store.ts";
import type { Cape, Skin, SkinModel } from "../model/texture.ts";

/** How a delivery path names a player: by uuid, or by a name in the form of `nameKey`. */
export type PlayerKey =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "name"; readonly value: string };

/** A skin to show. `byDefault` is the default skin that it is; null for a skin that its owner selected. */
export type ShownSkin = WornSkin & { readonly byDefault: SkinModel | null };

/** A result with everything that it was found from: a change of any of these subjects makes it another. */
type Found<T> = T & { readonly subjects: readonly Subject[] };

/** What the player of that uuid or name shows. Fails with not_found. */
export async function findShown(textures: TextureReads, key: PlayerKey): Promise<Appearance> {
  const appearance = await textures.findAppearance(key);
  if (appearance === null) throw new AppError("not_found", "No player has this uuid or username");
  return appearance;
}

/** What a player's skin is found from. A skin that is not selected is no part of it: selecting changes the player. */
export function subjectsOfSkin({ uuid, skin }: Appearance): readonly Subject[] {
  return skin === null ? [`player:${uuid}`] : [`player:${uuid}`, `skin:${skin.uuid}`];
}

/** What a player's skin and cape are found from. */
export function subjectsOf(appearance: Appearance): readonly Subject[] {
  const { cape } = appearance;
  return cape === null ? subjectsOfSkin(appearance) : [...subjectsOfSkin(appearance), `cape:${cape.uuid}`];
}

/** The skin that a player shows: the selected one, else the default that belongs to the uuid. */
export function shownSkin({ uuid, skin }: Appearance, defaults: DefaultSkins): ShownSkin {
  if (skin !== null) return { file: skin.texture, model: skin.model, byDefault: null };
  const model = defaultModel(uuid);
  return { file: defaults[model], model, byDefault: model };
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
    return { skin: shownSkin(appearance, defaults), subjects: subjectsOfSkin(appearance) };
  }
  const skin = key.by === "uuid" ? await textures.findSkin(key.value) : null;
  if (skin === null) throw new AppError("not_found", "No player or skin has this uuid or username");
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
  if (skin === null) throw new AppError("not_found", "No cape or skin has this id");
  // A cape with this uuid would be shown instead.
  return { skin, subjects: [`cape:${skin.uuid}`, `skin:${skin.uuid}`] };
}
