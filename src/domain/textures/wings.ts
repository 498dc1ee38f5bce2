import { refusals } from "../model/refusals.ts";
import type { Subject } from "../ports/change-feed.ts";
import type { Texture } from "../model/texture.ts";
import type { CapeKey, TextureReads } from "../ports/texture-store.ts";
import { findPlayer, shownSkin, subjectsOf, type PlayerKey } from "./delivery.ts";
import type { DefaultSkins, WornSkin } from "./pictures.ts";

/** The wings of an elytra, as a texture of their own, and who wears them. */
type ShownWings = {
  readonly wings: Texture;
  readonly skin: WornSkin;
  readonly subjects: readonly Subject[];
};

/**
 * The wings of a cape, by its uuid or number, or else of the cape that a player wears, by uuid or name. A
 * cape by itself has no wearer: the classic default skin shows it. Fails with not_found, also for a cape
 * without wings.
 */
export async function findWings(
  textures: TextureReads,
  key: CapeKey | PlayerKey,
  defaults: DefaultSkins,
): Promise<ShownWings> {
  const cape = key.by === "name" ? null : await textures.findCape(key);
  if (cape !== null) {
    const wings = cape.wingsHash === null ? null : await textures.findTexture(cape.wingsHash);
    if (wings === null) throw refusals.noWings();
    return { wings, skin: { file: defaults.classic, model: "classic" }, subjects: [`cape:${cape.uuid}`] };
  }
  const shown = key.by === "id" ? null : await findPlayer(textures, key);
  if (key.by === "id" || shown === null) throw refusals.unknownCapeOrPlayer();
  if (shown.cape === null || shown.cape.wings === null) throw refusals.noWings();
  // A cape with this uuid would be shown instead.
  const instead: readonly Subject[] = key.by === "uuid" ? [`cape:${key.value}`] : [];
  const subjects = [...instead, ...subjectsOf(key, shown)];
  return { wings: shown.cape.wings, skin: shownSkin(shown, defaults), subjects };
}
