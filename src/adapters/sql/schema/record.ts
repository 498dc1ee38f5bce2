import { sql } from "drizzle-orm";
import { check, index, primaryKey, pgTable } from "drizzle-orm/pg-core";
import type { Language, MailTemplate } from "../../../domain/model/mail.ts";
import type { BulkMailId, MailId, OutboxContent } from "../../../domain/ports/outbox-store.ts";
import type { AccountId } from "../../../kernel/ids.ts";
import { jsonText, number, text } from "./columns.ts";

/** Every change made by staff, a service or the command line. Rows are only ever added. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    actorName: text("issuer").notNull(),
    /** The acting account's id; null for a service, the command line and the program itself. */
    actorAccountId: number("actor_account_id").$type<AccountId>(),
    /**
     * `session:<id>` or `token:<id>`, through which the actor acted; null for the command line and the
     * program itself.
     */
    actorVia: text("actor_via"),
    /** Which fields `hash` covers: 1 leaves out the two `actor…` columns. */
    version: number().notNull().default(1),
    action: text().notNull(),
    /** An account's id, or 0. No reference: the account may be deleted. */
    forAccountId: number("for_account_id").$type<AccountId | 0>().notNull(),
    at: number().notNull(),
    /** JSON, kept as text because the chain hashes this very text. */
    detail: text().notNull(),
    /** The `hash` of the entry before; empty for the first. */
    previousHash: text("previous_hash").notNull().default(""),
    hash: text().notNull().default(""),
  },
  (table) => [
    // The entries about an account, newest first.
    index("audit_entries_account").on(table.forAccountId, table.id),
    // The same and others by time. A statement orders equal times by number.
    index("audit_entries_account_time").on(table.forAccountId, table.at),
    index("audit_entries_issuer").on(table.actorName, table.at),
    index("audit_entries_actor").on(table.actorAccountId, table.at),
    index("audit_entries_action").on(table.action, table.at),
    index("audit_entries_issuer_action").on(table.actorName, table.action, table.at),
    index("audit_entries_time").on(table.at),
  ],
);

/** Mails to everybody. The words are kept once, for all copies. */
export const bulkMails = pgTable("bulk_mails", {
  id: number().$type<BulkMailId>().primaryKey().generatedByDefaultAsIdentity(),
  subject: text().notNull(),
  message: text().notNull(),
  /** The audit's name for the actor who wrote it. */
  issuer: text().notNull(),
  createdAt: number("created_at").notNull(),
  /** How many people it was written to. */
  total: number().notNull().default(0),
  /** Its copies by their state: a million copies are not counted again for each look. */
  waiting: number().notNull().default(0),
  sent: number().notNull().default(0),
  failed: number().notNull().default(0),
});

/**
 * Mails to be sent. `content` is what the mail is made from, codes included; it is deleted once the mail is
 * sent.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: number().$type<MailId>().primaryKey().generatedByDefaultAsIdentity(),
    recipient: text().notNull(),
    recipientKey: text("recipient_key").notNull(),
    language: text().$type<Language>().notNull(),
    template: text().$type<MailTemplate>().notNull(),
    content: jsonText().$type<OutboxContent>(),
    state: text().$type<"waiting" | "sent" | "failed">().notNull(),
    attempts: number().notNull(),
    createdAt: number("created_at").notNull(),
    /** When to try (again); for a mail that was sent or given up, when that happened. */
    dueAt: number("due_at").notNull(),
    /** What the mail server answered last. */
    lastReply: text("last_reply"),
    /** The mail to everybody that this is a copy of; null for a mail to one person. */
    bulkMailId: number("bulk_mail_id")
      .$type<BulkMailId>()
      .references(() => bulkMails.id),
  },
  (table) => [
    // Mails to one person have an index of their own, so that they never wait behind mails to everybody.
    index("outbox_due")
      .on(table.state, table.dueAt)
      .where(sql`${table.bulkMailId} IS NULL`),
    index("outbox_bulk_due")
      .on(table.state, table.dueAt)
      .where(sql`${table.bulkMailId} IS NOT NULL`),
    index("outbox_bulk").on(table.bulkMailId, table.state),
    index("outbox_recipient").on(table.recipientKey, table.createdAt),
    // Only the few mails that are not sent, for the question "whose content is too old?".
    index("outbox_content")
      .on(table.createdAt)
      .where(sql`${table.content} IS NOT NULL`),
  ],
);

/**
 * What changed of what delivery answers with, in the order of commits. Other processes and nodes follow it by
 * `id`.
 */
export const changes = pgTable(
  "change",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    kind: text().$type<"player" | "skin" | "cape" | "texture">().notNull(),
    subject: text().notNull(),
    /** Unix seconds. */
    at: number().notNull(),
  },
  (table) => [check("change_kind", sql`${table.kind} IN ('player', 'skin', 'cape', 'texture')`)],
);

/** How many rows the long tables have, as far as the leader has added `count_deltas` to it. */
export const rowCounts = pgTable("row_counts", {
  name: text().primaryKey(),
  rows: number().notNull(),
});

/** How often something happened on a day (UTC), as far as the leader has added `count_deltas` to it. */
export const dailyCounts = pgTable(
  "daily_counts",
  {
    /** Days since 1970-01-01. */
    day: number().notNull(),
    what: text().$type<"registration" | "sign-in">().notNull(),
    times: number().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.what] })],
);

/** What happened to players and accounts, for services that follow it. Ids grow, over restarts too. */
export const events = pgTable(
  "events",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    at: number().notNull(),
    type: text().notNull(),
    /** JSON: what the event's type has beside id, time and type. */
    body: text().notNull(),
  },
  (table) => [index("events_at").on(table.at)],
);

/**
 * How far each address that gets events has come. The addresses are settings; here is only a hash of each.
 */
export const webhooks = pgTable("webhooks", {
  /** The hex SHA-256 of the address. */
  address: text().primaryKey(),
  /** The last event that was delivered or given up. */
  position: number().notNull(),
  /** Tries at the next event so far. */
  attempts: number().notNull().default(0),
  /** Unix seconds of the next try; 0: at once. */
  nextTryAt: number("next_try_at").notNull().default(0),
  /** Unix seconds of the last delivery; 0: none yet. */
  deliveredAt: number("delivered_at").notNull().default(0),
  /** Why the last try failed; empty when it did not. */
  lastError: text("last_error").notNull().default(""),
});

/** Imports of other systems, a row for each source. While one is at work, the row is its lease. */
export const importRuns = pgTable("import_runs", {
  /** The source's name: what the operator called it, or a hash of where it is. */
  source: text().primaryKey(),
  state: text().$type<"running" | "stopped" | "done">().notNull(),
  /** The last account that was applied, by its key there; empty: none. */
  cursor: text().notNull().default(""),
  /** The process that works on it; empty: none. */
  holder: text().notNull().default(""),
  /** Until when the holder has it, in Unix seconds. */
  until: number().notNull().default(0),
  beganAt: number("began_at").notNull(),
  endedAt: number("ended_at"),
  /** What it has done so far: how many of each kind and decision. */
  counts: jsonText()
    .notNull()
    .default(sql`'{}'`),
});

/**
 * What became of the records of imports: the local row of each. No reference: what was imported may be
 * deleted here, and then does not come again.
 */
export const importLinks = pgTable(
  "import_links",
  {
    source: text().notNull(),
    kind: text().$type<"account" | "player" | "skin" | "cape">().notNull(),
    /** The record's own key there. */
    key: text().notNull(),
    /** The number of the row here. */
    localId: number("local_id").notNull(),
    /** Of what the record was there when it came or was last looked at; empty: not known. */
    digest: text().notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.kind, table.key] }),
    index("import_links_local").on(table.kind, table.localId),
  ],
);

/**
 * Single values of the community. `community` is its id, made with the table: it marks what belongs to this
 * community elsewhere.
 */
export const marks = pgTable("marks", {
  name: text().primaryKey(),
  value: text().notNull(),
});
