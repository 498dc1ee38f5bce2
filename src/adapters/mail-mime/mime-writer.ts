import type { MimeWriter, Mailbox } from "../../domain/ports/mailer.ts";

/** Formats mails from one sender as MIME messages (RFC 5322, RFC 2045). */
export function mimeWriter(from: Mailbox): MimeWriter {
  return async ({ to, language, subject, text, html, messageId, date, unsubscribe }) => {
    // Loaded for the first mail: with what it needs of Node it takes a megabyte.
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    return new MailComposer({
      from,
      // An object is not parsed, so an address cannot name a second recipient.
      to: { name: "", address: to },
      subject,
      text,
      html,
      messageId: `<${messageId}>`,
      date: new Date(date * 1000),
      headers: {
        // Prevents absence notes (RFC 3834 5); Exchange reads the second one.
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
  };
}

/**
 * Headers for the unsubscribe button of mail programs (RFC 8058). Each stays on one line: not every provider
 * unfolds them.
 */
function oneClick(address: string) {
  return {
    "List-Unsubscribe": { prepared: true, value: `<${address}>` },
    "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" },
  };
}
