import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { sql, type SQL } from "drizzle-orm";
import type { Language } from "../../../domain/model/mail.ts";
import type { BulkMailId } from "../../../domain/ports/outbox-store.ts";
import { accounts } from "../../sql/schema/member.ts";
import type { Sender } from "../../sql/sender.ts";
import { command, first, statement } from "../../sql/statement.ts";

/** Account numbers whose copies one statement writes: some 20 ms. */
const stepRows = 1000;
/** Account numbers whose readers one statement counts: some 20 ms. */
const countedRows = 20_000;
/**
 * Account numbers whose copies are written by the transaction of the mail. It has read these accounts: one that took half a minute
 * would conflict with every registration meanwhile and never end. The leader writes the copies for all others.
 */
export const copiedAtOnce = 10 * stepRows;

const last = statement(sql`SELECT coalesce(max(id), 0) FROM accounts`, { id: Number });

export async function lastAccount(db: Sender): Promise<number> {
  return first(await last(db))?.id ?? 0;
}

/** The readers of mails to everybody among the account numbers after the first and up to the second. */
const wantsBulkMail = (after: SQL, upTo: SQL): SQL =>
  sql`accounts.id > ${after} AND accounts.id <= ${upTo} AND mail_verified AND wants_bulk_mail AND mail_key IS NOT NULL`;

const countLanguages = statement(
  sql`
    SELECT language, count(*) FROM accounts
    WHERE ${wantsBulkMail(sql`${sql.placeholder("after")}::bigint`, sql`${sql.placeholder("upTo")}::bigint`)} GROUP BY language`,
  { language: accounts.language, people: Number },
);

/** Counts them in batches, between which other work gets the event loop. */
export async function countReaders(
  db: Sender,
  { after, last }: { readonly after: number; readonly last: number },
): Promise<ReadonlyMap<Language, number>> {
  const readers = new Map<Language, number>();
  for (let from = after; from < last; from += countedRows) {
    const counted = await countLanguages(db, { after: from, upTo: Math.min(from + countedRows, last) });
    for (const { language, people } of counted) readers.set(language, (readers.get(language) ?? 0) + people);
    await yieldToEventLoop();
  }
  return readers;
}

/** Writes the copies of a mail for some accounts, counts them and returns how many. `mail` has `id` and `at`. */
const copies = (mail: SQL, wanted: SQL): SQL => sql`
  copied AS (
    INSERT INTO outbox (recipient, recipient_key, language, template, content, state, attempts, created_at, due_at, bulk_mail_id)
    SELECT mail, mail_key, language, 'bulk', '{"template":"bulk"}', 'waiting', 0, posted.at, posted.at, posted.id
    FROM ${mail} AS posted JOIN accounts ON ${wanted} ORDER BY accounts.id RETURNING bulk_mail_id),
  counted AS (
    UPDATE bulk_mails SET total = total + (SELECT count(*) FROM copied), waiting = waiting + (SELECT count(*) FROM copied)
    WHERE id IN (SELECT bulk_mail_id FROM copied))`;

const insert = statement(
  sql`
    WITH ${copies(
      sql`(SELECT ${sql.placeholder("bulk")}::bigint AS id, ${sql.placeholder("at")}::bigint AS at)`,
      wantsBulkMail(sql`${sql.placeholder("after")}::bigint`, sql`${sql.placeholder("upTo")}::bigint`),
    )}
    SELECT count(*) FROM copied`,
  { copies: Number },
);

type Posted = { readonly bulk: BulkMailId; readonly at: number; readonly last: number };

/** Writes the copies for the accounts up to this number and returns how many, in batches as `countReaders`. */
export async function insertCopies(db: Sender, { last, ...posted }: Posted): Promise<number> {
  let copies = 0;
  for (let after = 0; after < last; after += stepRows) {
    const inserted = await insert(db, { ...posted, after, upTo: Math.min(after + stepRows, last) });
    copies += first(inserted)?.copies ?? 0;
    await yieldToEventLoop();
  }
  return copies;
}

const leave = command(sql`
  INSERT INTO bulk_copying (bulk_mail_id, at, after, last)
  VALUES (${sql.placeholder("bulk")}, ${sql.placeholder("at")}, ${sql.placeholder("after")}, ${sql.placeholder("last")})`);

/** Leaves the copies for the accounts between these numbers to `copyBulkMails`. Returns how many they are now. */
export async function leaveCopies(db: Sender, left: Posted & { readonly after: number }): Promise<number> {
  await leave(db, left);
  const readers = await countReaders(db, left);
  return readers.values().reduce((all, people) => all + people, 0);
}

const step = sql.raw(String(stepRows));
const copyNext = statement(
  sql`
    WITH step AS (
      UPDATE bulk_copying SET after = after + ${step}
      WHERE bulk_mail_id = (SELECT min(bulk_mail_id) FROM bulk_copying) RETURNING bulk_mail_id AS id, at, after, last),
    ${copies(sql`step`, wantsBulkMail(sql`posted.after - ${step}`, sql`least(posted.after, posted.last)`))}
    SELECT count(*) FROM step`,
  { steps: Number },
);
const forget = command(sql`DELETE FROM bulk_copying WHERE after >= last`);

/**
 * Writes the copies that transactions left, a thousand account numbers at a time, until all are written or `isOver` returns true.
 * The leader does it; each batch notes in its own statement how far it is, so a copy is written once, even if two nodes do it at once.
 */
export async function copyBulkMails(db: Sender, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { steps } = first(await copyNext(db)) ?? { steps: 0 };
    if (steps === 0) return;
    await forget(db);
  }
}
