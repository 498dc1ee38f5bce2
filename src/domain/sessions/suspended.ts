import type { AccountId } from "../../kernel/ids.ts";
import { inForce, SuspendedAccount } from "../model/suspension.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** What a look at an account's suspension needs, at a time (Unix seconds). */
type SuspensionLook = Pick<Tx, "now"> & { readonly suspensions: Pick<Tx["suspensions"], "findSuspension"> };

/**
 * Refuses an account that is suspended with forbidden (`SuspendedAccount`). Only the person who has proven to
 * be its owner may learn that.
 */
export async function refuseSuspended(look: SuspensionLook, account: AccountId): Promise<void> {
  const suspension = await findInForce(look, account);
  if (suspension !== null) throw new SuspendedAccount(suspension);
}

/** Whether the account is suspended. */
export async function isSuspended(look: SuspensionLook, account: AccountId): Promise<boolean> {
  return (await findInForce(look, account)) !== null;
}

async function findInForce({ suspensions, now }: SuspensionLook, account: AccountId) {
  return inForce(await suspensions.findSuspension(account), now);
}
