/** Writes to the outbox that keep the counts of mails to everybody. */
import { sql, type SQL } from "drizzle-orm";
import type { BulkMailId, MailId, MailState } from "../../domain/ports/outbox-store.ts";
import { isIn, rowsIn, spell } from "./dialect.ts";
import { outbox } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { command, first, statement } from "./statement.ts";

type Values = Readonly<Record<string, unknown>>;

/** Sends a write and returns how many mails it changed. */
export type MailWrite = (db: Sender, values?: Values) => Promise<number>;

const sum = (state: MailState) => {
  const counted = (column: string) => sql.raw(`count(*) FILTER (WHERE ${column} = '${state}')`);
  return sql`${counted("after")} - ${counted("before")} AS ${sql.raw(state)}`;
};

/**
 * Adds to each mail to everybody what a list says of its copies: their states before and after, null for
 * none.
 */
function addsCopies(list: SQL): SQL {
  return sql`
    UPDATE bulk_mails SET waiting = bulk_mails.waiting + sums.waiting, sent = bulk_mails.sent + sums.sent,
      failed = bulk_mails.failed + sums.failed
    FROM (
      SELECT bulk, ${sum("waiting")}, ${sum("sent")}, ${sum("failed")}
      FROM ${list} WHERE bulk IS NOT NULL GROUP BY bulk) AS sums
    WHERE bulk_mails.id = sums.bulk AND (sums.waiting, sums.sent, sums.failed) <> (0, 0, 0)`;
}

/** A copy: the mail that it is of, and its states. */
type Copy = readonly [bulk: BulkMailId | null, before: MailState, after: MailState | null];

const add = command(
  addsCopies(sql`(
    SELECT CAST(value ->> 0 AS bigint) AS bulk, value ->> 1 AS before, value ->> 2 AS after
    FROM ${rowsIn(sql.placeholder("copies"))}) AS copies`),
);

/** Counts copies that were changed or removed. */
async function countCopies(db: Sender, all: readonly Copy[]): Promise<void> {
  const copies = all.filter(([bulk, before, after]) => bulk !== null && before !== after);
  if (copies.length > 0) await add(db, { copies });
}

const chosenColumns = { id: outbox.id, before: outbox.state, bulk: outbox.bulkMailId };
const chosen = (condition: SQL) => sql`SELECT id, state, bulk_mail_id FROM outbox WHERE ${condition}`;
const count = { mails: Number };

/**
 * Changes the mails that a condition chooses and counts the copies among them by their new states: on
 * PostgreSQL by one statement, which locks them first.
 */
export function changesMails(condition: SQL, set: SQL): MailWrite {
  const both = statement(
    sql`
      WITH chosen AS (${chosen(condition)} FOR UPDATE),
      changed AS (
        UPDATE outbox SET ${set} FROM chosen WHERE outbox.id = chosen.id
        RETURNING outbox.bulk_mail_id AS bulk, chosen.state AS before, outbox.state AS after),
      counted AS (${addsCopies(sql`changed`)})
      SELECT count(*) FROM changed`,
    count,
  );
  const choose = statement(chosen(condition), chosenColumns);
  const change = statement(
    sql`UPDATE outbox SET ${set} WHERE ${isIn(outbox.id, sql.placeholder("chosen"), "bigint")} RETURNING id, state`,
    { id: outbox.id, after: outbox.state },
  );
  return async (db, values = {}) => {
    if (db.dialect !== "sqlite") return first(await both(db, values))?.mails ?? 0;
    const mails = await choose(db, values);
    if (mails.length === 0) return 0;
    const changed = await change(db, { ...values, chosen: mails.map(({ id }) => id) });
    const after = new Map<MailId, MailState>(changed.map((row) => [row.id, row.after]));
    await countCopies(
      db,
      mails.map(({ id, bulk, before }) => [bulk, before, after.get(id) ?? before]),
    );
    return mails.length;
  };
}

/** The same for mails that are removed. A removed copy counts as one that was written still. */
export function removesMails(condition: SQL): MailWrite {
  const both = statement(
    sql`
      WITH chosen AS (${chosen(condition)} FOR UPDATE),
      removed AS (
        DELETE FROM outbox USING chosen WHERE outbox.id = chosen.id
        RETURNING outbox.bulk_mail_id AS bulk, outbox.state AS before, NULL AS after),
      counted AS (${addsCopies(sql`removed`)})
      SELECT count(*) FROM removed`,
    count,
  );
  const remove = statement(
    sql`DELETE FROM outbox WHERE id IN (SELECT id FROM (${chosen(condition)}) AS chosen) RETURNING id, state, bulk_mail_id`,
    chosenColumns,
  );
  return async (db, values) => {
    if (db.dialect !== "sqlite") return first(await both(db, values))?.mails ?? 0;
    const mails = await remove(db, values);
    await countCopies(
      db,
      mails.map(({ bulk, before }) => [bulk, before, null]),
    );
    return mails.length;
  };
}

/** The end of a statement that takes rows: on PostgreSQL it passes over those that others have locked. */
export const takenAlone = spell({ postgres: sql`FOR UPDATE SKIP LOCKED`, sqlite: sql`` });
