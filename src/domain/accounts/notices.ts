import type { OutboxStore } from "../ports/outbox-store.ts";
import type { Member } from "../model/account.ts";

/** Mails about a change to the recipient's account. Accounts without an address get none. */

/** Mails the account's address that the password was changed, within the transaction of that. */
export async function noticePassword(outbox: OutboxStore, member: Member, at: number): Promise<void> {
  const { account, player } = member;
  if (account.mail === null) return;
  const mail = { template: "password-changed", username: player?.name ?? "" } as const;
  await outbox.insertMail({ to: account.mail, language: account.language, at, mail });
}

/** Mails the old address, the given member's, that another one took its place, within the transaction of that. */
export async function noticeMail(
  outbox: OutboxStore,
  { account, player }: Member,
  newMail: string,
  at: number,
): Promise<void> {
  if (account.mail === null) return;
  const mail = { template: "mail-changed", username: player?.name ?? "", newMail } as const;
  await outbox.insertMail({ to: account.mail, language: account.language, at, mail });
}

/**
 * Mails the account's address, if it is verified, that staff removed a skin of its wardrobe and why, within the transaction
 * of that.
 */
export async function noticeRemovedSkin(
  outbox: OutboxStore,
  { account, player }: Member,
  removed: { readonly skin: string; readonly reason: string },
  at: number,
): Promise<void> {
  if (account.mail === null || !account.mailVerified) return;
  const mail = { template: "skin-removed", username: player?.name ?? "", ...removed } as const;
  await outbox.insertMail({ to: account.mail, language: account.language, at, mail });
}
