import { AppError } from "../../kernel/errors.ts";
import { ownsItsMail, type Member } from "./account.ts";
import { mailKey } from "./mail-address.ts";
import type { AccountReads, AccountStore } from "./store.ts";

/**
 * Whose the address is; null when nobody has it, or an account that has not shown that it is theirs (`ownsItsMail`), from which
 * whoever shows it takes it by `claimMail`.
 */
export async function findMailOwner(accounts: AccountReads, mail: string): Promise<Member | null> {
  const found = await accounts.findMember({ by: "mail", value: mailKey(mail) });
  return found !== null && ownsItsMail(found) ? found : null;
}

/**
 * Frees an address for who has shown that it is theirs: an account that has it and has not shown so is removed, with the codes and
 * passwords of its registrations. Fails with conflict when the address is somebody's.
 */
export async function claimMail(accounts: AccountStore, mail: string): Promise<void> {
  const found = await accounts.findMember({ by: "mail", value: mailKey(mail) });
  if (found === null) return;
  if (ownsItsMail(found)) throw addressTaken();
  await accounts.deleteAccount(found.account.id);
}

/** What somebody reads whose wish is an address of another's. */
export function addressTaken(): AppError {
  return new AppError("conflict", "mail: an account with this address exists already");
}
