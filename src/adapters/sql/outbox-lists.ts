import { and, asc, desc, eq, gt, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import { groupsOfUnsent, type UnsentGroup } from "../../domain/mail/unsent-groups.ts";
import type { BulkMailId, MailKind, OutboxReads } from "../../domain/ports/outbox-store.ts";
import { limits } from "../../kernel/limits.ts";
import { spell } from "./dialect.ts";
import { bulkMails, outbox } from "./schema/record.ts";
import { build, first, listed, statement } from "./statement.ts";
import type { Sender } from "./sender.ts";

const hasContent = sql`${outbox.content} IS NOT NULL`;
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
  bulk: outbox.bulkMailId,
};
const entryReaders = { ...entryColumns, hasContent: Boolean };
const entries = () => build.select({ ...entryColumns, hasContent });

const findMail = statement(
  entries()
    .from(outbox)
    .where(eq(outbox.id, sql.placeholder("id"))),
  entryReaders,
);

const mailsTo = statement(
  entries()
    .from(outbox)
    .where(
      sql`${outbox.recipientKey} = ${sql.placeholder("to")}
        AND (${outbox.createdAt}, ${outbox.id}) > (${sql.placeholder("at")}, ${sql.placeholder("after")})`,
    )
    .orderBy(asc(outbox.createdAt), asc(outbox.id))
    .limit(sql.placeholder("rows")),
  entryReaders,
);

/** The mails of the outbox as operators and staff see them. */
export function outboxListReads(
  db: Sender,
): Pick<OutboxReads, "findMail" | "listMails" | "listMailsTo" | "listUnsent" | "countUnsent"> {
  return {
    listMailsTo: ({ to, since, after, rows }) =>
      mailsTo(db, { to, at: after?.createdAt ?? since, after: after?.id ?? 0, rows }),
    findMail: async (id) => first(await findMail(db, { id })),
    listMails: ({ state, copies, afterId, rows }) => {
      const ofState = state === null ? undefined : eq(outbox.state, state);
      const found = entries()
        .from(outbox)
        .where(and(gt(outbox.id, numbered(afterId)), ofState, withCopies(copies)))
        .orderBy(asc(outbox.id))
        .limit(rows);
      return statement(found, entryReaders)(db);
    },
    listUnsent: async ({ before, rows, ...which }) => {
      const parts = await Promise.all(
        groupsOfUnsent(which).map((part) => listPart(db, part, { before, rows })),
      );
      return parts
        .flat()
        .toSorted((one, other) => other.id - one.id)
        .slice(0, rows);
    },
    countUnsent: async (which) => {
      const counts = await Promise.all(groupsOfUnsent(which).map((part) => countPart(db, part)));
      return counts.reduce((all, part) => all + part, 0);
    },
  };
}

function isOfKind(kind: MailKind): SQL {
  return kind === "personal" ? isNull(outbox.bulkMailId) : isNotNull(outbox.bulkMailId);
}

/** A number from outside as a value: it may be no number of a mail. */
function numbered(id: number): SQL<never> {
  return sql`CAST(${id} AS bigint)`;
}

function withCopies(copies: "all" | "failed" | BulkMailId): SQL | undefined {
  if (copies === "all") return undefined;
  if (copies === "failed") return or(isOfKind("personal"), eq(outbox.state, "failed"));
  return eq(outbox.bulkMailId, copies);
}

/**
 * A later mail to everybody has later copies. SQLite goes from one to the next, as its indexes are in no
 * other order.
 */
const everyCopy = {
  from: spell({
    postgres: sql`outbox`,
    sqlite: sql`bulk_mails CROSS JOIN outbox ON bulk_mail_id = bulk_mails.id`,
  }),
  order: spell({ postgres: sql`outbox.id DESC`, sqlite: sql`bulk_mails.id DESC, outbox.id DESC` }),
};

function listPart(
  db: Sender,
  { state, of }: UnsentGroup,
  { before, rows }: { readonly before: number | null; readonly rows: number },
) {
  const isAll = of === "every bulk mail";
  const wanted = and(
    isPartOf(of),
    eq(outbox.state, state),
    before === null ? undefined : lt(outbox.id, numbered(before)),
  );
  const found = sql`
    SELECT ${listed(entryColumns)}, ${hasContent} FROM ${isAll ? everyCopy.from : outbox}
    WHERE ${wanted} ORDER BY ${isAll ? everyCopy.order : desc(outbox.id)} LIMIT ${rows}`;
  return statement(found, entryReaders)(db);
}

function isPartOf(of: UnsentGroup["of"]): SQL {
  if (of === "every bulk mail") return isOfKind("bulk");
  return of === "personal" ? isOfKind("personal") : eq(outbox.bulkMailId, of);
}

/** The store counts the copies as it writes them; mails to one person are counted up to a bound. */
async function countPart(db: Sender, { state, of }: UnsentGroup): Promise<number> {
  const counted =
    of === "personal"
      ? sql`SELECT count(*) FROM (
          SELECT 1 FROM outbox WHERE bulk_mail_id IS NULL AND state = ${state} LIMIT ${limits.countedMax}) AS mails`
      : sql`SELECT coalesce(sum(${bulkMails[state]}), 0) FROM bulk_mails
          ${of === "every bulk mail" ? sql`` : sql`WHERE id = ${of}`}`;
  return first(await statement(counted, { mails: Number })(db))?.mails ?? 0;
}
