import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { findMember } from "../accounts/identifier.ts";
import { addPlayer } from "../accounts/player-name.ts";
import { playerOf, type Account, type Member } from "../model/account.ts";
import { parsePlayerUuid } from "../model/player-uuid.ts";
import { refusals } from "../model/refusals.ts";
import type { PlayerRules, Rules } from "../model/rules.ts";
import { parseUsername } from "../model/username.ts";
import type { PlayerLook } from "../ports/player-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { findPlayer, playersMaxOf } from "./list-players.ts";

type Deps = {
  readonly transact: Transact;
  readonly rules: Pick<Rules, "names" | "players">;
};

/**
 * Gives a member another player, with a uuid by rule. Fails with invalid for a malformed or reserved name,
 * and with conflict for one that is taken or held and when the account has as many players as it may.
 */
export async function createOwnPlayer(
  deps: Deps,
  actor: Actor,
  self: Pick<Member, "account">,
  input: { readonly name: string },
): Promise<PlayerLook> {
  const name = parseUsername(input.name, deps.rules.names.pattern);
  return deps.transact(actor, async (tx) => {
    const member = await findMember(tx.accounts, self.account.id);
    playerOf(member);
    const max = playersMaxOf(member.account, deps.rules.players);
    await refuseMore(tx, member.account, max);
    return insert(tx, member.account, { name, uuid: null }, deps.rules.players);
  });
}

/**
 * Gives an account another player, also beyond the number that it may have; without a uuid (null) it gets one
 * by rule. Administrators and operators may. Writes audit. Fails with not_found for an unknown identifier,
 * with invalid for a malformed or reserved name and a uuid that games refuse, and with conflict for a name or
 * uuid that is taken, a name that is held, and an account whose registration is unfinished: it gets its first
 * player with its username.
 */
export async function createPlayer(
  deps: Deps,
  actor: Actor,
  input: { readonly identifier: string; readonly name: string; readonly uuid: Uuid | null },
): Promise<PlayerLook> {
  const name = parseUsername(input.name, deps.rules.names.pattern);
  const uuid = input.uuid === null ? null : parsePlayerUuid(input.uuid);
  return deps.transact(actor, async (tx) => {
    const { account, player } = await findMember(tx.accounts, input.identifier);
    if (player === null) throw refusals.noMainPlayer();
    // It names the main player.
    if (uuid === account.uuid) throw refusals.uuidTaken();
    await refuseMore(tx, account, limits.playersMax);
    const created = await insert(tx, account, { name, uuid }, deps.rules.players);
    tx.audit("player.create", account.id, { new: { uuid: created.player.uuid, name } });
    return created;
  });
}

async function refuseMore({ players }: Tx, account: Account, max: number): Promise<void> {
  if ((await players.count(account.id)) < max) return;
  throw refusals.enoughPlayers(max);
}

async function insert(
  tx: Tx,
  account: Account,
  { name, uuid }: { readonly name: string; readonly uuid: Uuid | null },
  rules: Pick<PlayerRules, "uuids">,
): Promise<PlayerLook> {
  const { id } = await addPlayer(tx, account, { name, uuid }, rules);
  return findPlayer(tx.players, { by: "id", value: id });
}
