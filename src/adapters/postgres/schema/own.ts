/** Tables that only PostgreSQL has: what several nodes share, and what SQLite does in memory or files. */
import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import type { SessionId, Uuid } from "../../../kernel/ids.ts";
import { number, text } from "../../sql/schema/columns.ts";

/** Who may do what only one node does. Times are the database's, in Unix milliseconds. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  /** Grows with each new holder. */
  term: number().notNull(),
  until: number().notNull(),
});

/** The nodes that run, by their heartbeat. Times are the database's, in Unix milliseconds. */
export const nodes = pgTable("nodes", {
  name: text().primaryKey(),
  version: text().notNull(),
  /** The number of migrations that its release knows. */
  schema: number().notNull(),
  startedAt: number("started_at").notNull(),
  seenAt: number("seen_at").notNull(),
  /**
   * Digests of the settings that all nodes share, `NAME=digest` with commas between. Releases before
   * `settingsSchema` leave it as it was.
   */
  settings: text(),
});

/** Keys that SQLite keeps as files under `secrets`, sealed with a key that is derived from JWT_SECRET. */
export const keptKeys = pgTable("kept_keys", {
  name: text().primaryKey(),
  sealed: text().notNull(),
  /** Changes with each new value. */
  stamp: text().notNull(),
});

/** What was tried lately, by what is limited. Unlogged: a crash of the database forgets it. */
export const attemptCounts = pgTable(
  "attempt_counts",
  {
    /** A keyed hash of what is limited. */
    key: text().primaryKey(),
    /** The rule, as in `domain/ports/attempt-store.ts`. */
    times: number().notNull(),
    seconds: number().notNull(),
    /** 0: a window. */
    secondsMax: number("seconds_max").notNull(),
    /**
     * The seconds of a window's attempts, the newest last, no more than may count; of a growing delay the one
     * at which it ends.
     */
    at: number().array().notNull(),
    /** Of a growing delay: the attempts since the last success. */
    attempts: number().notNull(),
    /** The answer to the last question: seconds to wait; 0: it was counted. */
    wait: number().notNull(),
    /** Unix seconds. */
    endsAt: number("ends_at").notNull(),
  },
  (table) => [index("attempt_counts_end").on(table.endsAt)],
);

/** What works once and was used. */
export const usedOnce = pgTable(
  "used_once",
  {
    key: text().primaryKey(),
    /** Unix seconds. */
    endsAt: number("ends_at").notNull(),
  },
  (table) => [index("used_once_end").on(table.endsAt)],
);

/** Players that join a game server. Unlogged: a crash of the database forgets it. */
export const joins = pgTable(
  "joins",
  {
    playerUuid: text("player_uuid").$type<Uuid>().primaryKey(),
    name: text().notNull(),
    serverId: text("server_id").notNull(),
    address: text().notNull(),
    sessionId: text("session_id").$type<SessionId>().notNull(),
    /** Unix seconds. */
    endsAt: number("ends_at").notNull(),
  },
  (table) => [index("joins_end").on(table.endsAt)],
);

/**
 * Changes of `row_counts` and `daily_counts` that the leader has not added yet: one row that all changed
 * would keep them waiting.
 */
export const countDeltas = pgTable("count_deltas", {
  id: number().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  delta: number().notNull(),
});

/**
 * Mails to everybody whose copies the leader still writes: for the accounts after the one number, up to the
 * other.
 */
export const bulkCopying = pgTable("bulk_copying", {
  bulkMailId: number("bulk_mail_id").primaryKey(),
  /** When the mail was posted, in Unix seconds. */
  at: number().notNull(),
  after: number().notNull(),
  last: number().notNull(),
});

/** Events that the leader has not numbered yet. */
export const eventNotes = pgTable("event_notes", {
  seq: number().primaryKey().generatedByDefaultAsIdentity(),
  at: number().notNull(),
  type: text().notNull(),
  /** As in `events`. */
  body: text().notNull(),
});

/** The newest entry of the audit, in one row. Who adds an entry reads and writes it last. */
export const auditHead = pgTable(
  "audit_head",
  {
    id: number().primaryKey(),
    entryId: number("entry_id").notNull(),
    hash: text().notNull(),
  },
  (table) => [check("audit_head_one", sql`${table.id} = 1`)],
);

/** What searches look through: folded texts of users, skins, capes and audit entries. */
export const searchTexts = pgTable(
  "search_texts",
  {
    kind: text().$type<"user" | "skin" | "cape" | "audit">().notNull(),
    id: number().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** Tables that a crash of the database empties: their rows are of minutes, and cost less without its log. */
export const unlogged = [attemptCounts, joins];
