import { asc, desc, lt, sql } from "drizzle-orm";
import type { DueMail, OutboxReads, OutboxStore } from "../../domain/ports/outbox-store.ts";
import { copiedAtOnce, countReaders, insertCopies, lastAccount, leaveCopies } from "./move/bulk-copies.ts";
import { countsRemoved, removesMails } from "./move/copy-counts.ts";
import { accounts, players } from "../sql/schema/member.ts";
import { bulkMails, outbox } from "../sql/schema/record.ts";
import type { Sender } from "../sql/sender.ts";
import { build, command, first, statement, valuesOf } from "../sql/statement.ts";
import type { Touch } from "./touch.ts";

/** Copies that one call looks at, to drop those that are not wanted any more. */
const droppedMax = 1000;
/** As many at once, after one that was dropped: accounts that were deleted or unsubscribed often come together. */
const droppedAtOnce = 100;
/** Rows that one call removes. With a million in the outbox each of them changes pages of five indexes on the disk. */
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
    SELECT EXISTS (SELECT 1 FROM bulk_mails WHERE created_at > ${sql.placeholder("after")}::bigint
      AND subject = ${sql.placeholder("subject")}::text AND message = ${sql.placeholder("message")}::text)`,
  { known: Boolean },
);

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
    countBulkReaders: async () => countReaders(db, { after: 0, last: await lastAccount(db) }),
    hasBulkMail: async ({ subject, message }, after) =>
      first(await isKnown(db, { subject, message, after }))?.known === true,
  };
}

const { subject, message, issuer, createdAt } = bulkMails;
const insertWords = statement(
  build
    .insert(bulkMails)
    .values(valuesOf({ subject, message, issuer, createdAt }))
    .returning({ id: bulkMails.id }),
  { id: bulkMails.id },
);
const dropWaiting = command(
  removesMails(sql`
    SELECT id, state FROM outbox
    WHERE recipient_key = ${sql.placeholder("key")}::text AND bulk_mail_id IS NOT NULL AND state = 'waiting'`),
);
const old = sql`created_at < ${sql.placeholder("postedBefore")}::bigint`;
const deleteCopies = statement(
  removesMails(sql`
    SELECT id, state FROM outbox WHERE bulk_mail_id IN (SELECT id FROM bulk_mails WHERE ${old})
    LIMIT ${sql.raw(String(removedRows))}`),
  { rows: Number },
);
const deleteWords = statement(
  sql`WITH gone AS (DELETE FROM bulk_mails WHERE ${old} RETURNING 1) SELECT count(*) FROM gone`,
  { rows: Number },
);

export function bulkMailStore(
  db: Sender,
  touch: Touch,
): Pick<OutboxStore, "insertBulkMail" | "dropWaitingCopies" | "deleteOldBulkMails"> {
  return {
    insertBulkMail: async ({ subject, message, issuer, at }) => {
      touch.mailDue();
      const [words] = await insertWords(db, { subject, message, issuer, createdAt: at });
      if (words === undefined) throw new Error("An inserted mail has no number");
      const last = await lastAccount(db);
      const copies = await insertCopies(db, { bulk: words.id, at, last: Math.min(last, copiedAtOnce) });
      if (last <= copiedAtOnce) return { id: words.id, copies };
      const left = await leaveCopies(db, { bulk: words.id, at, after: copiedAtOnce, last });
      return { id: words.id, copies: copies + left };
    },
    dropWaitingCopies: (key) => dropWaiting(db, { key }),
    deleteOldBulkMails: async (postedBefore) => {
      const gone = first(await deleteCopies(db, { postedBefore }))?.rows ?? 0;
      return gone > 0 ? gone : (first(await deleteWords(db, { postedBefore }))?.rows ?? 0);
    },
  };
}

const takenColumns = {
  dropped: Number,
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
const isBefore = sql`NOT EXISTS (SELECT 1 FROM wanted) OR (due.due_at, due.id) < (SELECT due_at, id FROM wanted)`;
/**
 * Looks at the copies that have been due longest, but for those that another one has locked: takes the first whose account still
 * wants it, and drops those before it.
 */
const takeOne = statement(
  sql`
    WITH due AS (
      SELECT id, due_at, recipient_key, bulk_mail_id, state FROM outbox
      WHERE bulk_mail_id IS NOT NULL AND state = 'waiting' AND due_at <= ${sql.placeholder("at")}::bigint
      ORDER BY due_at, id LIMIT ${sql.placeholder("most")}::bigint FOR UPDATE SKIP LOCKED),
    wanted AS (
      SELECT due.id, due.due_at, bulk_mails.subject, bulk_mails.message, accounts.uuid, players.name
      FROM due JOIN bulk_mails ON bulk_mails.id = due.bulk_mail_id
      JOIN accounts ON accounts.mail_key = due.recipient_key AND mail_verified AND wants_bulk_mail
      LEFT JOIN players ON players.id = accounts.main_player_id
      ORDER BY due.due_at, due.id LIMIT 1),
    removed AS (
      DELETE FROM outbox USING due WHERE outbox.id = due.id AND (${isBefore})
      RETURNING outbox.bulk_mail_id AS bulk, due.state AS before),
    counted AS (${countsRemoved(sql`removed`)}),
    taken AS (
      UPDATE outbox SET due_at = ${sql.placeholder("until")}::bigint, attempts = outbox.attempts + 1, last_reply = NULL
      FROM wanted WHERE outbox.id = wanted.id
      RETURNING outbox.id, outbox.recipient, outbox.language, outbox.attempts, outbox.created_at,
        wanted.subject, wanted.message, wanted.uuid, wanted.name)
    SELECT (SELECT count(*) FROM removed), taken.* FROM (SELECT 1) AS one LEFT JOIN taken ON true`,
  takenColumns,
);

/** `id` is null where no copy was taken, and `username` where the account has no player, which the types leave out. */
type Taken = {
  readonly dropped: number;
  readonly id: DueMail["id"] | null;
  readonly username: string | null;
} & Omit<DueMail, "id" | "mail"> & { readonly subject: string; readonly message: string } & {
    readonly account: (typeof accounts.$inferSelect)["uuid"];
  };

/**
 * Takes the copy that is due and drops those whose accounts no longer want it. After `droppedMax` dropped copies it returns null,
 * and `mailDue` makes the sender look again.
 */
export async function takeCopy(
  db: Sender,
  { at, until }: { readonly at: number; readonly until: number },
  mailDue: () => void,
): Promise<DueMail | null> {
  for (let dropped = 0, most = 1; dropped < droppedMax; most = droppedAtOnce) {
    const row = first<Taken>(await takeOne(db, { at, until, most }));
    if (row === null) return null;
    const { dropped: rows, id, subject, message, account, username, ...copy } = row;
    if (id !== null)
      return { ...copy, id, mail: { template: "bulk", subject, message, username: username ?? "", account } };
    if (rows === 0) return null;
    dropped += rows;
  }
  mailDue();
  return null;
}
