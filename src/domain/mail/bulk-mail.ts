import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Issuer } from "../audit/audit.ts";
import type { Transact } from "../stores.ts";
import type { BulkMailId, BulkText } from "./outbox.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/** What mail programs show of a subject is less; no header becomes as long as servers refuse. */
export const subjectLengthMax = 150;
/** One line without control characters, with something to be seen. */
export const subjectPattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}][^\p{Cc}\p{Zl}\p{Zp}]*$/u;
/** Some ten printed pages. */
export const messageLengthMax = 20_000;
/** No control characters but tabs and line ends of every kind. */
export const messagePattern = /^(?:\P{Cc}|[\t\n\r\x85])*$/u;
/** For so long the same words are taken for a second press of the same button. */
const repeatSeconds = 10 * 60;

/**
 * Puts a mail to everybody into the outbox: to every account with a verified address that has not said it wants none. Writes
 * audit: the subject, how many get it and the message's SHA-256. Tells how many get it. Only administrators do this. Fails
 * with invalid as `parseSubject` and `parseMessage` do, with conflict when the same words went to everybody in the ten
 * minutes before.
 */
export async function postBulkMail(
  { transact, clock }: Deps,
  issuer: Issuer,
  given: BulkText,
): Promise<{ readonly id: BulkMailId; readonly recipients: number }> {
  const text = { subject: parseSubject(given.subject), message: parseMessage(given.message) };
  const at = clock.nowSeconds();
  return transact(async ({ outbox, audit }) => {
    if (await outbox.hasBulkMail(text, at - repeatSeconds)) {
      throw new AppError("conflict", "This very mail was sent to everybody less than ten minutes ago");
    }
    const { id, copies } = await outbox.insertBulkMail({ ...text, issuer, at });
    const detail = {
      old: null,
      new: { mail: id, subject: text.subject, message_sha256: digestOf(text.message), recipients: copies },
    };
    await audit.append({ issuer, action: "mail.bulk", forAccountId: null, at, detail });
    return { id, recipients: copies };
  });
}

/** A subject: 1 to 150 characters on one line. Fails with invalid. */
function parseSubject(text: string): string {
  const subject = text.trim();
  if (isReadable(subject, subjectLengthMax) && subjectPattern.test(subject)) return subject;
  const rule = `must be one line of 1 to ${subjectLengthMax} characters, none of them a control character`;
  throw new AppError("invalid", `subject: ${rule}`);
}

/** A message: 1 to 20,000 characters; line ends of every kind become line feeds. Fails with invalid. */
function parseMessage(text: string): string {
  const message = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n").trim();
  if (isReadable(message, messageLengthMax) && messagePattern.test(message)) return message;
  const rule = `must have 1 to ${messageLengthMax} characters, no control characters but line ends and tabs`;
  throw new AppError("invalid", `message: ${rule}`);
}

/** Neither too long, nor broken, nor without anything to be seen. */
function isReadable(text: string, lengthMax: number): boolean {
  return text.isWellFormed() && Array.from(text).length <= lengthMax && /[^\p{C}\p{Z}]/u.test(text);
}

function digestOf(message: string): string {
  return new Bun.CryptoHasher("sha256").update(message).digest("hex");
}
