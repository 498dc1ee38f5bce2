import { parseMail } from "../model/mail-address.ts";
import type { Language } from "../model/mail.ts";
import { refusals } from "../model/refusals.ts";
import type { MailId } from "../ports/outbox-store.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";

/** A mail that was put into the outbox. */
export type PostedMail = { readonly id: MailId; readonly to: string };

/**
 * Puts a test mail into the outbox, which sends it as it sends every other mail: to the address given, else to the actor's own.
 * Without a language it is in that of the actor's mails. Only administrators do this. Writes audit. Fails with invalid for a
 * text that is no address, and for an actor without an address where no other is given.
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
