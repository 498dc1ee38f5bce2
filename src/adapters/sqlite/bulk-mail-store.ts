import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, max, sql, type SQL } from "drizzle-orm";
import { languages, type Language } from "../../domain/model/mail.ts";
import type {
  BulkMailId,
  BulkPost,
  DueMail,
  MailId,
  OutboxReads,
  OutboxStore,
} from "../../domain/ports/outbox-store.ts";
import type { Db } from "./open.ts";
import { accounts, players } from "./schema.ts";
import { bulkMails, outbox } from "./schema.ts";

/** Accounts in one batch of copies, between which other work gets the event loop: some 10 ms. */
const stepRows = 1000;
/** Accounts that are counted at once: some 10 ms. */
const countedRows = 20_000;
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

export function bulkMailReads(
  db: Db,
): Pick<
  OutboxReads,
  "bulkProgress" | "listBulkMails" | "countBulkMails" | "countBulkReaders" | "hasBulkMail"
> {
  return {
    bulkProgress: async () => db.select(progressColumns).from(bulkMails).orderBy(asc(bulkMails.id)).all(),
    listBulkMails: async ({ before, rows }) =>
      db
        .select(progressColumns)
        .from(bulkMails)
        .where(before === null ? undefined : sql`${bulkMails.id} < ${before}`)
        .orderBy(desc(bulkMails.id))
        .limit(rows)
        .all(),
    countBulkMails: async () => db.$count(bulkMails),
    countBulkReaders: () => countBulkReaders(db),
    hasBulkMail: async ({ subject, message }, after) => {
      const same = and(
        gt(bulkMails.createdAt, after),
        eq(bulkMails.subject, subject),
        eq(bulkMails.message, message),
      );
      return db.select({ id: bulkMails.id }).from(bulkMails).where(same).limit(1).get() !== undefined;
    },
  };
}

export function bulkMailStore(
  db: Db,
  touch: () => void,
): Pick<OutboxStore, "insertBulkMail" | "dropWaitingCopies" | "deleteOldBulkMails"> {
  return {
    insertBulkMail: async (post) => {
      touch();
      const { subject, message, issuer, at } = post;
      const words = { subject, message, issuer, createdAt: at };
      const { id } = db.insert(bulkMails).values(words).returning({ id: bulkMails.id }).get();
      const last = lastAccount(db);
      const copies = await withLargeCache(db, () => insertAllCopies(db, { bulk: id, at, last }));
      return { id, copies };
    },
    dropWaitingCopies: async (key) => {
      const waiting = and(
        eq(outbox.recipientKey, key),
        isNotNull(outbox.bulkMailId),
        eq(outbox.state, "waiting"),
      );
      db.delete(outbox).where(waiting).run();
    },
    deleteOldBulkMails: async (postedBefore) => {
      const old = lt(bulkMails.createdAt, postedBefore);
      const mails = db.select({ id: bulkMails.id }).from(bulkMails).where(old);
      const copies = db
        .select({ id: outbox.id })
        .from(outbox)
        .where(inArray(outbox.bulkMailId, mails))
        .limit(removedRows);
      const ids = { id: outbox.id };
      const gone = db.delete(outbox).where(inArray(outbox.id, copies)).returning(ids).all().length;
      if (gone > 0) return gone;
      return db.delete(bulkMails).where(old).returning({ id: bulkMails.id }).all().length;
    },
  };
}

function lastAccount(db: Db): number {
  return (
    db
      .select({ id: max(accounts.id) })
      .from(accounts)
      .get()?.id ?? 0
  );
}

async function countBulkReaders(db: Db): Promise<ReadonlyMap<Language, number>> {
  const readers = new Map<Language, number>();
  const last = lastAccount(db);
  // Without GROUP BY, for which SQLite would sort.
  const columns = languages.map((language) => [language, readersOf(language)] as const);
  for (let after = 0; after < last; after += countedRows) {
    const found = db
      .select(Object.fromEntries(columns))
      .from(accounts)
      .where(wantsBulkMail(after, countedRows))
      .get();
    for (const [language] of columns) {
      const people = (readers.get(language) ?? 0) + (found?.[language] ?? 0);
      if (people > 0) readers.set(language, people);
    }
    await yieldToEventLoop();
  }
  return readers;
}

function readersOf(language: Language): SQL<number> {
  return sql`total(${accounts.language} = ${language})`.mapWith(Number);
}

/** The readers of mails to everybody among so many account numbers after the one given. */
function wantsBulkMail(after: number, numbers: number): SQL | undefined {
  return and(
    sql`${accounts.id} > ${after}`,
    sql`${accounts.id} <= ${after + numbers}`,
    eq(accounts.mailVerified, true),
    eq(accounts.wantsBulkMail, true),
    isNotNull(accounts.mailKey),
  );
}

async function insertAllCopies(
  db: Db,
  { last, ...copy }: { readonly bulk: BulkMailId; readonly at: BulkPost["at"]; readonly last: number },
): Promise<number> {
  let copies = 0;
  for (let after = 0; after < last; after += stepRows) {
    copies += insertCopies(db, { ...copy, after });
    await yieldToEventLoop();
  }
  return copies;
}

/** Writes the copies for the next thousand account numbers and returns how many. */
function insertCopies(
  db: Db,
  { bulk, at, after }: { readonly bulk: BulkMailId; readonly at: BulkPost["at"]; readonly after: number },
): number {
  const copy = {
    id: sql<MailId>`NULL`.as("id"),
    recipient: sql<string>`${accounts.mail}`.as("recipient"),
    recipientKey: sql<string>`${accounts.mailKey}`.as("recipient_key"),
    language: accounts.language,
    template: sql<"bulk">`'bulk'`.as("template"),
    content: sql<{ template: "bulk" }>`'{"template":"bulk"}'`.as("content"),
    state: sql<"waiting">`'waiting'`.as("state"),
    attempts: sql<number>`0`.as("attempts"),
    createdAt: sql<number>`${at}`.as("created_at"),
    dueAt: sql<number>`${at}`.as("due_at"),
    lastReply: sql<null>`NULL`.as("last_reply"),
    bulkMailId: sql<BulkMailId>`${bulk}`.as("bulk_mail_id"),
  };
  const readers = db.select(copy).from(accounts).where(wantsBulkMail(after, stepRows));
  return db.insert(outbox).select(readers).returning({ id: outbox.id }).all().length;
}

/**
 * A million copies change every page of an index many times. With SQLite's default cache of 2 MB each change goes to the disk
 * and back: 20 s, and batches ten times as long, on a machine that takes 7 s with 64 MB.
 */
async function withLargeCache<T>({ $client }: Db, work: () => Promise<T>): Promise<T> {
  $client.run("PRAGMA cache_size = -65536");
  try {
    return await work();
  } finally {
    $client.run("PRAGMA cache_size = -2000");
  }
}

/**
 * Takes the copy that is due and drops those whose accounts no longer want it. After `stepRows` dropped copies it returns null,
 * and `touch` makes the sender look again.
 */
export function copyTaker(
  db: Db,
  { nextDue, touch }: { readonly nextDue: (at: number) => MailId | undefined; readonly touch: () => void },
): (at: number, until: number) => DueMail | null {
  const find = db
    .select({
      to: outbox.recipient,
      language: outbox.language,
      attempts: outbox.attempts,
      createdAt: outbox.createdAt,
      subject: bulkMails.subject,
      message: bulkMails.message,
      account: accounts.uuid,
      username: players.name,
    })
    .from(outbox)
    .innerJoin(bulkMails, eq(bulkMails.id, outbox.bulkMailId))
    .innerJoin(accounts, eq(accounts.mailKey, outbox.recipientKey))
    .leftJoin(players, eq(players.id, accounts.mainPlayerId))
    .where(
      and(
        eq(outbox.id, sql.placeholder("id")),
        eq(accounts.mailVerified, true),
        eq(accounts.wantsBulkMail, true),
      ),
    )
    .prepare();

  return (at, until) => {
    for (let dropped = 0; dropped < stepRows; dropped++) {
      const id = nextDue(at);
      if (id === undefined) return null;
      const wanted = find.get({ id });
      if (wanted === undefined) {
        db.delete(outbox).where(eq(outbox.id, id)).run();
        continue;
      }
      const { subject, message, account, username, ...copy } = wanted;
      const attempts = copy.attempts + 1;
      db.update(outbox).set({ dueAt: until, attempts, lastReply: null }).where(eq(outbox.id, id)).run();
      const words = { subject, message, username: username ?? "", account };
      return { ...copy, id, attempts, mail: { template: "bulk", ...words } };
    }
    touch();
    return null;
  };
}
