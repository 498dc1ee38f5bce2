import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Language } from "../../domain/model/mail.ts";
import type { BulkMailId, MailId, OutboxEntry } from "../../domain/ports/outbox-store.ts";
import { parseRowNumber, rowNumberMax } from "../../kernel/ids.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenNumber, givenText, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { placeQuery } from "../paging.ts";
import { givenLanguage, languageField } from "./language.ts";

/**
 * Mails of the outbox, as administrators see them (docs/contract/admin.md#outbox). Never with what is written
 * in them.
 */

const mail = t.Object(
  {
    id: givenNumber("Its number; the value for `after`", 812),
    to: givenText("The recipient", examples.mail),
    template: givenText("Which mail: confirm, reset, mail-changed …; bulk for mails to everybody", "reset"),
    language: givenLanguage("The language that it is written in"),
    state: t.Union([t.Literal("waiting"), t.Literal("sent"), t.Literal("failed")], {
      description: "A failed mail was refused for good, or not taken in time",
      examples: ["waiting"],
    }),
    attempts: givenNumber("How often sending it was tried", 2),
    created: givenNumber("Unix seconds", examples.time),
    next_at: t.Union([Type.Integer(), t.Null()], {
      description: "When it is tried again: Unix seconds; null unless it waits",
      examples: [examples.time + 600],
    }),
    error: t.Union([t.String(), t.Null()], {
      description: "What the mail server answered last; null before the first try and once it is sent",
      examples: ["450 4.2.1 The mailbox is busy"],
    }),
    mailing: t.Union([Type.Integer(), t.Null()], {
      description: "The mail to everybody that it is a copy of; null for a mail to one person",
      examples: [null],
    }),
    can_retry: givenFlag(
      "Whether it can be sent: false once its content is gone, a day after it was written",
      true,
    ),
  },
  { component: "OutboxMail" },
);

/** `POST /api/admin/outbox/{id}/retry`. */
export const outboxMailEnvelope = envelopeOf(mail);
/** `GET /api/admin/outbox`. */
export const outboxEnvelope = envelopeOf(t.Array(mail));

export function presentOutboxMail(entry: OutboxEntry): Static<typeof mail> {
  const { id, to, template, language, state, attempts, createdAt, dueAt, lastReply, bulk, hasContent } =
    entry;
  return {
    id,
    to,
    template,
    language,
    state,
    attempts,
    created: createdAt,
    next_at: state === "waiting" ? dueAt : null,
    error: state === "sent" ? null : lastReply,
    mailing: bulk,
    can_retry: state !== "sent" && hasContent,
  };
}

export const outboxQuery = t.Object({
  ...placeQuery.properties,
  state: t.Optional(
    t.Union([t.Literal("waiting"), t.Literal("failed")], {
      description: "Only mails in this state",
      rule: rules.oneOf.of("waiting or failed"),
      examples: ["failed"],
    }),
  ),
  mailing: t.Optional(
    t.String({
      description:
        "Only copies of the mail to everybody with this number; without it, no copies but those that failed",
      rule: rules.mailingNumber.of(),
      documented: { type: "integer", minimum: 1, maximum: rowNumberMax, examples: [3] },
    }),
  ),
});

/** The mail to everybody that a query asks for. Fails with invalid. */
export function readMailing({ mailing }: typeof outboxQuery.static): BulkMailId | null {
  if (mailing === undefined) return null;
  const id = parseRowNumber(mailing);
  if (id === null) throw rules.mailingNumber({ field: "mailing" });
  return id as BulkMailId; // the store knows whether there is one
}

export const outboxMailParams = t.Object({
  id: t.String({
    description: "The mail's number",
    documented: { type: "integer", minimum: 1, maximum: rowNumberMax, examples: [812] },
  }),
});

/** The number of a mail in an address. Fails with invalid. */
export function readMailId({ id: text }: typeof outboxMailParams.static): MailId {
  const id = parseRowNumber(text);
  if (id === null) throw rules.mailNumber({ field: "id" });
  return id as MailId; // the store knows whether there is one
}

export const testMailBody = t.Object({
  to: t.Optional(
    textField("The recipient; your own address when it is left out", examples.mail, "mail", "mail"),
  ),
  language: t.Optional(
    languageField("The language that it is written in; that of your own mails when it is left out"),
  ),
});

export function readTestMail({ to, language }: typeof testMailBody.static): {
  readonly to: string | null;
  readonly language: Language | null;
} {
  return { to: to ?? null, language: language ?? null };
}

const testMail = t.Object(
  {
    id: givenNumber("Its number in the outbox", 813),
    to: givenText("The recipient", examples.mail),
  },
  { component: "TestMail" },
);
/** `POST /api/admin/outbox/test`. */
export const testMailEnvelope = envelopeOf(testMail);
