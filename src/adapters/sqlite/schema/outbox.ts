import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MailTemplate } from "../../../domain/model/mail.ts";
import type { OutboxContent } from "../../../domain/ports/outbox-store.ts";

/** What administrators wrote to everybody. Kept once, however many get it. */
export const bulkMails = sqliteTable("bulk_mails", {
  id: integer().primaryKey({ autoIncrement: true }),
  subject: text().notNull(),
  message: text().notNull(),
  /** The audit's word for who wrote it. */
  issuer: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Mails on their way. `content` is what the mail is made from, codes included; it goes when the mail has gone. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    recipient: text().notNull(),
    recipientKey: text("recipient_key").notNull(),
    language: text({ enum: ["en", "ru"] }).notNull(),
    template: text().$type<MailTemplate>().notNull(),
    content: text({ mode: "json" }).$type<OutboxContent>(),
    state: text({ enum: ["waiting", "sent", "failed"] }).notNull(),
    attempts: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    /** When to try (again); for what was sent or given up, when that was. */
    dueAt: integer("due_at").notNull(),
    /** The mail server's own words. */
    lastReply: text("last_reply"),
    /** The mail to everybody that this is a copy of; null for every other mail. */
    bulkMailId: integer("bulk_mail_id").references(() => bulkMails.id),
  },
  (table) => [
    // Mails that somebody waits for have an index of their own, so that mails to everybody never stand before them.
    index("outbox_due")
      .on(table.state, table.dueAt)
      .where(sql`${table.bulkMailId} IS NULL`),
    index("outbox_bulk_due")
      .on(table.state, table.dueAt)
      .where(sql`${table.bulkMailId} IS NOT NULL`),
    index("outbox_bulk").on(table.bulkMailId, table.state),
    index("outbox_recipient").on(table.recipientKey, table.createdAt),
    // Only the few mails that are not sent: whose content is too old?
    index("outbox_content")
      .on(table.createdAt)
      .where(sql`${table.content} IS NOT NULL`),
  ],
);
