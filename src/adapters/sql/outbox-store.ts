import { and, eq, getTableColumns, gt, inArray, sql, type SQL } from "drizzle-orm";
import { mailKey } from "../../domain/model/mail-address.ts";
import { requestedTemplates } from "../../domain/model/mail.ts";
import {
  mailKinds,
  type DueMail,
  type MailKind,
  type OutboxReads,
  type OutboxStore,
} from "../../domain/ports/outbox-store.ts";
import { limits } from "../../kernel/limits.ts";
import { bulkMailReads, bulkMailStore, takeCopy, type MailTouch } from "./bulk-mail-store.ts";
import { changesMails, takenAlone, type MailWrite } from "./copy-counts.ts";
import { unindexed } from "./dialect.ts";
import { outboxListReads } from "./outbox-lists.ts";
import { outbox } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, statement } from "./statement.ts";

/** Rows that one batch of a long work changes: some 20 ms. */
const stepRows = 1000;

const at = sql.placeholder("at");
const until = sql.placeholder("until");

const ofKind: Readonly<Record<MailKind, SQL>> = {
  personal: sql`bulk_mail_id IS NULL`,
  bulk: sql`bulk_mail_id IS NOT NULL`,
};
const perKind = <Made>(make: (ofKind: SQL, kind: MailKind) => Made): Readonly<Record<MailKind, Made>> => ({
  personal: make(ofKind.personal, "personal"),
  bulk: make(ofKind.bulk, "bulk"),
});

const listSends = statement(
  build
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(
      and(
        eq(outbox.recipientKey, sql.placeholder("key")),
        gt(outbox.createdAt, sql.placeholder("since")),
        inArray(outbox.template, [...requestedTemplates]),
      ),
    ),
  { at: outbox.createdAt },
);
const hasDue = perKind((kind) =>
  statement(
    sql`SELECT EXISTS (SELECT 1 FROM outbox WHERE ${kind} AND state = 'waiting' AND due_at <= ${at})`,
    { isDue: Boolean },
  ),
);
/** Walks the index of waiting mails: some milliseconds for as many mails as are counted. */
const countWaiting = perKind((kind) =>
  statement(
    sql`
      SELECT counted.mails, outbox.created_at FROM (
        SELECT count(*) AS mails, min(id) AS first FROM (
          SELECT id FROM outbox WHERE ${kind} AND state = 'waiting' AND due_at <= ${at}
          ORDER BY due_at LIMIT ${sql.raw(String(limits.countedMax))}) AS mails) AS counted
      LEFT JOIN outbox ON outbox.id = counted.first`,
    { mails: Number, oldestAt: Number },
  ),
);

export function outboxReads(db: Sender): OutboxReads {
  const waiting = async (kind: MailKind, at: number) => {
    const counted = first<{ mails: number; oldestAt: number | null }>(await countWaiting[kind](db, { at }));
    return counted ?? { mails: 0, oldestAt: null };
  };
  return {
    ...bulkMailReads(db),
    ...outboxListReads(db),
    codeSendsSince: async (key, since) => (await listSends(db, { key, since })).map(({ at }) => at),
    queue: (kind) => waiting(kind, Number.MAX_SAFE_INTEGER),
    hasDue: async (kinds, at) => {
      const found = await Promise.all(kinds.map((kind) => hasDue[kind](db, { at })));
      return found.some(([row]) => row?.isDue === true);
    },
    countDue: async (at) => {
      const counted = await Promise.all(mailKinds.map((kind) => waiting(kind, at)));
      return counted.reduce((sum, { mails }) => sum + mails, 0);
    },
  };
}

const { id: _, ...newMail } = getTableColumns(outbox);
const insertMail = statement(sql`${insertion(outbox, newMail)} RETURNING id`, {
  id: outbox.id,
});

export function outboxStore(db: Sender, touch: MailTouch): OutboxStore {
  return {
    ...outboxReads(db),
    ...bulkMailStore(db, touch),
    ...outboxSending(db, touch),
    ...outboxCleaning(db),
    insertMail: async ({ to, language, at, mail }) => {
      touch.mailDue();
      const row = await insertMail(db, {
        recipient: to,
        recipientKey: mailKey(to),
        language,
        template: mail.template,
        content: mail,
        state: "waiting",
        attempts: 0,
        createdAt: at,
        dueAt: at,
        lastReply: null,
        bulkMailId: null,
      });
      const [inserted] = row;
      if (inserted === undefined) throw new Error("An inserted mail has no number");
      return inserted.id;
    },
  };
}

const dueColumns = {
  id: outbox.id,
  to: outbox.recipient,
  language: outbox.language,
  attempts: outbox.attempts,
  createdAt: outbox.createdAt,
  content: outbox.content,
};
/**
 * Rows that others have locked are passed over, so that of many who ask at once each takes another mail, or
 * none.
 */
const takePersonal = statement(
  sql`
    UPDATE outbox SET due_at = ${until}, attempts = attempts + 1, last_reply = NULL
    WHERE id = (
      SELECT id FROM outbox WHERE ${ofKind.personal} AND state = 'waiting' AND due_at <= ${at}
      ORDER BY due_at, id LIMIT 1 ${takenAlone})
    RETURNING id, recipient, language, attempts, created_at, content`,
  dueColumns,
);
const one = sql`id = ${sql.placeholder("id")}`;
const result = sql`state = ${sql.placeholder("state")}, due_at = ${sql.placeholder("dueAt")}, last_reply = ${sql.placeholder("reply")}`;
const recordSent = changesMails(one, sql`${result}, content = NULL`);
const recordOther = changesMails(one, result);

/** Some of the mails of a kind that a condition holds for. */
const someOf = (kind: SQL, wanted: SQL): SQL => sql`${kind} AND ${wanted} LIMIT ${sql.raw(String(stepRows))}`;
const dueAnew = sql`state = 'waiting', due_at = ${at}, attempts = 0`;
const makeOneDue = changesMails(sql`${one} AND content IS NOT NULL`, dueAnew);
const makeFailedDue = perKind((kind) =>
  changesMails(someOf(kind, sql`state = 'failed' AND content IS NOT NULL`), dueAnew),
);
const isTaken = sql`attempts > 0 AND last_reply IS NULL AND due_at <= ${until}`;
const bringForward = perKind((kind) =>
  changesMails(
    someOf(kind, sql`state = 'waiting' AND due_at > ${at} AND NOT (${isTaken})`),
    sql`due_at = ${at}`,
  ),
);

function outboxSending(
  db: Sender,
  touch: MailTouch,
): Pick<OutboxStore, "claimDue" | "recordResult" | "makeDue" | "bringForward"> {
  const take: Readonly<Record<MailKind, (at: number, until: number) => Promise<DueMail | null>>> = {
    personal: async (at, until) => toDueMail(first(await takePersonal(db, { at, until }))),
    bulk: (at, until) => takeCopy(db, { at, until }, touch.mailDue),
  };
  /** Changes mails of the first kind that has some. */
  const changeSome = async (
    change: Readonly<Record<MailKind, MailWrite>>,
    values: Readonly<Record<string, unknown>>,
  ): Promise<number> => {
    touch.mailDue();
    for (const kind of mailKinds) {
      const mails = await change[kind](db, values);
      if (mails > 0) return mails;
    }
    return 0;
  };

  return {
    claimDue: async (kinds, at, until) => {
      for (const kind of kinds) {
        const mail = await take[kind](at, until);
        if (mail !== null) return mail;
      }
      return null;
    },
    recordResult: async (id, { state, dueAt, reply }) => {
      await (state === "sent" ? recordSent : recordOther)(db, { id, state, dueAt, reply });
    },
    makeDue: async (which, at) => {
      if (which === "failed") return changeSome(makeFailedDue, { at });
      touch.mailDue();
      return makeOneDue(db, { id: which, at });
    },
    bringForward: (at, until) => changeSome(bringForward, { at, until }),
  };
}

const before = sql.placeholder("before");
/**
 * Few mails to one person wait, so they are found by their state. A million copies may wait, so SQLite finds
 * them by their age: an index has those that have content.
 */
const isOld = (state: "waiting" | "failed", kind: MailKind): SQL => sql`
  ${kind === "personal" ? outbox.state : unindexed(outbox.state)} = ${sql.raw(`'${state}'`)} AND created_at < ${before} AND content IS NOT NULL`;
const bringToNow = command(sql`
  UPDATE outbox SET created_at = ${sql.placeholder("now")}, due_at = ${sql.placeholder("dueAt")}
  WHERE content IS NOT NULL AND created_at > ${sql.placeholder("now")} AND state = 'waiting'`);
const giveUp = perKind((ofKind, kind) =>
  changesMails(someOf(ofKind, isOld("waiting", kind)), sql`state = 'failed', due_at = ${at}, content = NULL`),
);
const wipe = perKind((ofKind, kind) =>
  changesMails(someOf(ofKind, isOld("failed", kind)), sql`content = NULL`),
);
const deleteOld = command(sql`
  DELETE FROM outbox WHERE ${ofKind.personal} AND state = ${sql.placeholder("state")} AND due_at < ${before}`);

function outboxCleaning(
  db: Sender,
): Pick<OutboxStore, "bringToNow" | "giveUpMails" | "wipeFailedMails" | "deleteOldMails"> {
  return {
    bringToNow: (now, dueAt) => bringToNow(db, { now, dueAt }),
    giveUpMails: (kind, before, at) => giveUp[kind](db, { before, at }),
    wipeFailedMails: (kind, before) => wipe[kind](db, { before }),
    deleteOldMails: async (sentBefore, failedBefore) => {
      await deleteOld(db, { state: "sent", before: sentBefore });
      await deleteOld(db, { state: "failed", before: failedBefore });
    },
  };
}

function toDueMail(
  row: (Omit<DueMail, "mail"> & { readonly content: typeof outbox.$inferSelect.content }) | null,
): DueMail | null {
  if (row === null || row.content === null) return null;
  const { content, ...mail } = row;
  if (content.template === "bulk" && !("account" in content)) return null;
  return { ...mail, mail: content };
}
