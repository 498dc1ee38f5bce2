import type { OutboxStore } from "../mail/outbox.ts";
import type { Member } from "./account.ts";

/** Mails that tell somebody of a change which may be a thief's. Accounts without an address get none. */

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
