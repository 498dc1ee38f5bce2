import { parseMail } from "../model/mail-address.ts";
import type { Language } from "../model/mail.ts";
import { refusals } from "../model/refusals.ts";
import type { BulkText, MailId } from "../ports/outbox-store.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { parseBulkText } from "./bulk-mail.ts";

/** A mail that was put into the outbox. */
export type PostedMail = { readonly id: MailId; readonly to: string };

/**
 * Puts a test mail into the outbox, which sends it as it sends every other mail: to the address given, else
 * to the actor's own. Without a language it is in that of the actor's mails. Only administrators do this.
 * Writes audit. Fails with invalid for a text that is no address, and for an actor without an address where
 * no other is given.
 */
export async function postTestMail(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  given: { readonly to: string | null; readonly language: Language | null },
): Promise<PostedMail> {
  const address = given.to === null ? null : parseMail(given.to);
  return transact(actor, async ({ accounts, actor: { accountId }, mail, audit }) => {
    const member = accountId === null ? null : await accounts.findMember({ by: "id", value: accountId });
    const to = address ?? member?.account.mail ?? null;
    const language = given.language ?? member?.account.language ?? "en";
    const id = await mail({ mail: to, language }, { template: "test" });
    if (to === null || id === null) throw refusals.noOwnMail();
    audit("mail.test", null, { new: { mail: id, to } });
    return { id, to };
  });
}

/**
 * Sends a mail to everybody to the actor alone, as all readers would get it: with a link that works, in the
 * language of the actor's mails. Only administrators do this. Writes audit. Fails with invalid as
 * `postBulkMail` does, and for an actor without an address.
 */
export async function postTrialMail(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  given: BulkText,
): Promise<PostedMail> {
  const text = parseBulkText(given);
  return transact(actor, async ({ accounts, actor: { accountId }, mail, audit }) => {
    const member = accountId === null ? null : await accounts.findMember({ by: "id", value: accountId });
    const to = member?.account.mail ?? null;
    if (member === null || to === null) throw refusals.noOwnMail();
    const { account, player } = member;
    const words = { template: "bulk", ...text, username: player?.name ?? "", account: account.uuid } as const;
    const id = await mail(account, words);
    if (id === null) throw refusals.noOwnMail();
    audit("mail.test", null, { new: { mail: id, to, subject: text.subject } });
    return { id, to };
  });
}
