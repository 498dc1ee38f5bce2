import { asc, desc, lt, sql } from "drizzle-orm";
import type { DueMail, OutboxReads, OutboxStore } from "../../domain/ports/outbox-store.ts";
import { countReaders, insertCopies, lastAccount, leaveCopies, stepRows } from "./bulk-copies.ts";
import { removesMails, takenAlone } from "./copy-counts.ts";
import { isIn, unindexed } from "./dialect.ts";
import { accounts, players } from "./schema/member.ts";
import { bulkMails, outbox } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, statement } from "./statement.ts";
import { isNotSuspended } from "./suspension-store.ts";

/**
 * Account numbers whose copies are written by the transaction of the mail on PostgreSQL. It has read these
 * accounts: one that took half a minute would conflict with every registration meanwhile and never end. The
 * leader writes the copies for all others.
 */
const copiedAtOnce = 10 * stepRows;
/** Copies that one call looks at, to drop those that are not wanted any more. */
const droppedMax = 1000;
/**
 * As many at once, after one that was dropped: accounts that were deleted or unsubscribed often come
 * together.
 */
const droppedAtOnce = 100;
/**
 * Rows that one call removes. With a million in the outbox each of them changes pages of five indexes on the
 * disk.
 */
const removedRows = 250;

const progressColumns = {
  id: bulkMails.id,
  subject: bulkMails.subject,
  issuer: bulkMails.issuer,
  createdAt: bulkMails.createdAt,
  total: bulkMails.total,
  waiting: bulkMails.waiting,
  sent: bulkMails.sent,
  failed: bulkMails.failed,
};
const progress = () => build.select(progressColumns).from(bulkMails).$dynamic();
const listAll = statement(progress().orderBy(asc(bulkMails.id)), progressColumns);
const listBefore = statement(
  progress()
    .where(lt(bulkMails.id, sql.placeholder("before")))
    .orderBy(desc(bulkMails.id))
    .limit(sql.placeholder("rows")),
  progressColumns,
);
const countAll = statement(sql`SELECT count(*) FROM bulk_mails`, { mails: Number });
const isKnown = statement(
  sql`
    SELECT EXISTS (SELECT 1 FROM bulk_mails WHERE created_at > ${sql.placeholder("after")}
      AND subject = ${sql.placeholder("subject")} AND message = ${sql.placeholder("message")})`,
  { known: Boolean },
);

/** What hears of mails that become due. */
export type MailTouch = { readonly mailDue: () => void };

export function bulkMailReads(
  db: Sender,
): Pick<
  OutboxReads,
  "bulkProgress" | "listBulkMails" | "countBulkMails" | "countBulkReaders" | "hasBulkMail"
> {
  return {
    bulkProgress: () => listAll(db),
    listBulkMails: ({ before, rows }) => listBefore(db, { before: before ?? Number.MAX_SAFE_INTEGER, rows }),
    countBulkMails: async () => first(await countAll(db))?.mails ?? 0,
    countBulkReaders: async (now) => countReaders(db, { after: 0, last: await lastAccount(db), at: now }),
    hasBulkMail: async ({ subject, message }, after) =>
      first(await isKnown(db, { subject, message, after }))?.known === true,
  };
}

const { subject, message, issuer, createdAt } = bulkMails;
const insertWords = statement(
  sql`${insertion(bulkMails, { subject, message, issuer, createdAt })} RETURNING id`,
  { id: bulkMails.id },
);
const dropWaiting = removesMails(
  sql`recipient_key = ${sql.placeholder("key")} AND bulk_mail_id IS NOT NULL AND ${unindexed(outbox.state)} = 'waiting'`,
);
const old = sql`created_at < ${sql.placeholder("postedBefore")}`;
const deleteCopies = removesMails(
  sql`bulk_mail_id IN (SELECT id FROM bulk_mails WHERE ${old}) LIMIT ${sql.raw(String(removedRows))}`,
);
const deleteWords = statement(sql`DELETE FROM bulk_mails WHERE ${old} RETURNING id`, { id: bulkMails.id });

export function bulkMailStore(
  db: Sender,
  touch: MailTouch,
): Pick<OutboxStore, "insertBulkMail" | "dropWaitingCopies" | "deleteOldBulkMails"> {
  return {
    insertBulkMail: async ({ subject, message, issuer, at }) => {
      touch.mailDue();
      const [words] = await insertWords(db, { subject, message, issuer, createdAt: at });
      if (words === undefined) throw new Error("An inserted mail has no number");
      const last = await lastAccount(db);
      const most = db.dialect === "sqlite" ? last : copiedAtOnce;
      const copies = await insertCopies(db, { bulk: words.id, at, last: Math.min(last, most) });
      if (last <= most) return { id: words.id, copies };
      const left = await leaveCopies(db, { bulk: words.id, at, after: most, last });
      return { id: words.id, copies: copies + left };
    },
    dropWaitingCopies: async (key) => void (await dropWaiting(db, { key })),
    deleteOldBulkMails: async (postedBefore) => {
      const gone = await deleteCopies(db, { postedBefore });
      return gone > 0 ? gone : (await deleteWords(db, { postedBefore })).length;
    },
  };
}

/**
 * Copies that have been due longest, but for those that another transaction has locked, with the account that
 * still wants each.
 */
const dueColumns = {
  id: outbox.id,
  to: outbox.recipient,
  language: outbox.language,
  attempts: outbox.attempts,
  createdAt: outbox.createdAt,
  subject,
  message,
  account: accounts.uuid,
  username: players.name,
};
const listDue = statement(
  sql`
    SELECT due.id, due.recipient, due.language, due.attempts, due.created_at,
      bulk_mails.subject, bulk_mails.message, accounts.uuid, players.name
    FROM (
      SELECT id, recipient, recipient_key, language, attempts, created_at, due_at, bulk_mail_id FROM outbox
      WHERE bulk_mail_id IS NOT NULL AND state = 'waiting' AND due_at <= ${sql.placeholder("at")}
      ORDER BY due_at, id LIMIT ${sql.placeholder("most")} ${takenAlone}) AS due
    JOIN bulk_mails ON bulk_mails.id = due.bulk_mail_id
    LEFT JOIN accounts ON accounts.mail_key = due.recipient_key AND mail_verified AND wants_bulk_mail
      AND ${isNotSuspended(sql`CAST(${sql.placeholder("at")} AS bigint)`)}
    LEFT JOIN players ON players.id = accounts.main_player_id
    ORDER BY due.due_at, due.id`,
  dueColumns,
);
const drop = removesMails(isIn(outbox.id, sql.placeholder("ids"), "bigint"));
const take = command(sql`
  UPDATE outbox SET due_at = ${sql.placeholder("until")}, attempts = attempts + 1, last_reply = NULL
  WHERE id = ${sql.placeholder("id")}`);

/**
 * A copy whose account does not want it any more has no `account`, and one without a player no `username`: an
 * outer join says so.
 */
type DueCopy = Omit<DueMail, "mail"> & {
  readonly subject: string;
  readonly message: string;
  readonly account: (typeof accounts.$inferSelect)["uuid"] | null;
  readonly username: string | null;
};

/**
 * Takes the copy that is due and drops those before it whose accounts no longer want it. After `droppedMax`
 * dropped copies it returns null, and `mailDue` makes the sender look again.
 */
export async function takeCopy(
  db: Sender,
  { at, until }: { readonly at: number; readonly until: number },
  mailDue: () => void,
): Promise<DueMail | null> {
  for (let dropped = 0, most = 1; dropped < droppedMax; most = droppedAtOnce) {
    const due: readonly DueCopy[] = await listDue(db, { at, most });
    const place = due.findIndex(({ account }) => account !== null);
    const unwanted = place === -1 ? due : due.slice(0, place);
    if (unwanted.length > 0) await drop(db, { ids: unwanted.map(({ id }) => id) });
    const found = due[place];
    if (found !== undefined && found.account !== null) {
      await take(db, { id: found.id, until });
      const { subject, message, account, username, ...copy } = found;
      const mail = { template: "bulk", subject, message, username: username ?? "", account } as const;
      return { ...copy, attempts: copy.attempts + 1, mail };
    }
    if (unwanted.length === 0) return null;
    dropped += unwanted.length;
  }
  mailDue();
  return null;
}
