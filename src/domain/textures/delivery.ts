import type { Uuid } from "../../kernel/ids.ts";
import { mayBeOfflineUuid, offlineUuid } from "../model/player-uuid.ts";
import { refusals } from "../model/refusals.ts";
import type { DefaultSkins, WornSkin } from "./pictures.ts";
import { newcomers, type Subject } from "../ports/change-feed.ts";
import type { Appearance, CapeKey, TextureReads } from "../ports/texture-store.ts";
import type { Cape, Skin, SkinModel } from "../model/texture.ts";

/** How a delivery path names a player: by uuid, or by a name in the form of `nameKey`. */
export type PlayerKey =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "name"; readonly value: string };

/** A skin to show. `byDefault` is the default skin that it is; null for a skin that its owner selected. */
export type ShownSkin = WornSkin & { readonly byDefault: SkinModel | null };

/** A result with all subjects that it was found from: a change of any of them may change it. */
type Found<T> = T & { readonly subjects: readonly Subject[] };

/**
 * What the player of this uuid or name shows; null for no such player. A uuid that no player and no account
 * has may be the one that servers without authentication make from a player's name: the answer has that uuid,
 * because a game asks for it. It opens nothing else; where a player acts, only stored uuids count.
 */
export async function findPlayer(textures: TextureReads, key: PlayerKey): Promise<Appearance | null> {
  const stored = await textures.findAppearance(key);
  if (stored !== null) return stored;
  if (key.by !== "uuid" || !mayBeOfflineUuid(key.value)) return null;
  const { value: uuid } = key;
  const named = await textures.findAppearance({ by: "offlineUuid", value: uuid });
  // A row that a release before renamed has the uuid of the earlier name for a while.
  if (named === null || offlineUuid(named.name) !== uuid) return null;
  return { ...named, uuid };
}

/** The same. Fails with not_found. */
export async function findShown(textures: TextureReads, key: PlayerKey): Promise<Appearance> {
  const shown = await findPlayer(textures, key);
  if (shown === null) throw refusals.unknownPlayer();
  return shown;
}

/** The subjects of the player that a key finds. */
export function subjectsOfPlayer(key: PlayerKey, shown: Appearance | null): Subject[] {
  const subjects: Subject[] = [];
  subjects.push(shown === null ? newcomers : `player:${shown.playerUuid}`);
  // An account's uuid names its main player until a player has that uuid, and an offline one a player until
  // its name changes.
  if (key.by === "uuid" && key.value !== shown?.playerUuid) subjects.push(`player:${key.value}`);
  return subjects;
}

/** The subjects of the skin that a key finds: the player, and the skin that it has selected. */
export function subjectsOfSkin(key: PlayerKey, shown: Appearance | null): Subject[] {
  const subjects = subjectsOfPlayer(key, shown);
  if (shown?.skin) subjects.push(`skin:${shown.skin.uuid}`);
  return subjects;
}

/** The subjects of the skin and the cape that a key finds. */
export function subjectsOf(key: PlayerKey, shown: Appearance | null): Subject[] {
  const subjects = subjectsOfSkin(key, shown);
  if (shown?.cape) subjects.push(`cape:${shown.cape.uuid}`);
  return subjects;
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

/**
 * Which default a uuid has, by the rule of the game since 1.19.3: the first nine of its eighteen are slim.
 */
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

/**
 * What `head` and `body` show: a player by uuid or name, or a saved skin by its uuid. Fails with not_found.
 */
export async function findSkinToShow(
  textures: TextureReads,
  key: PlayerKey,
  defaults: DefaultSkins,
): Promise<Found<{ readonly skin: ShownSkin }>> {
  const shown = await findPlayer(textures, key);
  if (shown !== null) return { skin: shownSkin(shown, defaults), subjects: subjectsOfSkin(key, shown) };
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
