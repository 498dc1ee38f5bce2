import {
  and,
  asc,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  sql,
  type Placeholder,
  type SQL,
} from "drizzle-orm";
import { mailKey } from "../../domain/model/mail-address.ts";
import { requestedTemplates } from "../../domain/model/mail.ts";
import {
  mailKinds,
  type DueMail,
  type MailId,
  type MailKind,
  type MailState,
  type OutboxReads,
  type OutboxStore,
} from "../../domain/ports/outbox-store.ts";
import { limits } from "../../kernel/limits.ts";
import { bulkMailReads, bulkMailStore, copyTaker } from "./bulk-mail-store.ts";
import type { Db } from "./open.ts";
import { isOfKind, outboxListReads } from "./outbox-lists.ts";
import { outbox } from "./schema.ts";

/** Rows that one batch of a long work changes: some 10 ms. */
const stepRows = 1000;

export function outboxReads(db: Db): OutboxReads {
  const sends = db
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(
      and(
        eq(outbox.recipientKey, sql.placeholder("key")),
        gt(outbox.createdAt, sql.placeholder("since")),
        inArray(outbox.template, [...requestedTemplates]),
      ),
    )
    .prepare();
  const due = {
    personal: nextDue(db, "personal", sql.placeholder("at")).prepare(),
    bulk: nextDue(db, "bulk", sql.placeholder("at")).prepare(),
  };
  /** Walks the index of waiting mails: some milliseconds for as many mails as are counted. */
  const countWaiting = (kind: MailKind, which?: SQL) => {
    const { id } = outbox;
    const mails = db
      .select({ id })
      .from(outbox)
      .where(and(waits(kind), which))
      .limit(limits.countedMax);
    const columns = { mails: count(), firstId: sql<MailId | null>`min(id)` };
    return db
      .select(columns)
      .from(sql`(${mails})`)
      .get();
  };

  return {
    ...bulkMailReads(db),
    ...outboxListReads(db),
    codeSendsSince: async (key, since) => sends.all({ key, since }).map(({ at }) => at),
    queue: async (kind) => {
      const { mails = 0, firstId = null } = countWaiting(kind) ?? {};
      if (firstId === null) return { mails, oldestAt: null };
      const oldest = db.select({ at: outbox.createdAt }).from(outbox).where(eq(outbox.id, firstId)).get();
      return { mails, oldestAt: oldest?.at ?? null };
    },
    hasDue: async (kinds, at) => kinds.some((kind) => due[kind].get({ at }) !== undefined),
    countDue: async (at) =>
      mailKinds.reduce((sum, kind) => sum + (countWaiting(kind, lte(outbox.dueAt, at))?.mails ?? 0), 0),
  };
}

/** `touch` is called when a mail becomes due, so that the commit wakes the sender. */
export function outboxStore(db: Db, touch: () => void): OutboxStore {
  return {
    ...outboxReads(db),
    ...bulkMailStore(db, touch),
    ...outboxSending(db, touch),
    ...outboxCleaning(db),
    insertMail: async ({ to, language, at, mail }) => {
      touch();
      const row = db
        .insert(outbox)
        .values({
          recipient: to,
          recipientKey: mailKey(to),
          language,
          template: mail.template,
          content: mail,
          state: "waiting",
          attempts: 0,
          createdAt: at,
          dueAt: at,
        })
        .returning({ id: outbox.id })
        .get();
      return row.id;
    },
  };
}

function outboxSending(
  db: Db,
  touch: () => void,
): Pick<OutboxStore, "claimDue" | "recordResult" | "makeDue" | "bringForward"> {
  const take: Readonly<Record<MailKind, (at: number, until: number) => DueMail | null>> = {
    personal: (at, until) => {
      const row = db
        .update(outbox)
        .set({ dueAt: until, attempts: sql`${outbox.attempts} + 1`, lastReply: null })
        .where(inArray(outbox.id, nextDue(db, "personal", at)))
        .returning()
        .get();
      return toDueMail(row);
    },
    bulk: copyTaker(db, { nextDue: (at) => nextDue(db, "bulk", at).get()?.id, touch }),
  };
  /** Makes mails due of the first kind that has some. */
  const makeSomeDue = (change: Change, which: (kind: MailKind) => SQL | undefined): number => {
    touch();
    const made = mailKinds.values().map((kind) => changeSome(db, change, and(isOfKind(kind), which(kind))));
    return made.find((rows) => rows > 0) ?? 0;
  };

  return {
    claimDue: async (kinds, at, until) => {
      for (const kind of kinds) {
        const mail = take[kind](at, until);
        if (mail !== null) return mail;
      }
      return null;
    },
    recordResult: async (id, { state, dueAt, reply }) => {
      const content = state === "sent" ? { content: null } : {};
      db.update(outbox)
        .set({ state, dueAt, lastReply: reply, ...content })
        .where(eq(outbox.id, id))
        .run();
    },
    makeDue: async (which, at) => {
      const wanted = which === "failed" ? eq(outbox.state, "failed") : eq(outbox.id, which);
      const change = { state: "waiting", dueAt: at, attempts: 0 } as const;
      return makeSomeDue(change, () => and(wanted, isNotNull(outbox.content)));
    },
    bringForward: async (at, until) =>
      makeSomeDue({ dueAt: at }, (kind) => and(waits(kind), gt(outbox.dueAt, at), not(isTaken(until)))),
  };
}

function outboxCleaning(
  db: Db,
): Pick<OutboxStore, "bringToNow" | "giveUpMails" | "wipeFailedMails" | "deleteOldMails"> {
  return {
    bringToNow: async (now, dueAt) => {
      const ahead = and(isNotNull(outbox.content), gt(outbox.createdAt, now), eq(outbox.state, "waiting"));
      db.update(outbox).set({ createdAt: now, dueAt }).where(ahead).run();
    },
    giveUpMails: async (kind, postedBefore, at) =>
      changeSome(db, { state: "failed", dueAt: at, content: null }, isOld(kind, "waiting", postedBefore)),
    wipeFailedMails: async (kind, postedBefore) =>
      changeSome(db, { content: null }, isOld(kind, "failed", postedBefore)),
    deleteOldMails: async (sentBefore, failedBefore) => {
      db.delete(outbox).where(wasPersonal("sent", sentBefore)).run();
      db.delete(outbox).where(wasPersonal("failed", failedBefore)).run();
    },
  };
}

type Change = Partial<typeof outbox.$inferInsert>;

/** Changes a batch of mails and returns how many. */
function changeSome(db: Db, change: Change, wanted: SQL | undefined): number {
  const { id } = outbox;
  const some = db.select({ id }).from(outbox).where(wanted).limit(stepRows);
  return db.update(outbox).set(change).where(inArray(id, some)).returning({ id }).all().length;
}

/** The mail of the kind that has been due longest. */
function nextDue(db: Db, kind: MailKind, at: number | Placeholder) {
  return db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(waits(kind), lte(outbox.dueAt, at)))
    .orderBy(asc(outbox.dueAt))
    .limit(1);
}

function waits(kind: MailKind): SQL | undefined {
  return and(isOfKind(kind), eq(outbox.state, "waiting"));
}

/** A sender may have it at this moment. */
function isTaken(until: number): SQL {
  return sql`(${gt(outbox.attempts, 0)} AND ${isNull(outbox.lastReply)} AND ${lte(outbox.dueAt, until)})`;
}

/**
 * Few mails to one person wait, so they are found by their state. A million copies may wait, so they are found by their age:
 * the plus sign keeps the planner from an index over the state (SQLite, "Query Planning").
 */
function isOld(kind: MailKind, state: MailState, postedBefore: number): SQL | undefined {
  const ofState = kind === "personal" ? eq(outbox.state, state) : sql`+${outbox.state} = ${state}`;
  return and(isOfKind(kind), ofState, lt(outbox.createdAt, postedBefore), isNotNull(outbox.content));
}

/** Mails to one person that have been in this state since before the time given. */
function wasPersonal(state: MailState, before: number): SQL | undefined {
  return and(isOfKind("personal"), eq(outbox.state, state), lt(outbox.dueAt, before));
}

function toDueMail(row: typeof outbox.$inferSelect | undefined): DueMail | null {
  if (row === undefined || row.content === null) return null;
  const { id, recipient, language, attempts, createdAt, content } = row;
  if (content.template === "bulk" && !("account" in content)) return null;
  return { id, to: recipient, language, attempts, createdAt, mail: content };
}
