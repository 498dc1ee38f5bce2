/** What the reports of a transaction become: parts of statements that both engines send. */
import { getTableColumns, sql } from "drizzle-orm";
import type { ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { isIn, orderedRowsIn, rowsIn } from "./dialect.ts";
import { auditEntries } from "./schema/record.ts";
import { accounts, players } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { textureEvents } from "./shown.ts";
import { statement } from "./statement.ts";
import type { FoundText, Reports } from "./touch.ts";

/**
 * Events as rows of time, type and body. Textures come last, because they are what the whole transaction has
 * changed.
 */
export const happened = sql`
  SELECT CAST(${sql.placeholder("at")} AS bigint), type, body FROM (
    SELECT 0 AS part, place, value ->> 0 AS type, value ->> 1 AS body FROM ${orderedRowsIn(sql.placeholder("reported"))}
    UNION ALL SELECT 1, place, type, body FROM (${textureEvents}) AS textures
  ) AS events ORDER BY part, place`;

/** Counts as rows of name and delta. */
export const counted = sql`
  SELECT value ->> 0 AS name, CAST(value ->> 1 AS bigint) AS delta FROM ${rowsIn(sql.placeholder("deltas"))}`;

const entryColumns = Object.entries(getTableColumns(auditEntries));

/** Adds entries of the audit. */
export const addsEntries = sql`
  INSERT INTO audit_entries (${sql.join(
    entryColumns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  )})
  SELECT ${sql.join(
    entryColumns.map(([, column], place) => {
      const type = column.getSQLType() === "bigint" ? "bigint" : "text";
      return sql.raw(`CAST(value ->> ${place} AS ${type})`);
    }),
    sql`, `,
  )} FROM ${rowsIn(sql.placeholder("entries"))}`;

/** Entries as `addsEntries` takes them. */
export function cellsOfEntries(entries: readonly ChainedEntry[]): readonly (readonly unknown[])[] {
  // The columns are those of an entry.
  return entries.map((entry) => entryColumns.map(([property]) => entry[property as keyof ChainedEntry]));
}

const findable = statement(
  sql`
    SELECT accounts.id, accounts.mail, players.name FROM accounts LEFT JOIN players ON players.account_id = accounts.id
    WHERE ${isIn(accounts.id, sql.placeholder("accounts"), "bigint")} ORDER BY accounts.id, players.id`,
  { id: accounts.id, mail: accounts.mail, name: players.name },
);

/** By what searches find rows from now on: accounts by their mail address and the names of their players. */
export async function foundTexts(db: Sender, { texts, accounts }: Reports): Promise<readonly FoundText[]> {
  const all = new Map(texts);
  const lines = new Map<AccountId, string[]>();
  const rows = accounts.size === 0 ? [] : await findable(db, { accounts: [...accounts] });
  for (const { id, mail, name } of rows) {
    const known = lines.get(id) ?? (mail === null ? [] : [mail]);
    // An outer join has no name for an account without players, which the types leave out.
    lines.set(id, name === null ? known : [...known, name]);
  }
  for (const [id, own] of lines) all.set(`user ${id}`, { kind: "user", id, lines: own });
  return [...all.values()];
}
