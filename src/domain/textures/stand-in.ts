import type { SkinModel } from "../model/texture.ts";
import type { Subject } from "../ports/change-feed.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import {
  defaultModel,
  defaultSkin,
  findPlayer,
  shownSkin,
  subjectsOfSkin,
  type PlayerKey,
  type ShownSkin,
} from "./delivery.ts";
import type { DefaultSkins } from "./pictures.ts";

/** Shown for a player without a skin: the default skin of a model, or what another player shows. */
export type StandIn = SkinModel | PlayerKey;

/**
 * A skin for every key. `subjects` is null where a change that concerns it would have no subject: an unknown
 * name.
 */
type AnySkin = { readonly skin: ShownSkin; readonly subjects: readonly Subject[] | null };

/**
 * The skin of a player; where there is no such player, or the player has chosen none, the stand-in. Without
 * one, and in place of an unknown one, it is the default skin that belongs to the uuid, and the classic one
 * for an unknown name.
 */
export async function findAnySkin(
  textures: TextureReads,
  key: PlayerKey,
  { defaults, standIn }: { readonly defaults: DefaultSkins; readonly standIn: StandIn | null },
): Promise<AnySkin> {
  const shown = await findPlayer(textures, key);
  const subjects = shown === null && key.by === "name" ? null : subjectsOfSkin(key, shown);
  const model = key.by === "uuid" ? defaultModel(key.value) : "classic";
  const own = shown === null ? defaultSkin(defaults, model) : shownSkin(shown, defaults);
  if (standIn === null || shown?.skin) return { skin: own, subjects };
  if (typeof standIn === "string") return { skin: defaultSkin(defaults, standIn), subjects };
  const instead = await findPlayer(textures, standIn);
  return {
    skin: instead === null ? own : shownSkin(instead, defaults),
    subjects: subjects === null ? null : [...subjects, ...subjectsOfSkin(standIn, instead)],
  };
}
