/** Rows of a database as they are copied to another engine, and from one. */
import { copiedTables, type CopiedTableName } from "../../../domain/model/copied-tables.ts";
import type {
  CopiedRow,
  CopiedTable,
  CopyPosition,
  LastNumbers,
  TableSource,
  TableTarget,
} from "../../../domain/ports/table-copy.ts";
import { PlainError } from "../../../kernel/errors.ts";
import type { ServerSession } from "../connections/connection.ts";
import { described } from "../../sql/copied-tables.ts";
import { insertText, pageText, relationOf } from "./copied-tables.ts";
import { stateOf } from "../connections/faults.ts";
import { completeTables } from "./complete-tables.ts";
import { placeMark, readMark } from "../cluster/marks.ts";
import { movingOf, moveOn } from "./moving.ts";
import { ownReferences, schemaFaults, type OwnReference } from "../own-schema.ts";
import type { Sender } from "../../sql/sender.ts";

/** The rows that the sender reads: within one transaction all as of one moment. */
export function tableSource(sender: Sender): TableSource {
  return {
    tables: described,
    rows: async (table, after, most) => {
      const rows = await sender.send(pageText(table, after !== null), [most, ...(after ?? [])]);
      // The columns are those of `described`: texts, and numbers that the sender has made of int8.
      return rows as readonly CopiedRow[];
    },
    count: async (table) => numberOf(await sender.send(`SELECT count(*) FROM ${relationOf(table)}`, [])),
    lastNumbers: () => lastNumbersOf(sender),
    community: async () => (await readMark(sender, "community")) ?? "",
    place: placeMark(sender),
  };
}

/**
 * Fails with conflict while the leader's work is left that no copy can do for it: mails to everybody that are
 * half written.
 */
export async function refuseUnfinished(sender: Sender): Promise<void> {
  if (!(await isWritingMails(sender))) return;
  throw new PlainError(
    "conflict",
    "a mail to everybody is still being written for each of them: start a node, wait a minute, and stop it",
  );
}

/** Whether a mail to everybody is still being written for each of them. */
export async function isWritingMails(sender: Sender): Promise<boolean> {
  return numberOf(await sender.send("SELECT count(*) FROM bulk_copying", [])) > 0;
}

/** Where rows go: a database that `beginMove` has prepared. */
export async function tableTarget(session: ServerSession): Promise<TableTarget> {
  const references = await ownReferences(session);
  await dropReferences(session, references);
  return {
    ...tableSource(session),
    place: placeMark(session),
    position: async () => (await movingOf(session)).position,
    put: (table, rows, step) => put(session, table, rows, step),
    complete: async (lastNumbers, progress) => {
      await addReferences(session, references);
      await completeTables(session, lastNumbers, progress);
    },
    faults: () => schemaFaults(session),
  };
}

async function put(
  session: ServerSession,
  table: CopiedTable,
  rows: readonly CopiedRow[],
  { from, to }: { readonly from: CopyPosition; readonly to: CopyPosition },
): Promise<void> {
  await session.command("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    await moveOn(session, { from, to });
    if (rows.length > 0) {
      const cells = table.columns.map((_, place) => rows.map((row) => row[place] ?? null));
      await session.send(insertText(table), cells);
    }
    await session.command("COMMIT");
  } catch (cause) {
    await session.command("ROLLBACK").catch(() => undefined);
    throw wordsFor(table, cause);
  }
}

function wordsFor(table: CopiedTable, cause: unknown): unknown {
  if (stateOf(cause) === "53100") return new PlainError("no_space", "the database's disk is full", { cause });
  if (stateOf(cause) !== "23505") return cause;
  return new PlainError("conflict", `the target holds rows of ${table.name} that are not from this copy`, {
    cause,
  });
}

/**
 * Accounts and players refer to each other, and each reference that is checked row by row costs time. They
 * come back at the end.
 */
async function dropReferences(session: ServerSession, references: readonly OwnReference[]): Promise<void> {
  for (const { table, name } of references)
    await session.send(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS "${name}"`, []);
}

async function addReferences(session: ServerSession, references: readonly OwnReference[]): Promise<void> {
  for (const { table, name, made } of references) {
    await session
      .send(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${made}`, [])
      .catch((cause: unknown) => {
        if (stateOf(cause) === "42710") return;
        if (stateOf(cause) !== "23503") throw cause;
        throw new PlainError("conflict", `a row of ${table} refers to one that is not there (${name})`, {
          cause,
        });
      });
  }
}

/** A sequence may be ahead of every row, whose numbers are not given again. */
async function lastNumbersOf(sender: Sender): Promise<LastNumbers> {
  const rows = await sender.send(
    `SELECT tablename::text, attname::text FROM pg_tables
       JOIN pg_attribute ON attrelid = format('%I.%I', schemaname, tablename)::regclass AND attidentity <> ''
     WHERE schemaname = current_schema()`,
    [],
  );
  const numbers = new Map<CopiedTableName, number>();
  for (const [table, column] of rows) {
    const name = copiedTables.find((one) => one === table);
    if (name === undefined) continue;
    const text = `SELECT greatest(
        (SELECT max("${String(column)}") FROM ${name}),
        (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "${name}_${String(column)}_seq"))`;
    numbers.set(name, numberOf(await sender.send(text, [])));
  }
  const events =
    "SELECT value::bigint + (SELECT count(*) FROM event_notes) FROM marks WHERE name = 'last_event'";
  numbers.set("events", numberOf(await sender.send(events, [])));
  return numbers;
}

function numberOf(rows: readonly (readonly unknown[])[]): number {
  return Number(rows[0]?.[0] ?? 0);
}
