import { and, asc, eq, gt, inArray, isNotNull, lt, lte, sql, type Placeholder } from "drizzle-orm";
import { mailKey } from "../../domain/accounts/mail-address.ts";
import { requestedTemplates } from "../../domain/mail/mail.ts";
import type {
  DueMail,
  MailId,
  MailKind,
  MailQueue,
  OutboxEntry,
  OutboxReads,
  OutboxStore,
} from "../../domain/mail/outbox.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { outbox } from "./schema/outbox.ts";

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
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDueAt(sql.placeholder("at")))
    .limit(1)
    .prepare();
  const queue = readQueue(db);

  return {
    codeSendsSince: async (key, since) => sends.all({ key, since }).map(({ at }) => at),
    queue: async (kind) => queue(kind),
    hasDue: async (at) => due.get({ at }) !== undefined,
    findMail: async (id) => {
      const row = db.select(entryColumns).from(outbox).where(eq(outbox.id, id)).get();
      return row === undefined ? null : toEntry(row);
    },
    listMails: async ({ state, afterId, rows }) => {
      const wanted = and(gt(outbox.id, afterId), state === null ? undefined : eq(outbox.state, state));
      return db
        .select(entryColumns)
        .from(outbox)
        .where(wanted)
        .orderBy(asc(outbox.id))
        .limit(rows)
        .all()
        .map(toEntry);
    },
  };
}

/** `touch` is called when a mail becomes due, so that whoever sends is woken by the commit. */
export function outboxStore(db: Db, touch: () => void): OutboxStore {
  return {
    ...outboxReads(db),
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
    claimDue: async (at, until) => {
      const next = db
        .select({ id: outbox.id })
        .from(outbox)
        .where(isDueAt(at))
        .orderBy(asc(outbox.dueAt))
        .limit(1);
      const row = db
        .update(outbox)
        .set({ dueAt: until, attempts: sql`${outbox.attempts} + 1` })
        .where(inArray(outbox.id, next))
        .returning()
        .get();
      return toDueMail(row);
    },
    settle: async (id, { state, dueAt, reply }) => {
      const content = state === "sent" ? { content: null } : {};
      db.update(outbox)
        .set({ state, dueAt, lastReply: reply, ...content })
        .where(eq(outbox.id, id))
        .run();
    },
    makeDue: async (which, at) => {
      touch();
      const wanted = which === "failed" ? eq(outbox.state, "failed") : eq(outbox.id, which);
      const made = db
        .update(outbox)
        .set({ state: "waiting", dueAt: at, attempts: 0 })
        .where(and(wanted, isNotNull(outbox.content)))
        .returning({ id: outbox.id })
        .all();
      return made.length;
    },
    ...outboxCleaning(db),
  };
}

/** Walks the index of what is due, so that it takes some milliseconds with as many mails as are counted. */
function readQueue(db: Db): (kind: MailKind) => MailQueue {
  const waiting = (kind: "IS NULL" | "IS NOT NULL") =>
    db.$client.query<{ mails: number; firstId: number | null }, [number]>(
      `SELECT count(*) AS mails, min(id) AS firstId FROM
         (SELECT id FROM outbox WHERE state = 'waiting' AND bulk_mail_id ${kind} LIMIT ?)`,
    );
  const queries = { single: waiting("IS NULL"), bulk: waiting("IS NOT NULL") };
  const postedAt = db.$client.query<{ at: number }, [number]>(
    "SELECT created_at AS at FROM outbox WHERE id = ?",
  );
  return (kind) => {
    const { mails = 0, firstId = null } = queries[kind].get(limits.countedMax) ?? {};
    return { mails, oldestAt: firstId === null ? null : (postedAt.get(firstId)?.at ?? null) };
  };
}

function outboxCleaning(db: Db): Pick<OutboxStore, "expireMails" | "deleteOldMails"> {
  return {
    expireMails: async (postedBefore, at) => {
      const old = and(isNotNull(outbox.content), lt(outbox.createdAt, postedBefore));
      const givenUp = db
        .update(outbox)
        .set({ state: "failed", dueAt: at })
        .where(and(old, eq(outbox.state, "waiting")))
        .returning({ id: outbox.id })
        .all();
      db.update(outbox).set({ content: null }).where(old).run();
      return givenUp.length;
    },
    deleteOldMails: async (sentBefore, failedBefore) => {
      db.delete(outbox)
        .where(and(eq(outbox.state, "sent"), lt(outbox.dueAt, sentBefore)))
        .run();
      db.delete(outbox)
        .where(and(eq(outbox.state, "failed"), lt(outbox.dueAt, failedBefore)))
        .run();
    },
  };
}

function isDueAt(at: number | Placeholder) {
  return and(eq(outbox.state, "waiting"), lte(outbox.dueAt, at));
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
  hasContent: sql<number>`${outbox.content} IS NOT NULL`,
};

type EntryRow = Omit<OutboxEntry, "id" | "hasContent"> & { readonly id: number; readonly hasContent: number };

function toEntry(row: EntryRow): OutboxEntry {
  return { ...row, id: row.id as MailId, hasContent: row.hasContent === 1 }; // the boundary where a row's number becomes an id
}

function toDueMail(row: typeof outbox.$inferSelect | undefined): DueMail | null {
  if (row === undefined || row.content === null) return null;
  const { id, recipient, language, attempts, createdAt, content } = row;
  return { id: id as MailId, to: recipient, language, attempts, createdAt, mail: content }; // as in `toEntry`
}
