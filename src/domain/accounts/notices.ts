import type { Tx } from "../ports/unit-of-work.ts";
import type { Member } from "../model/account.ts";

/* Mails about a change to the recipient's account, within the transaction of that change. */

/** Mails the account's address that the password was changed. */
export function noticePassword(tx: Tx, { account, player }: Member): Promise<void> {
  return tx.mail(account, { template: "password-changed", username: player?.name ?? "" });
}

/** Mails the given member's address, the old one, that another took its place. */
export function noticeMail(tx: Tx, { account, player }: Member, newMail: string): Promise<void> {
  return tx.mail(account, { template: "mail-changed", username: player?.name ?? "", newMail });
}
