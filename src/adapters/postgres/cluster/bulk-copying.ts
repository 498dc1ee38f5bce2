/** The copies of mails to everybody that their transactions left to the leader. */
import { sql } from "drizzle-orm";
import { stepRows, wantsBulkMail, writesCopies } from "../../sql/bulk-copies.ts";
import type { Sender } from "../../sql/sender.ts";
import { command, first, statement } from "../../sql/statement.ts";

const step = sql.raw(String(stepRows));
const copyNext = statement(
  sql`
    WITH step AS (
      UPDATE bulk_copying SET after = after + ${step}
      WHERE bulk_mail_id = (SELECT min(bulk_mail_id) FROM bulk_copying) RETURNING bulk_mail_id AS id, at, after, last),
    copied AS (${writesCopies(sql`step`, wantsBulkMail(sql`posted.after - ${step}`, sql`least(posted.after, posted.last)`, sql`posted.at`))}),
    counted AS (
      UPDATE bulk_mails SET total = total + (SELECT count(*) FROM copied), waiting = waiting + (SELECT count(*) FROM copied)
      WHERE id IN (SELECT bulk_mail_id FROM copied))
    SELECT count(*) FROM step`,
  { steps: Number },
);
const forget = command(sql`DELETE FROM bulk_copying WHERE after >= last`);

/**
 * Writes the copies that transactions left, a thousand account numbers at a time, until all are written or
 * `isOver` returns true. The leader does it; each batch notes in its own statement how far it is, so a copy
 * is written once, even if two nodes do it at once.
 */
export async function copyBulkMails(db: Sender, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { steps } = first(await copyNext(db)) ?? { steps: 0 };
    if (steps === 0) return;
    await forget(db);
  }
}
