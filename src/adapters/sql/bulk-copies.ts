import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { sql, type SQL } from "drizzle-orm";
import { languages, type Language } from "../../domain/model/mail.ts";
import type { BulkMailId } from "../../domain/ports/outbox-store.ts";
import type { Sender } from "./sender.ts";
import { command, first, statement } from "./statement.ts";
import { isNotSuspended } from "./suspension-store.ts";

/** Account numbers whose copies one statement writes: some 20 ms. */
export const stepRows = 1000;
/** Account numbers whose readers one statement counts: some 20 ms. */
const countedRows = 20_000;

const last = statement(sql`SELECT coalesce(max(id), 0) FROM accounts`, { id: Number });

export async function lastAccount(db: Sender): Promise<number> {
  return first(await last(db))?.id ?? 0;
}

/**
 * The readers of mails to everybody among the account numbers after the first and up to the second, without
 * those who are suspended at this time.
 */
export const wantsBulkMail = (after: SQL, upTo: SQL, at: SQL): SQL =>
  sql`accounts.id > ${after} AND accounts.id <= ${upTo} AND mail_verified AND wants_bulk_mail AND mail_key IS NOT NULL
    AND ${isNotSuspended(at)}`;

const after = sql`CAST(${sql.placeholder("after")} AS bigint)`;
const upTo = sql`CAST(${sql.placeholder("upTo")} AS bigint)`;
const at = sql`CAST(${sql.placeholder("at")} AS bigint)`;

// Without GROUP BY, for which SQLite would sort.
const counted = languages.map((language) => sql.raw(`count(*) FILTER (WHERE language = '${language}')`));
const countLanguages = statement(
  sql`SELECT ${sql.join(counted, sql`, `)} FROM accounts WHERE ${wantsBulkMail(after, upTo, at)}`,
  Object.fromEntries(languages.map((language) => [language, Number])),
);

/** Counts them in batches, between which other work gets the event loop. */
export async function countReaders(
  db: Sender,
  { after, last, at }: { readonly after: number; readonly last: number; readonly at: number },
): Promise<ReadonlyMap<Language, number>> {
  const readers = new Map<Language, number>();
  for (let from = after; from < last; from += countedRows) {
    const found = first(
      await countLanguages(db, { at, after: from, upTo: Math.min(from + countedRows, last) }),
    );
    for (const language of languages) {
      const people = (readers.get(language) ?? 0) + (found?.[language] ?? 0);
      if (people > 0) readers.set(language, people);
    }
    await yieldToEventLoop();
  }
  return readers;
}

/** Writes the copies of a mail for some accounts, and returns a row for each. `mail` has `id` and `at`. */
export const writesCopies = (mail: SQL, wanted: SQL): SQL => sql`
  INSERT INTO outbox (recipient, recipient_key, language, template, content, state, attempts, created_at, due_at, bulk_mail_id)
  SELECT mail, mail_key, language, 'bulk', '{"template":"bulk"}', 'waiting', 0, posted.at, posted.at, posted.id
  FROM ${mail} AS posted JOIN accounts ON ${wanted} ORDER BY accounts.id RETURNING bulk_mail_id`;

const write = statement(
  writesCopies(
    sql`(SELECT CAST(${sql.placeholder("bulk")} AS bigint) AS id, CAST(${sql.placeholder("at")} AS bigint) AS at)`,
    wantsBulkMail(after, upTo, sql`posted.at`),
  ),
  { bulk: Number },
);
const count = command(sql`
  UPDATE bulk_mails SET total = total + ${sql.placeholder("copies")}, waiting = waiting + ${sql.placeholder("copies")}
  WHERE id = ${sql.placeholder("bulk")}`);

export type Posted = { readonly bulk: BulkMailId; readonly at: number; readonly last: number };

/**
 * Writes the copies for the accounts up to this number and returns how many, in batches as `countReaders`.
 */
export async function insertCopies(db: Sender, { last, ...posted }: Posted): Promise<number> {
  let copies = 0;
  for (let after = 0; after < last; after += stepRows) {
    const upTo = Math.min(after + stepRows, last);
    copies += (await write(db, { ...posted, after, upTo })).length;
    await yieldToEventLoop();
  }
  await count(db, { bulk: posted.bulk, copies });
  return copies;
}

const leave = command(sql`
  INSERT INTO bulk_copying (bulk_mail_id, at, after, last)
  VALUES (${sql.placeholder("bulk")}, ${sql.placeholder("at")}, ${sql.placeholder("after")}, ${sql.placeholder("last")})`);

/**
 * Leaves the copies for the accounts between these numbers to PostgreSQL's leader
 * (`adapters/postgres/cluster/bulk-copying.ts`). Returns how many they are now.
 */
export async function leaveCopies(db: Sender, left: Posted & { readonly after: number }): Promise<number> {
  await leave(db, left);
  const readers = await countReaders(db, left);
  return readers.values().reduce((all, people) => all + people, 0);
}
