import MailComposer from "nodemailer/lib/mail-composer";
import type { MimeWriter, Sender } from "../../domain/ports/mailer.ts";

/** Mails from one sender as MIME messages (RFC 5322, RFC 2045). */
export function mimeWriter(from: Sender): MimeWriter {
  return ({ to, language, subject, text, html, messageId, date, unsubscribe }) =>
    new MailComposer({
      from,
      // As an object it is not parsed: no address can name a second one.
      to: { name: "", address: to },
      subject,
      text,
      html,
      messageId: `<${messageId}>`,
      date: new Date(date * 1000),
      headers: {
        // No absence notes in answer to it: RFC 3834 5, and what Exchange heeds instead.
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "Content-Language": language,
        ...(unsubscribe === null ? {} : oneClick(unsubscribe)),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build();
}

/**
 * What mail programs make their own button from (RFC 8058). Kept on one line each: not every provider unfolds what it looks
 * for.
 */
function oneClick(address: string) {
  return {
    "List-Unsubscribe": { prepared: true, value: `<${address}>` },
    "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" },
  };
}
