/** The few statements that read a source, in the words of each engine. */
import { PlainError } from "../../kernel/errors.ts";
import type { SourceEngine, SourceRow, TableQuery } from "./database.ts";

/** Names, hashes and addresses are far shorter; longer cells are cut. */
const cellLengthMax = 10_000;

/** Rows of a page where the reader asks for no other number. */
export const usualPageRows = 1000;

/** A column with another name is refused by each engine, or, by SQLite, taken for a text. */
export function quoted(engine: SourceEngine, name: string): string {
  if (name === "" || name.includes("\0")) throw new PlainError("invalid", "a table or column has no name");
  return engine === "mysql" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
}

/** `SELECT … FROM …` with every cell as a text. */
export function selection(
  engine: SourceEngine,
  { table, columns, bytes = [] }: Pick<TableQuery, "table" | "columns" | "bytes">,
): string {
  const cells = columns.map((column) => {
    const name = quoted(engine, column);
    return `${bytes.includes(column) ? hexes[engine](name) : textOf(engine, name)} AS ${name}`;
  });
  return `SELECT ${cells.join(", ")} FROM ${quoted(engine, table)}`;
}

/** A cell as a text. */
export function textOf(engine: SourceEngine, name: string): string {
  return texts[engine](name);
}

const texts: Readonly<Record<SourceEngine, (name: string) => string>> = {
  mysql: (name) => `LEFT(CAST(${name} AS CHAR), ${cellLengthMax})`,
  postgres: (name) => `left(${name}::text, ${cellLengthMax})`,
  sqlite: (name) => `substr(CAST(${name} AS TEXT), 1, ${cellLengthMax})`,
};

const hexes: Readonly<Record<SourceEngine, (name: string) => string>> = {
  mysql: (name) => `LOWER(HEX(LEFT(${name}, ${cellLengthMax})))`,
  postgres: (name) => `encode(substring(${name} from 1 for ${cellLengthMax}), 'hex')`,
  // Of null hex() makes an empty text.
  sqlite: (name) =>
    `CASE WHEN ${name} IS NULL THEN NULL ELSE lower(hex(substr(${name}, 1, ${cellLengthMax}))) END`,
};

/** What a driver gives for a row, as texts. */
export function toRow(found: Readonly<Record<string, unknown>>): SourceRow {
  const row: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(found)) row[name] = toText(value);
  return row;
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
    ? `${value}`
    : null;
}

/** The name as it is spelled there: exactly, else the only one that differs in case alone. */
export function spelledAs(name: string, names: readonly string[]): string | null {
  if (names.includes(name)) return name;
  const others = names.filter((one) => one.toLowerCase() === name.toLowerCase());
  return others.length === 1 ? (others[0] ?? null) : null;
}
