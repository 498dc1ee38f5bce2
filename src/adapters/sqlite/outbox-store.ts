import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  type Placeholder,
  type SQL,
} from "drizzle-orm";
import { mailKey } from "../../domain/model/mail-address.ts";
import { requestedTemplates } from "../../domain/model/mail.ts";
import {
  mailKinds,
  type BulkMailId,
  type DueMail,
  type MailKind,
  type MailQueue,
  type MailState,
  type OutboxReads,
  type OutboxStore,
} from "../../domain/ports/outbox-store.ts";
import { limits } from "../../kernel/limits.ts";
import { bulkMailReads, bulkMailStore, copyTaker } from "./bulk-mail-store.ts";
import type { Db } from "./open.ts";
import { outbox } from "./schema/record.ts";

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
  const queue = readQueue(db);
  const countedDue = dueCounters(db);

  return {
    ...bulkMailReads(db),
    codeSendsSince: async (key, since) => sends.all({ key, since }).map(({ at }) => at),
    queue: async (kind) => queue(kind),
    hasDue: async (kinds, at) => kinds.some((kind) => due[kind].get({ at }) !== undefined),
    countDue: async (at) =>
      mailKinds.reduce((mails, kind) => mails + (countedDue[kind].get(at, limits.countedMax)?.mails ?? 0), 0),
    findMail: async (id) => {
      return db.select(entryColumns).from(outbox).where(eq(outbox.id, id)).get() ?? null;
    },
    listMails: async ({ state, copies, afterId, rows }) => {
      const ofState = state === null ? undefined : eq(outbox.state, state);
      return db
        .select(entryColumns)
        .from(outbox)
        .where(and(sql`${outbox.id} > ${afterId}`, ofState, withCopies(copies)))
        .orderBy(asc(outbox.id))
        .limit(rows)
        .all();
    },
  };
}

/** `touch` is called when a mail becomes due, so that the commit wakes the sender. */
export function outboxStore(db: Db, touch: () => void): OutboxStore {
  return {
    ...outboxReads(db),
    ...bulkMailStore(db, touch),
    ...outboxSending(db, touch),
    ...outboxHurrying(db, touch),
    ...outboxCleaning(db),
    insertMail: async ({ to, language, at, mail }) => {
      touch();
      db.insert(outbox)
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
        .run();
    },
  };
}

/** These walk the index of due mails. */
function dueCounters(db: Db) {
  const waiting = (bulkMailId: "IS NULL" | "IS NOT NULL") =>
    db.$client.query<{ mails: number }, [number, number]>(
      `SELECT count(*) AS mails FROM
         (SELECT 1 FROM outbox WHERE state = 'waiting' AND bulk_mail_id ${bulkMailId} AND due_at <= ? LIMIT ?)`,
    );
  return { personal: waiting("IS NULL"), bulk: waiting("IS NOT NULL") };
}

function outboxSending(
  db: Db,
  touch: () => void,
): Pick<OutboxStore, "claimDue" | "recordResult" | "makeDue"> {
  const take: Readonly<Record<MailKind, (at: number, until: number) => DueMail | null>> = {
    personal: (at, until) => {
      const row = db
        .update(outbox)
        .set({ dueAt: until, attempts: sql`${outbox.attempts} + 1` })
        .where(inArray(outbox.id, nextDue(db, "personal", at)))
        .returning()
        .get();
      return toDueMail(row);
    },
    bulk: copyTaker(db, { nextDue: (at) => nextDue(db, "bulk", at).get()?.id, touch }),
  };
  const makeSomeDue = (wanted: SQL | undefined, at: number): number => {
    const made = db
      .update(outbox)
      .set({ state: "waiting", dueAt: at, attempts: 0 })
      .where(and(wanted, isNotNull(outbox.content)))
      .returning({ id: outbox.id })
      .all();
    return made.length;
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
      touch();
      if (which !== "failed") return makeSomeDue(eq(outbox.id, which), at);
      for (const kind of mailKinds) {
        const failed = and(isOfKind(kind), eq(outbox.state, "failed"), isNotNull(outbox.content));
        const made = makeSomeDue(inArray(outbox.id, someIds(db, failed)), at);
        if (made > 0) return made;
      }
      return 0;
    },
  };
}

function outboxHurrying(db: Db, touch: () => void): Pick<OutboxStore, "bringForward"> {
  return {
    bringForward: async (after, at) => {
      touch();
      for (const kind of mailKinds) {
        const later = and(isOfKind(kind), eq(outbox.state, "waiting"), gt(outbox.dueAt, after));
        const ids = { id: outbox.id };
        const wanted = inArray(outbox.id, someIds(db, later));
        const made = db.update(outbox).set({ dueAt: at }).where(wanted).returning(ids).all().length;
        if (made > 0) return made;
      }
      return 0;
    },
  };
}

/** Walks the index of due mails: some milliseconds for as many mails as are counted. */
function readQueue(db: Db): (kind: MailKind) => MailQueue {
  const waiting = (bulkMailId: "IS NULL" | "IS NOT NULL") =>
    db.$client.query<{ mails: number; firstId: number | null }, [number]>(
      `SELECT count(*) AS mails, min(id) AS firstId FROM
         (SELECT id FROM outbox WHERE state = 'waiting' AND bulk_mail_id ${bulkMailId} LIMIT ?)`,
    );
  const queries = { personal: waiting("IS NULL"), bulk: waiting("IS NOT NULL") };
  const postedAt = db.$client.query<{ at: number }, [number]>(
    "SELECT created_at AS at FROM outbox WHERE id = ?",
  );
  return (kind) => {
    const { mails = 0, firstId = null } = queries[kind].get(limits.countedMax) ?? {};
    return { mails, oldestAt: firstId === null ? null : (postedAt.get(firstId)?.at ?? null) };
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
    giveUpMails: async (kind, postedBefore, at) => {
      const old = someIds(db, isOld(kind, "waiting", postedBefore));
      const change = { state: "failed", dueAt: at, content: null } as const;
      const ids = { id: outbox.id };
      return db.update(outbox).set(change).where(inArray(outbox.id, old)).returning(ids).all().length;
    },
    wipeFailedMails: async (kind, postedBefore) => {
      const old = someIds(db, isOld(kind, "failed", postedBefore));
      const ids = { id: outbox.id };
      return db.update(outbox).set({ content: null }).where(inArray(outbox.id, old)).returning(ids).all()
        .length;
    },
    deleteOldMails: async (sentBefore, failedBefore) => {
      db.delete(outbox).where(wasPersonal("sent", sentBefore)).run();
      db.delete(outbox).where(wasPersonal("failed", failedBefore)).run();
    },
  };
}

/** The mail of the kind that has been due longest. */
function nextDue(db: Db, kind: MailKind, at: number | Placeholder) {
  return db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isOfKind(kind), eq(outbox.state, "waiting"), lte(outbox.dueAt, at)))
    .orderBy(asc(outbox.dueAt))
    .limit(1);
}

function isOfKind(kind: MailKind): SQL {
  return kind === "personal" ? isNull(outbox.bulkMailId) : isNotNull(outbox.bulkMailId);
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

function someIds(db: Db, wanted: SQL | undefined) {
  return db.select({ id: outbox.id }).from(outbox).where(wanted).limit(stepRows);
}

function withCopies(copies: "all" | "failed" | BulkMailId): SQL | undefined {
  if (copies === "all") return undefined;
  if (copies === "failed") return or(isOfKind("personal"), eq(outbox.state, "failed"));
  return eq(outbox.bulkMailId, copies);
}

const entryColumns = {
  id: outbox.id,
  to: outbox.recipient,
  language: outbox.language,
  template: outbox.template,
  state: outbox.state,
  attempts: outbox.attempts,
  createdAt: outbox.createdAt,
  dueAt: outbox.dueAt,
  lastReply: outbox.lastReply,
  hasContent: sql`${outbox.content} IS NOT NULL`.mapWith(Boolean),
  bulk: outbox.bulkMailId,
};

function toDueMail(row: typeof outbox.$inferSelect | undefined): DueMail | null {
  if (row === undefined || row.content === null || row.content.template === "bulk") return null;
  const { id, recipient, language, attempts, createdAt, content } = row;
  return { id, to: recipient, language, attempts, createdAt, mail: content };
}
