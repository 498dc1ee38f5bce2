import type { Reads } from "../ports/stores.ts";
import type { Identity } from "../model/identity.ts";
import type { Cape, GrantedCape, Skin } from "../model/texture.ts";
import { levelInForce, type Level, type Member } from "../model/account.ts";

/** What members see of themselves, and administrators of members. */
export type Profile = Member & {
  /** The level in force. */
  readonly level: Level;
  /** The person at a social provider that the account is linked to; null when it is not linked. */
  readonly identity: Identity | null;
  readonly skins: readonly Skin[];
  /** The capes that the account may wear. */
  readonly capes: readonly GrantedCape[];
  readonly selectedSkin: Skin | null;
  /** The cape linked to the selected skin. */
  readonly selectedCape: Cape | null;
};

/** Collects a member's profile at a time (Unix seconds). The caller checks who may see it. */
export async function readProfile(
  { textures, identities }: Pick<Reads, "textures" | "identities">,
  { account, player }: Member,
  now: number,
): Promise<Profile> {
  const skins = await textures.listSkins(account.id);
  const capes = await textures.listGrantedCapes(account.id, now);
  const identity = await identities.findIdentityOf(account.id);
  const selectedSkin = skins.find((skin) => skin.id === player?.selectedSkinId) ?? null;
  const selectedCape = capes.find((cape) => cape.id === selectedSkin?.capeId) ?? null;
  const level = levelInForce(account, now);
  return { account, player, level, identity, skins, capes, selectedSkin, selectedCape };
}
