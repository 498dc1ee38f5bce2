import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Stores } from "../ports/stores.ts";
import { limits } from "../../kernel/limits.ts";
import { isStaff } from "../model/policy.ts";
import { levelInForce, type Account, type Player } from "../model/account.ts";
import type { AccountStore } from "../ports/account-store.ts";
import { nameKey } from "../model/username.ts";

/**
 * Gives an account its player, which takes over the account's uuid. Fails with conflict when the name is taken (ignoring
 * case) or held for somebody else.
 */
export async function addPlayer(
  { accounts }: Stores,
  account: Account,
  name: string,
  at: number,
): Promise<Player> {
  await claimName(accounts, account.id, name, at);
  return accounts.insertPlayer({ uuid: account.uuid, accountId: account.id, name, createdAt: at });
}

/**
 * Gives a player whose name was derived the one that its owner chooses instead. The derived name is held for nobody. Fails
 * with conflict as `addPlayer` does.
 */
export async function chooseName(
  { accounts }: Stores,
  player: Player,
  name: string,
  at: number,
): Promise<Player> {
  await claimName(accounts, player.accountId, name, at);
  await accounts.renamePlayer(player.id, name);
  return { ...player, name, nameDerived: false };
}

/**
 * Gives a player another name and holds the old one for its account until then. Its uuid and skins stay. Fails with
 * conflict as `addPlayer` does.
 */
export async function renamePlayer(
  { accounts }: Stores,
  player: Player,
  name: string,
  times: { readonly at: number; readonly heldUntil: number },
): Promise<void> {
  await claimName(accounts, player.accountId, name, times.at);
  await accounts.renamePlayer(player.id, name);
  if (nameKey(name) === nameKey(player.name)) return;
  await holdName(accounts, player, times.heldUntil);
}

/**
 * Renames a player for its owner, as `renamePlayer` does, once within `renameSeconds`; an earlier second time fails with
 * limited, except for staff. The name that the player has already changes nothing. The first choice in place of a derived
 * name is no rename, and the derived name is not held.
 */
export async function renameOwnPlayer(
  stores: Stores,
  { account, player }: { readonly account: Account; readonly player: Player },
  name: string,
  rules: { readonly at: number; readonly heldUntil: number; readonly renameSeconds: number },
): Promise<void> {
  const { accounts } = stores;
  const { at, renameSeconds } = rules;
  if (player.nameDerived) return void (await chooseName(stores, player, name, at));
  if (name === player.name) return;
  const wait = renameSeconds - secondsSince(await accounts.lastRename(player.id), at);
  if (wait > 0 && !isStaff(levelInForce(account, at))) throw renamedTooOften(renameSeconds, wait);
  await renamePlayer(stores, player, name, rules);
  await accounts.noteRename(player.id, at);
}

/** A time in the future is from before the clock was set back, and counts as long ago. */
function secondsSince(then: number, now: number): number {
  return then > now + limits.clockStepSeconds ? Infinity : Math.max(0, now - then);
}

function renamedTooOften(seconds: number, retryAfterSeconds: number): AppError {
  const message = `A username may be changed once in ${hoursText(seconds)}; try again in ${hoursText(retryAfterSeconds)}`;
  return new AppError("limited", message, { retryAfterSeconds });
}

function hoursText(seconds: number): string {
  const hours = Math.ceil(seconds / 3600);
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** Holds the player's name for its account until then. An account holds three names at most: a fourth frees the oldest. */
export async function holdName(accounts: AccountStore, player: Player, heldUntil: number): Promise<void> {
  await accounts.holdName(nameKey(player.name), player.accountId, heldUntil);
  await accounts.dropHolds(player.accountId, limits.heldNamesMax);
}

/** A held name is its former owner's to take back; that it is nobody's now, the store makes sure of. */
async function claimName(
  accounts: AccountStore,
  account: AccountId,
  name: string,
  at: number,
): Promise<void> {
  const key = nameKey(name);
  const hold = await accounts.findNameHold(key);
  if (hold === null) return;
  if (hold.heldUntil > at && hold.accountId !== account) {
    throw new AppError(
      "conflict",
      "username: was given up a short while ago and is held for its former owner",
    );
  }
  await accounts.releaseName(key);
}
