import { refusals } from "../model/refusals.ts";
import type { PlayerReads } from "../ports/player-store.ts";
import type { Appearance, TextureReads } from "../ports/texture-store.ts";

/** What a player's page shows of it beside its textures. */
export type AboutPlayer = {
  /** When the player was made: Unix seconds. */
  readonly createdAt: number;
  /** Whether others may wear its skin, too. */
  readonly sharesSkin: boolean;
  /** The name of the shown cape; null without one. */
  readonly capeName: string | null;
};

/**
 * Reads what a player's page shows beside its textures, for any player. Apart from `findAppearance`, which
 * every uncached answer of delivery pays for. Fails with not_found when the player has gone meanwhile.
 */
export async function aboutPlayer(
  {
    players,
    textures,
  }: { readonly players: Pick<PlayerReads, "findLook">; readonly textures: Pick<TextureReads, "findCape"> },
  { playerUuid, cape }: Appearance,
): Promise<AboutPlayer> {
  const [look, worn] = await Promise.all([
    players.findLook({ by: "uuid", value: playerUuid }),
    cape === null ? null : textures.findCape({ by: "uuid", value: cape.uuid }),
  ]);
  if (look === null) throw refusals.unknownPlayer();
  const { createdAt, sharesSkin } = look.player;
  return { createdAt, sharesSkin, capeName: worn === null ? null : worn.name };
}
