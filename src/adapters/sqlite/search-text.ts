import { sql, type SQL } from "drizzle-orm";
import type { Sender } from "../sql/sender.ts";
import { first, statement } from "../sql/statement.ts";

/** The columns of the search tables: `adapters/sqlite/migrations/0003_search.sql`. */
const columns = {
  users_search: ["name", "mail"],
  skins_search: ["name"],
  capes_search: ["name"],
  audit_search: ["issuer", "action"],
} as const;
export type SearchTable = keyof typeof columns;

/**
 * SQLite compares every sequence of three characters of a text with every row that has the first one: a whole
 * mail address among a million took 47 ms. For texts from this length on it pays to look for their rarest
 * sequences and to read the rows that have them.
 */
const longText = 7;
const sequenceLength = 3;
/**
 * As many sequences are looked for as are likely to be together in one row of these: each costs as much as
 * reading some rows.
 */
const enoughSpacing = 10_000;
/** Sequences among which the rarest are found, each in some 15 µs. */
const comparedMax = 12;
/**
 * If the rarest is in one row of these, most rows that have it hold the text, and reading them would take
 * longer.
 */
const frequentSpacing = 20;
/** Rows by which the frequency is estimated. */
const sampledRows = 100;

/** The condition for the rows of a search table that hold a text of three characters or more, in any case. */
export async function holdsText(db: Sender, table: SearchTable, search: string): Promise<SQL> {
  const name = sql.identifier(table);
  const phrase = sql`${name} MATCH ${quoted(search)}`;
  // Of other characters the index knows more about upper and lower case than SQLite's functions.
  if (search.length < longText || !/^[\x20-\x7e]*$/.test(search)) return phrase;
  const sequences = await Promise.all(
    sequencesOf(search).map(async (sequence) => ({
      sequence,
      spacing: await spacingOf(db, table, sequence),
    })),
  );
  const [rarest, ...others] = sequences.toSorted((one, other) => other.spacing - one.spacing);
  if (rarest === undefined || rarest.spacing < frequentSpacing) return phrase;
  let all = quoted(rarest.sequence);
  let together = rarest.spacing;
  for (const { sequence, spacing } of others) {
    if (together >= enoughSpacing) break;
    all += ` AND ${quoted(sequence)}`;
    together *= spacing;
  }
  const held = columns[table].map(
    (column) => sql`instr(lower(${sql.identifier(column)}), ${search.toLowerCase()}) > 0`,
  );
  return sql`${name} MATCH ${all} AND (${sql.join(held, sql` OR `)})`;
}

/** The condition for rows that hold a text too short for the index, in letters that have no case. */
export function holdsWord(table: SearchTable, search: string): SQL {
  const held = columns[table].map((column) => sql`instr(${sql.identifier(column)}, ${search}) > 0`);
  return sql`(${sql.join(held, sql` OR `)})`;
}

/** In quotes a text is one phrase without operators (FTS5, full-text query syntax). */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Sequences side by side, and the last one, which may overlap the one before. */
function sequencesOf(text: string): readonly string[] {
  const last = text.length - sequenceLength;
  const count = Math.min(Math.ceil(text.length / sequenceLength), comparedMax);
  const starts = Array.from({ length: count }, (_, number) => Math.min(number * sequenceLength, last));
  return starts.map((start) => text.slice(start, start + sequenceLength));
}

/** Counts the first rows that have a sequence, up to a bound, and says how far they reach. */
const reaching = (table: SearchTable) => {
  const name = sql.identifier(table);
  const some = sql`
    SELECT rowid FROM ${name} WHERE ${name} MATCH ${sql.placeholder("sequence")} ORDER BY rowid LIMIT ${sql.raw(String(sampledRows))}`;
  return statement(sql`SELECT count(*), coalesce(max(rowid), 0) FROM (${some})`, {
    rows: Number,
    last: Number,
  });
};
const reaches = {
  users_search: reaching("users_search"),
  skins_search: reaching("skins_search"),
  capes_search: reaching("capes_search"),
  audit_search: reaching("audit_search"),
};

/** About how many rows there are to each that has the sequence. */
async function spacingOf(db: Sender, table: SearchTable, sequence: string): Promise<number> {
  const found = await reaches[table](db, { sequence: quoted(sequence) });
  const { rows, last } = first(found) ?? { rows: 0, last: 0 };
  return rows < sampledRows ? Number.MAX_SAFE_INTEGER / (rows + 1) : last / sampledRows;
}
