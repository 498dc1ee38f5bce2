import { PlainError } from "../../kernel/errors.ts";
import { copiedTables } from "../model/copied-tables.ts";
import type {
  Cell,
  CopiedRow,
  CopiedTable,
  CopyPosition,
  TableSource,
  TableTarget,
} from "../ports/table-copy.ts";
import { chainCheck, type ChainFault } from "./chain-check.ts";
import type { Progress } from "./progress.ts";

/** Rows that one statement reads or writes. */
const pageRows = 2_000;

type CopyDeps = {
  readonly source: TableSource;
  readonly target: TableTarget;
  /** Changes rows of textures on their way: their files get other names in another store. */
  readonly carry: (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<readonly CopiedRow[]>;
  readonly progress: Progress;
  /** Stops the work, with its reason. */
  readonly signal: AbortSignal;
};

/**
 * Copies every row of every table, from where the target is. Each page is kept together with the position
 * after it, so a copy that was killed goes on. Fails with the signal's reason, and with invalid for a value
 * that no table of ours holds.
 */
export async function copyTables(deps: CopyDeps): Promise<void> {
  const { source, target, progress } = deps;
  const total = await sumOf(source.tables, (table) => source.count(table));
  let position = await target.position();
  let done = await sumOf(source.tables.slice(0, position.table + 1), (table) => target.count(table));
  for (const table of source.tables.slice(position.table)) {
    position = await copyTable(deps, table, position, (rows) => {
      done += rows;
      progress("copying", done, Math.max(done, total));
    });
  }
}

async function copyTable(
  { source, target, carry, signal }: CopyDeps,
  table: CopiedTable,
  begin: CopyPosition,
  onRows: (rows: number) => void,
): Promise<CopyPosition> {
  let position = begin;
  let reading = source.rows(table, position.after, pageRows);
  for (;;) {
    signal.throwIfAborted();
    const rows = await reading;
    const last = rows.at(-1);
    if (last === undefined) break;
    const to = { table: position.table, after: keyOf(table, last) };
    const carried = await carry(
      table,
      rows.map((row) => plainRow(table, row)),
    );
    // While the target writes this page, the source reads the next one.
    reading = source.rows(table, to.after, pageRows);
    // Its failure is found where it is awaited; meanwhile it must not end the process.
    reading.catch(() => undefined);
    await target.put(table, carried, { from: position, to });
    position = to;
    onRows(rows.length);
    if (rows.length < pageRows) break;
  }
  await reading.catch(() => undefined);
  const next = { table: position.table + 1, after: null };
  await target.put(table, [], { from: position, to: next });
  return next;
}

function keyOf(table: CopiedTable, row: CopiedRow): readonly Cell[] {
  return table.key.map((index) => row[index] ?? null);
}

/**
 * The row as every engine can hold it. PostgreSQL keeps no character of number 0, which a launcher may have
 * put into a text. Fails with invalid for a value of another kind.
 */
function plainRow(table: CopiedTable, row: CopiedRow): CopiedRow {
  return table.columns.map(({ kind, name }, index) => {
    const value = row[index] ?? null;
    if (value === null) return null;
    if (kind === "text" && typeof value === "string")
      return value.includes("\0") ? value.replaceAll("\0", "") : value;
    if (kind !== "text" && typeof value === "number" && Number.isSafeInteger(value)) return value;
    const key = JSON.stringify(keyOf(table, row)).slice(0, 100);
    throw new PlainError(
      "invalid",
      `the row ${key} of ${table.name} has a value in ${name} that does not belong there`,
    );
  });
}

/**
 * What a comparison found: equal tables, and where the audit's chain is broken on both sides; null when it is
 * whole.
 */
export type Comparison = {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly chainFault: ChainFault | null;
};

/**
 * Reads every row of both sides again and compares their numbers and hashes, table by table, and checks the
 * chain of the audit as it was written. `masked` names columns of textures that differ on purpose. Fails with
 * conflict where the sides differ: the source was changed since the copy began.
 */
export async function compareTables(
  deps: Pick<CopyDeps, "source" | "target" | "progress" | "signal">,
  masked: readonly string[],
): Promise<Comparison> {
  const tables: { readonly name: string; readonly rows: number }[] = [];
  let chainFault: ChainFault | null = null;
  for (const [done, table] of deps.source.tables.entries()) {
    deps.progress("comparing", done, copiedTables.length);
    const [here, there] = await Promise.all([
      digestOf(deps.source, table, { masked, signal: deps.signal }),
      digestOf(deps.target, table, { masked, signal: deps.signal }),
    ]);
    if (here.rows !== there.rows || here.sha256 !== there.sha256) {
      throw new PlainError(
        "conflict",
        `${table.name} is not the same on both sides (${here.rows} and ${there.rows} rows): the source was changed since the copy` +
          " began. Empty the target and begin again",
      );
    }
    tables.push({ name: table.name, rows: here.rows });
    chainFault ??= there.chainFault;
  }
  return { tables, chainFault };
}

async function digestOf(
  side: TableSource,
  table: CopiedTable,
  { masked, signal }: { readonly masked: readonly string[]; readonly signal: AbortSignal },
): Promise<{ readonly rows: number; readonly sha256: string; readonly chainFault: ChainFault | null }> {
  const hidden = new Set(
    table.columns.flatMap(({ name }, index) => (masked.includes(`${table.name}.${name}`) ? [index] : [])),
  );
  const hasher = new Bun.CryptoHasher("sha256");
  const chain = table.name === "audit_entries" ? chainCheck(table) : null;
  let rows = 0;
  for (let after: readonly Cell[] | null = null; ;) {
    signal.throwIfAborted();
    const page: readonly CopiedRow[] = await side.rows(table, after, pageRows);
    for (const row of page) {
      const plain = plainRow(table, row);
      chain?.take(plain);
      hasher.update(
        JSON.stringify(hidden.size === 0 ? plain : plain.filter((_, index) => !hidden.has(index))),
      );
    }
    rows += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows)
      return { rows, sha256: hasher.digest("hex"), chainFault: chain?.fault() ?? null };
    after = keyOf(table, last);
  }
}

async function sumOf(
  tables: readonly CopiedTable[],
  count: (table: CopiedTable) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const table of tables) sum += await count(table);
  return sum;
}
