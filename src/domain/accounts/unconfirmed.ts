import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { system } from "../model/actor.ts";
import { ownsItsMail, type Member } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import type { AccountReads, AccountStore, UnconfirmedPlace } from "../ports/account-store.ts";

/**
 * The member that owns the address; null when it is free. An account may have an address without owning it
 * (`ownsItsMail`): `claimMail` takes the address away from such an account.
 */
export async function findMailOwner(accounts: AccountReads, mail: string): Promise<Member | null> {
  const found = await accounts.findMember({ by: "mail", value: mailKey(mail) });
  return found !== null && ownsItsMail(found.account) ? found : null;
}

/**
 * Frees an address for a person who has shown that it is theirs. An account that has the address without
 * owning it is removed, with the codes and passwords of its registrations. `claimant` may have it already.
 * Fails with conflict when another account owns the address.
 */
export async function claimMail(
  accounts: AccountStore,
  mail: string,
  claimant: AccountId | null = null,
): Promise<void> {
  const found = await accounts.findMember({ by: "mail", value: mailKey(mail) });
  if (found === null || found.account.id === claimant) return;
  if (ownsItsMail(found.account)) throw refusals.mailTaken();
  await accounts.deleteAccount(found.account.id);
}

/**
 * Accounts that one call looks at, for some milliseconds: those with a valid code stay, and may be very many.
 */
const lookedAtMax = 1000;
/**
 * Accounts that one transaction removes, about a millisecond of the event loop each: the search index is
 * updated, too.
 */
const removedAtOnceMax = 10;

/**
 * Removes unconfirmed accounts that are older than seven days, do not own their address (`ownsItsMail`) and
 * have no valid code. It looks at a thousand after `after` (null: from the oldest on) and returns how many it
 * removed and where to go on, null for the end of the list. Not audited: strangers can make any number of
 * such accounts, and audit entries are kept for ever.
 */
export async function removeUnconfirmed(
  deps: { readonly reads: Reads; readonly transact: Transact; readonly clock: Clock },
  after: UnconfirmedPlace | null,
): Promise<{ readonly removed: number; readonly next: UnconfirmedPlace | null }> {
  const page = {
    createdUntil: deps.clock.nowSeconds() - limits.unconfirmedSeconds,
    after,
    rows: lookedAtMax,
  };
  const found = await deps.reads.accounts.listUnconfirmed(page);
  const ids = found.map(({ id }) => id);
  let removed = 0;
  for (let from = 0; from < ids.length; from += removedAtOnceMax) {
    const some = ids.slice(from, from + removedAtOnceMax);
    removed += await deps.transact(system, (tx) => removeUnowned(tx, some));
    await yieldToEventLoop();
  }
  return { removed, next: found.length < lookedAtMax ? null : (found.at(-1) ?? null) };
}

/**
 * Checks each account again: since the list was read its owner may have confirmed the address or asked for a
 * code.
 */
async function removeUnowned({ accounts, codes, now }: Tx, ids: readonly AccountId[]): Promise<number> {
  let removed = 0;
  for (const value of ids) {
    const member = await accounts.findMember({ by: "id", value });
    if (member === null || ownsItsMail(member.account) || (await codes.hasValidCode(value, now))) continue;
    await accounts.deleteAccount(value);
    removed += 1;
  }
  return removed;
}
