import type { PlayerRules, Rules } from "../model/rules.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { Account } from "../model/account.ts";
import { refusals } from "../model/refusals.ts";
import { mayBeUsername, nameKey } from "../model/username.ts";
import type { PlayerLook, PlayerLookKey, PlayerReads } from "../ports/player-store.ts";
import type { Reads } from "../ports/stores.ts";

/** An account's players, the main one first, and how many it may have. */
export type PlayerList = { readonly max: number; readonly players: readonly PlayerLook[] };

/**
 * How many players an account may have: its own number, else that of the settings. Staff may give it more.
 */
export function playersMaxOf(account: Account, rules: Pick<PlayerRules, "max">): number {
  return account.playersMax ?? rules.max;
}

/** The account's players. The caller checks who may see them. */
export async function listPlayers(
  { reads, rules }: { readonly reads: Pick<Reads, "players">; readonly rules: Pick<Rules, "players"> },
  account: Account,
): Promise<PlayerList> {
  const players = await reads.players.listLooks(account.id);
  return { max: playersMaxOf(account, rules.players), players };
}

/** What names a player for staff: a uuid or a name. Fails with invalid for any other text. */
export function parsePlayerKey(text: string): PlayerLookKey {
  const uuid = parseUuid(text);
  if (uuid !== null) return { by: "uuid", value: uuid };
  if (mayBeUsername(text)) return { by: "name", value: nameKey(text) };
  throw refusals.badPlayerKey();
}

/** The player that a key names. Staff may see it. Fails with not_found. */
export async function findPlayer(players: PlayerReads, key: PlayerLookKey): Promise<PlayerLook> {
  const look = await players.findLook(key);
  if (look === null) throw refusals.unknownPlayer();
  return look;
}

/** A player of this account. Fails with not_found for an unknown one and for another account's alike. */
export async function findOwnPlayer(
  players: PlayerReads,
  account: Account,
  key: PlayerLookKey,
): Promise<PlayerLook> {
  const look = await players.findLook(key);
  if (look?.player.accountId !== account.id) throw refusals.noSuchPlayer();
  return look;
}
