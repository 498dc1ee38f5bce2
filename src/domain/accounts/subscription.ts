import { refusals } from "../model/refusals.ts";
import type { Uuid } from "../../kernel/ids.ts";
import type { Account } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import { mailKey } from "../model/mail-address.ts";
import type { AccountReads } from "../ports/account-store.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/**
 * Names for accounts in links that mails to everybody carry. A person who has one can end those mails for the
 * account and take them up again, nothing else. A name cannot be guessed, and stays the account's when its
 * address changes.
 */
export type SubscriptionNames = {
  readonly nameOf: (account: Uuid) => string;
  /** The account that the name is for; null for any other text. */
  readonly read: (name: string) => Uuid | null;
};

/** The account that a name is for. Fails with not_found for any other text, and when the account is gone. */
export async function findSubscriber(
  {
    reads,
    subscriptions,
  }: { readonly reads: { readonly accounts: AccountReads }; readonly subscriptions: SubscriptionNames },
  name: string,
): Promise<Account> {
  const uuid = subscriptions.read(name);
  const found = uuid === null ? null : await reads.accounts.findMember({ by: "uuid", value: uuid });
  if (found === null) throw refusals.unknownSubscription();
  return found.account;
}

/**
 * Ends mails to everybody for the account that the name is for, or takes them up again. Copies that wait to
 * go to the account are dropped. The name is all that is needed for this (RFC 8058). Fails as
 * `findSubscriber` does.
 */
export async function setSubscription(
  { transact, subscriptions }: { readonly transact: Transact; readonly subscriptions: SubscriptionNames },
  name: string,
  wants: boolean,
): Promise<Account> {
  return transact(anonymous, async (tx) => {
    const { accounts, outbox } = tx;
    const account = await findSubscriber({ reads: tx, subscriptions }, name);
    if (account.wantsBulkMail !== wants) await accounts.updateAccount(account.id, { wantsBulkMail: wants });
    if (!wants && account.mail !== null) await outbox.dropWaitingCopies(mailKey(account.mail));
    return { ...account, wantsBulkMail: wants };
  });
}
