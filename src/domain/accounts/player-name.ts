import type { NameRules, PlayerRules, Rules } from "../model/rules.ts";
import type { AppError } from "../../kernel/errors.ts";
import { newUuid, type AccountId, type PlayerId, type Uuid } from "../../kernel/ids.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { limits } from "../../kernel/limits.ts";
import { isStaff } from "../model/policy.ts";
import { refusals } from "../model/refusals.ts";
import { levelInForce, type Account, type Player } from "../model/account.ts";
import { offlineUuid } from "../model/player-uuid.ts";
import { nameKey } from "../model/username.ts";

type NewPlayer = {
  readonly name: string;
  /** Null: one by rule. */
  readonly uuid: Uuid | null;
  /** Whether the name was made from a social provider's. */
  readonly nameDerived?: boolean;
};
type UuidRules = Pick<PlayerRules, "uuids">;

/**
 * Gives an account a player: its first one, which becomes its main player, or another one. A uuid by rule is
 * the account's own for its first player and a random one for others; where uuids are made from names, it is
 * that of the name unless a player of another account has or had it. Fails with conflict when the name is
 * taken (ignoring case) or held for another account, and when a given uuid is that of another player or
 * account.
 */
export async function addPlayer(
  tx: Tx,
  account: Account,
  { uuid, ...player }: NewPlayer,
  { uuids }: UuidRules,
): Promise<Player> {
  const { name } = player;
  await claimName(tx, { accountId: account.id, id: null }, name);
  const byRule = async () => (uuids === "offline" ? uuidOfName(tx, account.id, name) : null);
  const isFirst = (await tx.players.count(account.id)) === 0;
  const given = uuid ?? (await byRule()) ?? (isFirst ? account.uuid : newUuid());
  return tx.players.insertPlayer({ ...player, uuid: given, accountId: account.id, createdAt: tx.now });
}

/** The uuid that is made from a name; null when it is a player's, or was one's of another account. */
async function uuidOfName({ players }: Tx, account: AccountId, name: string): Promise<Uuid | null> {
  const uuid = offlineUuid(name);
  return (await players.isUuidUsed(uuid, account)) ? null : uuid;
}

/**
 * Replaces a derived name by the one that its owner chooses; where uuids are made from names, also the uuid,
 * by the rule of `addPlayer`, unless the name stays: the uuid may be one of another system. The derived name
 * is not held. Fails with conflict as `addPlayer` does.
 */
export async function chooseName(
  tx: Tx,
  player: Player,
  name: string,
  { uuids }: UuidRules,
): Promise<Player> {
  const { accountId } = player;
  await claimName(tx, player, name);
  await setName(tx, player, name);
  const isNew = nameKey(name) !== nameKey(player.name);
  const uuid = isNew && uuids === "offline" ? await uuidOfName(tx, accountId, name) : null;
  if (uuid !== null) await changeUuid(tx, player, uuid);
  return { ...player, name, uuid: uuid ?? player.uuid, nameDerived: false };
}

async function setName({ players, sessions }: Tx, player: Player, name: string): Promise<void> {
  await players.renamePlayer(player.id, name);
  // Launchers learn a new name when they refresh.
  await sessions.markRefreshOnly(player.id);
}

/**
 * Gives a player another uuid; sessions that are bound to it have to be refreshed. Fails with conflict as
 * `addPlayer` does.
 */
export async function changeUuid({ players, sessions }: Tx, { id }: Player, uuid: Uuid): Promise<void> {
  await players.setUuid(id, uuid);
  await sessions.markRefreshOnly(id);
}

/**
 * Gives a player another name and holds the old one for its account for `nameHoldSeconds`. Its uuid and skins
 * stay. Fails with conflict as `addPlayer` does.
 */
export async function renamePlayer(
  tx: Tx,
  player: Player,
  name: string,
  { holdSeconds }: Pick<NameRules, "holdSeconds">,
): Promise<void> {
  await claimName(tx, player, name);
  await setName(tx, player, name);
  if (nameKey(name) === nameKey(player.name)) return;
  await holdName(tx, player, holdSeconds);
}

/**
 * Renames a player for its owner, as `renamePlayer` does, once within `renameSeconds`; an earlier second time
 * fails with limited, except for staff. The name that the player has already changes nothing. The first
 * choice in place of a derived name is no rename, and the derived name is not held.
 */
export async function renameOwnPlayer(
  tx: Tx,
  { account, player }: { readonly account: Account; readonly player: Player },
  name: string,
  rules: Pick<Rules, "names" | "players">,
): Promise<void> {
  const { players, now } = tx;
  const { renameSeconds } = rules.names;
  if (player.nameDerived) return void (await chooseName(tx, player, name, rules.players));
  if (name === player.name) return;
  const wait = renameSeconds - secondsSince(await players.lastRename(player.id), now);
  if (wait > 0 && !isStaff(levelInForce(account, now))) throw renamedTooOften(renameSeconds, wait);
  await renamePlayer(tx, player, name, rules.names);
  await players.noteRename(player.id, now);
}

/** A time in the future is from before the clock was set back, and counts as long ago. */
function secondsSince(then: number, now: number): number {
  return then > now + limits.clockStepSeconds ? Infinity : Math.max(0, now - then);
}

function renamedTooOften(seconds: number, retryAfterSeconds: number): AppError {
  return refusals.renamedTooOften(seconds, retryAfterSeconds);
}

/**
 * Holds the player's name for its account for so long. An account holds three names at most: a fourth frees
 * the oldest.
 */
export async function holdName({ players, now }: Tx, player: Player, seconds: number): Promise<void> {
  const { accountId, id: playerId } = player;
  await players.holdName(nameKey(player.name), { accountId, playerId, heldUntil: now + seconds });
  await players.dropHolds(player.accountId, limits.heldNamesMax);
}

/** The player that gets a name; null: a new player. */
type Named = { readonly accountId: AccountId; readonly id: PlayerId | null };

/**
 * Only its former owner takes a held name, and only its account a name that signs in to it. The store ensures
 * that no player has the name. This looks first: a clash may concern a name that is free again by then, and
 * would repeat the whole work.
 */
async function claimName(
  { players, aliases, now }: Tx,
  { accountId, id }: Named,
  name: string,
): Promise<void> {
  const key = nameKey(name);
  const owner = await players.findLook({ by: "name", value: key });
  if (owner !== null && owner.player.id !== id) throw refusals.nameTaken();
  const signsIn = await aliases.findAliasOwner(key);
  if (signsIn !== null && signsIn !== accountId) throw refusals.nameTaken();
  const hold = await players.findNameHold(key);
  if (hold === null) return;
  if (hold.heldUntil > now && hold.accountId !== accountId) {
    throw refusals.nameHeld();
  }
  await players.releaseName(key);
}
