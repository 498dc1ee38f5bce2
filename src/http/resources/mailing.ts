import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { LanguagePreview } from "../../domain/mail/preview-bulk-mail.ts";
import type { BulkProgress } from "../../domain/ports/outbox-store.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber, givenText, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { givenLanguage } from "./language.ts";

/** Mails to everybody (docs/contract/admin.md#mail). */

const subject = "The server moves";
const message = "Hello,\n\nfrom Friday on you find us at https://play.example.org.\n\nSee you there!";

export const bulkMailBody = t.Object({
  subject: textField("1 to 150 characters on one line", subject, "subject"),
  message: textField(
    "1 to 20,000 characters of plain text; a blank line begins another paragraph",
    message,
    "message",
  ),
});

export const mailsQueued = (recipients: number) => `Mail sent to all users: ${recipients} on their way`;

/** The answer has no envelope. */
export const bulkMailAnswer = t.Object(
  { msg: t.String({ examples: [mailsQueued(1204)] }) },
  { component: "MailsQueued" },
);

const mailing = t.Object(
  {
    id: givenNumber("Its number; the value for `after`", 3),
    subject: givenText("Its subject", subject, "subject"),
    iss: givenText("The username of the administrator who wrote it", examples.admin),
    time: givenNumber("When: Unix seconds", examples.time),
    total: givenNumber("How many people it was written to", 1204),
    sent: givenNumber("Copies that the mail server has taken", 1130),
    failed: givenNumber("Copies that it refused, or did not take in time", 4),
    waiting: givenNumber("Copies that are still to be sent", 70),
  },
  { component: "Mailing" },
);
/** `GET /api/admin/mail`. */
export const mailingsEnvelope = envelopeOf(t.Array(mailing));

export function presentMailing({ issuer, createdAt, ...rest }: BulkProgress): Static<typeof mailing> {
  const { id, total, sent, failed, waiting } = rest;
  return { id, subject: rest.subject, iss: issuer, time: createdAt, total, sent, failed, waiting };
}

const preview = t.Object(
  {
    recipients: givenNumber("How many people would get it now", 1204),
    languages: t.Array(
      t.Object({
        language: givenLanguage("The language that this mail is written in"),
        recipients: givenNumber("How many of them get mails in this language", 610),
        subject: givenText("As the mail server gets it", subject),
        text: givenText("The mail as plain text", message),
        html: givenText("The mail as a page, which loads nothing", "<!DOCTYPE html>"),
      }),
    ),
  },
  { component: "MailPreview" },
);
/** `POST /api/admin/mail/preview`. */
export const previewEnvelope = envelopeOf(preview);

export function presentPreview(previews: readonly LanguagePreview[]): Static<typeof preview> {
  return {
    recipients: previews.reduce((all, { recipients }) => all + recipients, 0),
    languages: previews.map(({ language, recipients, subject, text, html }) => ({
      language,
      recipients,
      subject,
      text,
      html,
    })),
  };
}
