import { requireFreshProof, type FreshProof, type Self } from "../accounts/fresh-proof.ts";
import { holdName } from "../accounts/player-name.ts";
import { refusals } from "../model/refusals.ts";
import type { Rules } from "../model/rules.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { PlayerLook, PlayerLookKey } from "../ports/player-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { findOwnPlayer, findPlayer } from "./list-players.ts";

type Deps = { readonly transact: Transact; readonly rules: Pick<Rules, "names"> };

/**
 * Deletes one of the member's players, with the sessions that are bound to it. Its name is held for the
 * account, and its uuid is given to no other account's player by rule. Skins and capes are the account's and
 * stay. Fails with not_found for a player that is not theirs, with conflict for the main one, and as
 * `requireFreshProof` does.
 */
export async function deleteOwnPlayer(
  deps: Deps & { readonly hasher: PasswordHasher },
  actor: Actor,
  self: Self,
  input: FreshProof & { readonly player: PlayerLookKey },
): Promise<void> {
  const proven = await requireFreshProof(deps, self, input);
  await deps.transact(actor, async (tx) => {
    const { account } = await proven(tx);
    await remove(tx, await findOwnPlayer(tx.players, account, input.player), deps);
  });
}

/**
 * Deletes any player but a main one, as `deleteOwnPlayer` does, and returns what it was. Administrators and
 * operators may. Writes audit. Fails with not_found, and with conflict for a main player, which goes with its
 * account alone.
 */
export async function deletePlayer(deps: Deps, actor: Actor, key: PlayerLookKey): Promise<PlayerLook> {
  return deps.transact(actor, async (tx) => {
    const found = await findPlayer(tx.players, key);
    await remove(tx, found, deps);
    const { uuid, name, accountId } = found.player;
    tx.audit("player.delete", accountId, { old: { uuid, name } });
    return found;
  });
}

async function remove(tx: Tx, { player, isMain }: PlayerLook, { rules }: Deps): Promise<void> {
  if (isMain) throw refusals.mainPlayer();
  await holdName(tx, player, rules.names.holdSeconds);
  await tx.players.deletePlayer(player.id);
}
