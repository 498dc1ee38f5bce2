import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Stores } from "../stores.ts";
import type { Account, Player } from "./account.ts";
import type { AccountStore } from "./store.ts";
import { nameKey } from "./username.ts";

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
  await accounts.holdName(nameKey(player.name), player.accountId, times.heldUntil);
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
