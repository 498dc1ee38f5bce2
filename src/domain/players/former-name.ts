import type { Clock } from "../../kernel/clock.ts";
import { nameKey } from "../model/username.ts";
import type { PlayerReads } from "../ports/player-store.ts";

/**
 * A player's current name, found by a former name that is still held. Everybody may ask. Null for a name that
 * some player has, that is free, or that a deleted player had: a held name leads to the player that had it,
 * and to no other one of its account.
 */
export async function currentNameOf(
  {
    reads: { players },
    clock,
  }: { readonly reads: { readonly players: PlayerReads }; readonly clock: Pick<Clock, "nowSeconds"> },
  formerName: string,
): Promise<string | null> {
  const key = nameKey(formerName);
  const hold = await players.findNameHold(key);
  if (hold === null || hold.playerId === null || hold.heldUntil <= clock.nowSeconds()) return null;
  const look = await players.findLook({ by: "id", value: hold.playerId });
  if (look?.player.accountId !== hold.accountId || nameKey(look.player.name) === key) return null;
  return look.player.name;
}
