import { and, asc, count, desc, eq, isNotNull, isNull, or, sql, sum, type SQL } from "drizzle-orm";
import { partsOfUnsent, type UnsentPart } from "../../domain/mail/unsent-parts.ts";
import type { BulkMailId, MailKind, OutboxReads } from "../../domain/ports/outbox-store.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { bulkMails, outbox } from "./schema.ts";

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
  hasContent: sql`${outbox.content} IS NOT NULL`.mapWith(Boolean),
  bulk: outbox.bulkMailId,
};

/** The mails of the outbox as operators and staff see them. */
export function outboxListReads(
  db: Db,
): Pick<OutboxReads, "findMail" | "listMails" | "listUnsent" | "countUnsent"> {
  return {
    findMail: async (id) => db.select(entryColumns).from(outbox).where(eq(outbox.id, id)).get() ?? null,
    listMails: async ({ state, copies, afterId, rows }) => {
      const ofState = state === null ? undefined : eq(outbox.state, state);
      return db
        .select(entryColumns)
        .from(outbox)
        .where(and(sql`${outbox.id} > ${afterId}`, ofState, withCopies(copies)))
        .orderBy(asc(outbox.id))
        .limit(rows)
        .all();
    },
    listUnsent: async ({ before, rows, ...which }) =>
      partsOfUnsent(which)
        .flatMap((part) => listPart(db, part, { before, rows }))
        .toSorted((one, other) => other.id - one.id)
        .slice(0, rows),
    countUnsent: async (which) => partsOfUnsent(which).reduce((all, part) => all + countPart(db, part), 0),
  };
}

export function isOfKind(kind: MailKind): SQL {
  return kind === "personal" ? isNull(outbox.bulkMailId) : isNotNull(outbox.bulkMailId);
}

function withCopies(copies: "all" | "failed" | BulkMailId): SQL | undefined {
  if (copies === "all") return undefined;
  if (copies === "failed") return or(isOfKind("personal"), eq(outbox.state, "failed"));
  return eq(outbox.bulkMailId, copies);
}

function listPart(
  db: Db,
  { state, of }: UnsentPart,
  { before, rows }: { readonly before: number | null; readonly rows: number },
) {
  const wanted = and(eq(outbox.state, state), before === null ? undefined : sql`${outbox.id} < ${before}`);
  const mails = db.select(entryColumns);
  if (of !== "every bulk mail") {
    const found = mails.from(outbox).where(and(isPartOf(of), wanted));
    return found.orderBy(desc(outbox.id)).limit(rows).all();
  }
  // A later mail to everybody has later copies, so that going from one to the next keeps the order.
  const found = mails
    .from(bulkMails)
    .crossJoin(outbox)
    .where(and(eq(outbox.bulkMailId, bulkMails.id), wanted));
  return found.orderBy(desc(bulkMails.id), desc(outbox.id)).limit(rows).all();
}

function isPartOf(of: "personal" | BulkMailId): SQL {
  return of === "personal" ? isOfKind("personal") : eq(outbox.bulkMailId, of);
}

/** Triggers count the copies; mails to one person are counted up to a bound. */
function countPart(db: Db, { state, of }: UnsentPart): number {
  if (of === "personal") {
    const { id } = outbox;
    const mails = db
      .select({ id })
      .from(outbox)
      .where(and(isOfKind("personal"), eq(outbox.state, state)))
      .limit(limits.countedMax);
    const counted = db
      .select({ mails: count() })
      .from(sql`(${mails})`)
      .get();
    return counted?.mails ?? 0;
  }
  const copies = db
    .select({ copies: sum(bulkMails[state]).mapWith(Number) })
    .from(bulkMails)
    .where(of === "every bulk mail" ? undefined : eq(bulkMails.id, of));
  return copies.get()?.copies ?? 0;
}
