/**
 * What follows from rows that were copied: what searches look through, the head of the audit, the next
 * numbers.
 */
import type { LastNumbers } from "../../../domain/ports/table-copy.ts";
import { addSearchIndex, dropSearchIndexes } from "../search-index.ts";
import { searchText, type SearchKind } from "../search.ts";
import type { Sender } from "../../sql/sender.ts";

/** Rows whose texts one statement writes. */
const pageRows = 2_000;

/** The lines that a row is found by, after a number, in the order of numbers. */
const sources: Readonly<Record<SearchKind, string>> = {
  user: `SELECT id, ARRAY[mail] || ARRAY(SELECT name FROM players WHERE account_id = accounts.id ORDER BY id)
         FROM accounts WHERE id > $1 ORDER BY id LIMIT ${pageRows}`,
  skin: `SELECT id, ARRAY[name] FROM skins WHERE id > $1 ORDER BY id LIMIT ${pageRows}`,
  cape: `SELECT id, ARRAY[name] FROM capes WHERE id > $1 ORDER BY id LIMIT ${pageRows}`,
  audit: `SELECT id, ARRAY[issuer, action] FROM audit_entries WHERE id > $1 ORDER BY id LIMIT ${pageRows}`,
};

/** Can be ended between any two statements, and done again. */
export async function completeTables(
  sender: Sender,
  lastNumbers: LastNumbers,
  progress: (step: string, done: number) => void,
): Promise<void> {
  let done = 0;
  // An index that follows each row costs four times what making it at the end does.
  await dropSearchIndexes(sender);
  for (const kind of ["user", "skin", "cape", "audit"] as const) {
    await fillSearch(sender, kind, (rows) => {
      done += rows;
      progress("making searches", done);
    });
  }
  await addSearchIndex(sender, { mayExtend: true });
  await sender.send(
    `UPDATE audit_head SET entry_id = newest.id, hash = newest.hash
     FROM (SELECT id, hash FROM audit_entries ORDER BY id DESC LIMIT 1) AS newest`,
    [],
  );
  await sender.send("UPDATE marks SET value = $1 WHERE name = 'last_event'", [
    String(lastNumbers.get("events") ?? 0),
  ]);
  for (const [table, last] of lastNumbers) await setLastNumber(sender, table, last);
  await sender.send("ANALYZE", []);
}

/** The texts come in the order of numbers, so the highest one says how far it is. */
async function fillSearch(sender: Sender, kind: SearchKind, onRows: (rows: number) => void): Promise<void> {
  const [last] = await sender.send("SELECT coalesce(max(id), 0) FROM search_texts WHERE kind = $1", [kind]);
  for (let after = Number(last?.[0] ?? 0); ;) {
    const rows = await sender.send(sources[kind], [after]);
    const ids = rows.map(([id]) => Number(id));
    const texts = rows.map(([, lines]) => searchText(Array.isArray(lines) ? lines : []));
    if (rows.length > 0) {
      await sender.send(
        "INSERT INTO search_texts (kind, id, text) SELECT $1, * FROM unnest($2::bigint[], $3::text[])",
        [kind, ids, texts],
      );
      onRows(rows.length);
    }
    if (rows.length < pageRows) return;
    after = ids.at(-1) ?? after;
  }
}

async function setLastNumber(sender: Sender, table: string, last: number): Promise<void> {
  if (last === 0) return;
  const [row] = await sender.send(
    "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass($1) AND attidentity <> ''",
    [table],
  );
  if (row !== undefined)
    await sender.send(`SELECT setval($1::regclass, $2::bigint)`, [`${table}_${String(row[0])}_seq`, last]);
}
