import { refusals } from "../model/refusals.ts";
import { isReadable, parseLine } from "../model/one-line.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import type { BulkMailId, BulkText } from "../ports/outbox-store.ts";

/** Mail programs show fewer characters, and servers refuse longer headers. */
export const subjectLengthMax = 150;
/** About ten printed pages. */
export const messageLengthMax = 20_000;
/** No control characters but tabs and line ends of every kind. */
export const messagePattern = /^(?:\P{Cc}|[\t\n\r\x85])*$/u;
/** Within this time, equal text counts as a repeated click. */
const repeatSeconds = 10 * 60;

/**
 * Puts a bulk mail into the outbox, for every account with a verified address that has not unsubscribed.
 * Writes audit: the subject, the number of recipients and the message's SHA-256. Resolves to the number of
 * recipients. Only administrators do this. Fails with invalid as `parseLine` and `parseMessage` do, with
 * conflict when the same text was sent within the last ten minutes.
 */
export async function postBulkMail(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  given: BulkText,
): Promise<{ readonly id: BulkMailId; readonly recipients: number }> {
  const text = parseBulkText(given);
  return transact(actor, async ({ outbox, audit, actor: { name: issuer }, now: at }) => {
    if (await outbox.hasBulkMail(text, at - repeatSeconds)) throw refusals.repeatedBulkMail();
    const { id, copies } = await outbox.insertBulkMail({ ...text, issuer, at });
    const detail = {
      old: null,
      new: { mail: id, subject: text.subject, message_sha256: digestOf(text.message), recipients: copies },
    };
    audit("mail.bulk", null, detail);
    return { id, recipients: copies };
  });
}

/** The words of a bulk mail as they are sent. Fails with invalid as `parseLine` and `parseMessage` do. */
export function parseBulkText({ subject, message }: BulkText): BulkText {
  return { subject: parseLine("subject", subject, subjectLengthMax), message: parseMessage(message) };
}

/**
 * Parses a message of 1 to 20,000 characters; every kind of line break becomes a line feed. Fails with
 * invalid.
 */
function parseMessage(text: string): string {
  const message = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n").trim();
  if (isReadable(message, messageLengthMax) && messagePattern.test(message)) return message;
  throw refusals.badMessage(messageLengthMax);
}

function digestOf(message: string): string {
  return new Bun.CryptoHasher("sha256").update(message).digest("hex");
}
