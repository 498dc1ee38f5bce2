/** Writes to the outbox that keep the counts of mails to everybody, as triggers do on SQLite. */
import { sql, type SQL } from "drizzle-orm";

/** How many of the copies of each mail to everybody a list of `bulk` and states says to add and take away. */
function sums(list: SQL, states: { readonly before: boolean; readonly after: boolean }): SQL {
  const sum = (state: string): SQL => {
    const counted = (column: string) => sql`count(*) FILTER (WHERE ${sql.raw(`${column} = '${state}'`)})`;
    const added = states.after ? counted("after") : sql`0`;
    const removed = states.before ? counted("before") : sql`0`;
    return sql`${added} - ${removed} AS ${sql.raw(state)}`;
  };
  return sql`SELECT bulk, ${sum("waiting")}, ${sum("sent")}, ${sum("failed")}
    FROM ${list} WHERE bulk IS NOT NULL GROUP BY bulk`;
}

function addsSums(sums: SQL): SQL {
  return sql`
    UPDATE bulk_mails SET waiting = bulk_mails.waiting + sums.waiting, sent = bulk_mails.sent + sums.sent,
      failed = bulk_mails.failed + sums.failed
    FROM (${sums}) AS sums WHERE bulk_mails.id = sums.bulk
      AND (sums.waiting, sums.sent, sums.failed) <> (0, 0, 0)`;
}

/**
 * One statement that changes the mails of a list, which are locked until then, and counts the copies among them by their new
 * states. `chosen` selects `id` and `state`; the statement returns one row, the number of mails.
 */
export function changesMails(chosen: SQL, set: SQL): SQL {
  return sql`
    WITH chosen AS (${chosen} FOR UPDATE),
    changed AS (
      UPDATE outbox SET ${set} FROM chosen WHERE outbox.id = chosen.id
      RETURNING outbox.bulk_mail_id AS bulk, chosen.state AS before, outbox.state AS after),
    counted AS (${addsSums(sums(sql`changed`, { before: true, after: true }))})
    SELECT count(*) FROM changed`;
}

/** The same for mails that are removed. */
export function removesMails(chosen: SQL): SQL {
  return sql`
    WITH chosen AS (${chosen} FOR UPDATE),
    removed AS (DELETE FROM outbox USING chosen WHERE outbox.id = chosen.id RETURNING bulk_mail_id AS bulk, chosen.state AS before),
    counted AS (${countsRemoved(sql`removed`)})
    SELECT count(*) FROM removed`;
}

/** Counts the copies that a list of the same statement, of `bulk` and `before`, has removed. */
export function countsRemoved(removed: SQL): SQL {
  return addsSums(sums(removed, { before: true, after: false }));
}
