import type { Uuid } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import { defaultModel, type DefaultSkins } from "./default-skin.ts";
import type { WornSkin } from "./pictures.ts";
import type { Appearance, CapeKey, TextureReads } from "../ports/texture-store.ts";
import type { Cape, Skin, SkinModel } from "../model/texture.ts";

/** Who a delivery path names: by uuid, or by a name in the form of `nameKey`. */
export type Subject =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "name"; readonly value: string };

/** A skin to show; `byDefault` tells which of the default ones it is, null that somebody chose it. */
export type ShownSkin = WornSkin & { readonly byDefault: SkinModel | null };

/** What the player of that uuid or name shows. Fails with not_found. */
export async function findShown(textures: TextureReads, subject: Subject): Promise<Appearance> {
  const appearance = await textures.findAppearance(subject);
  if (appearance === null) throw refusals.unknownPlayer();
  return appearance;
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
  subject: Subject,
  defaults: DefaultSkins,
): Promise<ShownSkin> {
  const appearance = await textures.findAppearance(subject);
  if (appearance !== null) return shownSkin(appearance, defaults);
  const skin = subject.by === "uuid" ? await textures.findSkin(subject.value) : null;
  if (skin === null) throw refusals.unknownPlayerOrSkin();
  return savedSkin(skin);
}

/** What `cloak` shows: a cape by uuid or number, else a saved skin by uuid. Fails with not_found. */
export async function findCapeOrSkin(
  textures: TextureReads,
  key: CapeKey,
): Promise<{ cape: Cape } | { skin: Skin }> {
  const cape = await textures.findCape(key);
  if (cape !== null) return { cape };
  const skin = key.by === "uuid" ? await textures.findSkin(key.value) : null;
  if (skin === null) throw refusals.unknownCapeOrSkin();
  return { skin };
}
