import type { Reads } from "../ports/stores.ts";
import type { Belongings } from "../ports/account-store.ts";
import type { Cape, Skin } from "../model/texture.ts";
import { levelInForce, temporaryLevelInForce, type Level, type Member } from "../model/account.ts";

/** What members see of themselves, and administrators of members. */
export type Profile = Member &
  Belongings & {
    /** The level in force. */
    readonly level: Level;
    readonly selectedSkin: Skin | null;
    /** The cape that the main player shows: its own one, or the one linked to the selected skin. */
    readonly selectedCape: Cape | null;
  };

/** Collects a member's profile at a time (Unix seconds). The caller checks who may see it. */
export async function readProfile(
  { accounts }: Pick<Reads, "accounts">,
  { account, player }: Member,
  now: number,
): Promise<Profile> {
  const { skins, capes, identity } = await accounts.findBelongings(account.id, now);
  const selectedSkin = skins.find((skin) => skin.id === player?.selectedSkinId) ?? null;
  const { ownCape = "as-skin" } = player ?? {};
  const worn = ownCape === "as-skin" ? selectedSkin?.capeId : ownCape;
  const selectedCape = capes.find((cape) => cape.id === worn) ?? null;
  const level = levelInForce(account, now);
  return { account, player, level, identity, skins, capes, selectedSkin, selectedCape };
}

/**
 * When a profile that was read at a time becomes another one without a change (both in Unix seconds): its
 * temporary level or the grant of a cape ends. Infinity: never.
 */
export function profileEnd({ account, capes }: Profile, now: number): number {
  const levelEnd = temporaryLevelInForce(account, now)?.expiresAt ?? Infinity;
  return Math.min(levelEnd, ...capes.map(({ grantExpiresAt }) => grantExpiresAt ?? Infinity));
}
