import type { Reads } from "../stores.ts";
import type { Cape, Skin } from "../textures/texture.ts";
import type { Member } from "./account.ts";

/** What members see of themselves, and administrators of members. */
export type Profile = Member & {
  readonly skins: readonly Skin[];
  /** The capes that the account may wear. */
  readonly capes: readonly Cape[];
  readonly selectedSkin: Skin | null;
  /** The cape linked to the selected skin. */
  readonly selectedCape: Cape | null;
};

/** Collects a member's profile. The caller has made sure that it may be seen. */
export async function readProfile({ textures }: Reads, { account, player }: Member): Promise<Profile> {
  const skins = await textures.listSkins(account.id);
  const capes = await textures.listGrantedCapes(account.id);
  const selectedSkin = skins.find((skin) => skin.id === player?.selectedSkinId) ?? null;
  const selectedCape = capes.find((cape) => cape.id === selectedSkin?.capeId) ?? null;
  return { account, player, skins, capes, selectedSkin, selectedCape };
}
