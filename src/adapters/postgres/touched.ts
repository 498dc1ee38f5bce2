/**
 * What a transaction on PostgreSQL writes of what its stores reported: one statement, beside those that read
 * for it.
 */
import { sql, type SQL } from "drizzle-orm";
import type { ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { Subject } from "../../domain/ports/change-feed.ts";
import type { Clock } from "../../kernel/clock.ts";
import { rowsIn } from "../sql/dialect.ts";
import type { Sender } from "../sql/sender.ts";
import { first, statement, type Statement } from "../sql/statement.ts";
import { changedCounts, chainedTo, createTouch, mayHaveEvents, type Head, type Touch } from "../sql/touch.ts";
import { addsEntries, cellsOfEntries, counted, foundTexts, happened } from "../sql/touched-rows.ts";
import { searchText } from "./search.ts";

/** What others have to know after the commit. */
export type Touched = {
  readonly subjects: readonly Subject[];
  readonly mailDue: boolean;
  /** Whether events wait for their numbers. */
  readonly events: boolean;
};

/** A `Touch`, and what `transact.ts` calls around each run of a transaction on its connection. */
export type TransactionTouch = {
  readonly touch: Touch;
  /** Forgets what a run before collected. */
  readonly begin: () => void;
  /** The transaction's last statements; none when nothing was collected. */
  readonly write: () => Promise<void>;
  /** What the transaction touched, after its commit. */
  readonly touched: () => Touched;
  /** As of `Place`. */
  readonly isAudited: () => boolean;
  readonly awaitTurn: () => Promise<void>;
};

/** Collects what one transaction at a time touches, and writes it. */
export function openTouch(db: Sender, clock: Pick<Clock, "nowSeconds">): TransactionTouch {
  const { touch, reports, begin } = createTouch(db);
  let hasEvents = false;

  return {
    touch,
    begin: () => {
      begin();
      hasEvents = false;
    },
    write: async () => {
      const { subjects, events, before, entries } = reports;
      const values: Values = {};
      if (mayHaveEvents(reports)) {
        values.events = { at: clock.nowSeconds(), reported: events, before: [...before.values()] };
      }
      if (subjects.size > 0) values.subjects = { subjects: [...subjects] };
      const deltas = changedCounts(reports);
      if (deltas.length > 0) values.counts = { deltas };
      const texts = (await foundTexts(db, reports)).map(({ kind, id, lines }) => [
        kind,
        id,
        lines === null ? null : searchText(lines),
      ]);
      // Another transaction that has the head will change it, so that this one has to run again: it need not
      // wait to know.
      const chained = entries.length === 0 ? [] : chainedTo(await readHead(db, "FOR UPDATE NOWAIT"), entries);
      if (chained.length > 0) values.entries = valuesOfEntries(chained);
      texts.push(
        ...chained.map(({ id, actorName, action }) => ["audit", id, searchText([actorName, action])]),
      );
      if (texts.length > 0) values.texts = { texts };
      hasEvents = await write(db, values);
    },
    isAudited: () => reports.entries.length > 0,
    awaitTurn: async () => void (await readHead(db, "FOR UPDATE")),
    touched: () => ({ subjects: [...reports.subjects], mailDue: reports.isMailDue, events: hasEvents }),
  };
}

/** With the lock, so that a transaction that comes late fails here and not one statement later. */
async function readHead(db: Sender, lock: "FOR UPDATE" | "FOR UPDATE NOWAIT"): Promise<Head> {
  const [row] = await db.send(`SELECT entry_id, hash FROM audit_head WHERE id = 1 ${lock}`, []);
  if (row === undefined) throw new Error("The database has no head of the audit");
  return { id: Number(row[0]), hash: String(row[1]) };
}

function valuesOfEntries(chained: readonly ChainedEntry[]) {
  const last = chained.at(-1);
  return { entries: cellsOfEntries(chained), newest: last?.id, hash: last?.hash };
}

const texts = sql`SELECT value ->> 0 AS kind, CAST(value ->> 1 AS bigint) AS id, value ->> 2 AS text
  FROM ${rowsIn(sql.placeholder("texts"))}`;

const parts = {
  events: {
    noted: sql`INSERT INTO event_notes (at, type, body) ${happened} RETURNING seq`,
  },
  subjects: {
    changed: sql`
      INSERT INTO change (kind, subject, at)
      SELECT split_part(value, ':', 1), split_part(value, ':', 2), floor(extract(epoch FROM clock_timestamp()))
      FROM ${rowsIn(sql.placeholder("subjects"), "texts")}`,
  },
  counts: { counted: sql`INSERT INTO count_deltas (name, delta) ${counted}` },
  entries: {
    entries: addsEntries,
    head: sql`UPDATE audit_head SET entry_id = CAST(${sql.placeholder("newest")} AS bigint),
      hash = CAST(${sql.placeholder("hash")} AS text) WHERE id = 1`,
  },
  texts: {
    texts,
    put: sql`
      INSERT INTO search_texts (kind, id, text) SELECT kind, id, text FROM texts WHERE text IS NOT NULL
      ON CONFLICT (kind, id) DO UPDATE SET text = excluded.text`,
    forgotten: sql`
      DELETE FROM search_texts USING texts
      WHERE texts.text IS NULL AND search_texts.kind = texts.kind AND search_texts.id = texts.id`,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SQL>>>>;

type Part = keyof typeof parts;
type Values = { [Name in Part]?: Readonly<Record<string, unknown>> };

const written = new Map<string, Statement<{ readonly hasEvents: boolean }>>();

/** One statement of these parts. Its text depends only on which they are, so the server knows it already. */
function statementOf(names: readonly Part[]): Statement<{ readonly hasEvents: boolean }> {
  const key = names.join(" ");
  const known = written.get(key);
  if (known !== undefined) return known;
  const lists = names
    .flatMap((name) => Object.entries<SQL>(parts[name]))
    .map(([name, part]) => sql`${sql.identifier(name)} AS (${part})`);
  const result = names.includes("events") ? sql`EXISTS (SELECT 1 FROM noted)` : sql`false`;
  const made = statement(sql`WITH ${sql.join(lists, sql`, `)} SELECT ${result}`, { hasEvents: Boolean });
  written.set(key, made);
  return made;
}

/** Returns whether events were written. */
async function write(db: Sender, values: Values): Promise<boolean> {
  // The names are those of the type.
  const names = Object.keys(values) as readonly Part[];
  if (names.length === 0) return false;
  const row = first(await statementOf(names)(db, Object.assign({}, ...Object.values(values))));
  return row?.hasEvents === true;
}
