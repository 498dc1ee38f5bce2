import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import type { Account } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import type { AccountReads } from "../ports/account-store.ts";
import type { Transact } from "../ports/stores.ts";

/**
 * Names for accounts in links that mails to everybody carry. Who has one can end those mails for the account and take them
 * up again, nothing else; nobody can make one up. A name is the account's for good, whatever its address.
 */
export type SubscriptionNames = {
  readonly nameOf: (account: Uuid) => string;
  /** The account that the name is for; null for what is no name. */
  readonly read: (name: string) => Uuid | null;
};

/** The account that a name is for. Fails with not_found for what is no name, and when the account is gone. */
export async function findSubscriber(
  accounts: AccountReads,
  names: SubscriptionNames,
  name: string,
): Promise<Account> {
  const uuid = names.read(name);
  const found = uuid === null ? null : await accounts.findMember({ by: "uuid", value: uuid });
  if (found === null) throw new AppError("not_found", "This link belongs to no account");
  return found.account;
}

/**
 * Ends mails to everybody for the account that the name is for, or takes them up again; as often as one likes. Copies that
 * wait to go to it are dropped. Whoever has the name may do this (RFC 8058). Fails as `findSubscriber` does.
 */
export async function setSubscription(
  { transact, subscriptions }: { readonly transact: Transact; readonly subscriptions: SubscriptionNames },
  name: string,
  wants: boolean,
): Promise<Account> {
  return transact(async ({ accounts, outbox }) => {
    const account = await findSubscriber(accounts, subscriptions, name);
    if (account.wantsBulkMail !== wants) await accounts.setWantsBulkMail(account.id, wants);
    if (!wants && account.mail !== null) await outbox.dropWaitingCopies(mailKey(account.mail));
    return { ...account, wantsBulkMail: wants };
  });
}
