/** Systems with one table, in which each row is an account with the one player of its name. */
import type {
  ImportSource,
  SourceAccount,
  SourceFacts,
  SourceFactor,
  SourcePages,
  SourcePassword,
  SourcePlayer,
  SourceProblem,
  SourceSystem,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { numberOf, timeOf, type TimeZone } from "./cells.ts";
import { requireColumns, type SourceDatabase, type SourceRow } from "./database.ts";
import { noPages } from "./list-pages.ts";
import { spelledAs } from "./statements.ts";

/** A column of a row by the name that the reader knows; null for one that is missing, null or empty. */
export type Cells = (column: string | null) => string | null;

/** What a row says. */
export type SignInRow = {
  /** What tells it apart from other rows, as it is written there. */
  readonly id: string;
  /** The name that it signs in with and plays under; null: it has none, and does not come. */
  readonly name: string | null;
  readonly mail: string | null;
  readonly password: SourcePassword | null;
  readonly uuid: string | null;
  readonly hasFactor: boolean;
  readonly createdAt: number | null;
  readonly lastSeenAt: number | null;
};

/** How a system keeps its rows. */
export type SignInTable = {
  readonly system: SourceSystem;
  readonly table: string;
  /** Columns without which nothing can be read. */
  readonly needs: readonly string[];
  /** Columns that some versions lack. */
  readonly wants: readonly string[];
  /** Columns in whose order rows may be read; the first one that is there is taken. */
  readonly keys: readonly string[];
  /** What to look at if the table or a column is missing. */
  readonly hint: string;
  readonly read: (cells: Cells) => SignInRow;
  readonly uuidRule: SourceFacts["uuidRule"];
  readonly notes: readonly string[];
  /** The textures of players; null: the system has none. */
  readonly looks: Looks | null;
};

/** Files of textures that belong to the players of rows. */
export type Looks = {
  /** The textures of a player that have a file. */
  readonly of: (player: { readonly name: string; readonly uuid: string | null }) => readonly Look[];
  readonly read: ImportSource["readTexture"];
};

/** A texture's file, and the reader's own word for where it is. */
export type Look = Pick<SourceTexture, "kind" | "file">;

/**
 * Opens the table of a database, which is closed with it. Fails with a sentence if the table or one of the
 * needed columns is missing, and closes the database then.
 */
export async function openSignInTable(database: SourceDatabase, layout: SignInTable): Promise<ImportSource> {
  try {
    return await sourceOf(database, layout);
  } catch (cause) {
    await database[Symbol.asyncDispose]();
    throw cause;
  }
}

async function sourceOf(database: SourceDatabase, layout: SignInTable): Promise<ImportSource> {
  const { system, table, looks } = layout;
  const there = (await database.columns(table)) ?? [];
  const spelled = (column: string) => spelledAs(column, there) ?? column;
  await requireColumns(database, table, layout.needs.map(spelled), layout.hint);
  const columns = [...layout.needs, ...layout.wants].map(spelled).filter((column) => there.includes(column));
  const key = layout.keys.map(spelled).find((column) => there.includes(column)) ?? "";
  const pages = () => readPages(database, layout, { columns: [...new Set(columns)], key, spelled });
  return {
    system,
    place: database.place(system, table),
    facts: {
      accounts: await database.count(table),
      uuidRule: layout.uuidRule,
      isAboutOthers: false,
      notes: layout.notes,
    },
    accounts: () => accountPages(pages(), table),
    players: () => mapPages(pages(), (row) => [toPlayer(row, table, looks)]),
    textures: () => (looks === null ? noPages() : mapPages(pages(), (row) => texturesOf(row, looks))),
    holdings: noPages,
    identities: noPages,
    factors: () => mapPages(pages(), (row) => factorsOf(row, table)),
    invites: noPages,
    readTexture: looks?.read ?? (async () => null),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

type Named = SignInRow & { readonly name: string };

type Reading = {
  readonly columns: readonly string[];
  readonly key: string;
  readonly spelled: (column: string) => string;
};

async function* readPages(
  database: SourceDatabase,
  { table, read }: SignInTable,
  { columns, key, spelled }: Reading,
): AsyncGenerator<readonly SignInRow[]> {
  for await (const rows of database.pages({ table, columns, key })) {
    yield rows.map((row) => read(cellsOf(row, spelled)));
  }
}

function cellsOf(row: SourceRow, spelled: (column: string) => string): Cells {
  return (column) => {
    const cell = column === null ? null : (row[spelled(column)] ?? null);
    return cell === null || cell.trim() === "" ? null : cell;
  };
}

async function* accountPages(
  pages: AsyncIterable<readonly SignInRow[]>,
  table: string,
): SourcePages<SourceAccount> {
  for await (const rows of pages) {
    const nameless = rows.filter(({ name }) => name === null);
    const problems = nameless.map(({ id }): SourceProblem => {
      return { key: `${table}:${id}`, kind: "account", reason: "it has no name" };
    });
    yield { rows: rows.filter(isNamed).map((row) => toAccount(row, table)), problems };
  }
}

async function* mapPages<Record>(
  pages: AsyncIterable<readonly SignInRow[]>,
  toRecords: (row: Named) => readonly Record[],
): SourcePages<Record> {
  for await (const rows of pages) {
    yield { rows: rows.filter(isNamed).flatMap(toRecords), problems: [] };
  }
}

function isNamed(row: SignInRow): row is Named {
  return row.name !== null;
}

function toAccount(row: Named, table: string): SourceAccount {
  return {
    key: `${table}:${row.id}`,
    login: row.name,
    mail: row.mail,
    // These systems do not ask for a proof, or do not say who gave one.
    mailVerified: false,
    password: row.password,
    level: 1,
    suspended: null,
    language: null,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    playersMax: null,
    uuid: null,
  };
}

function toPlayer(row: Named, table: string, looks: Looks | null): SourcePlayer {
  const key = `${table}:${row.id}`;
  const shown = looks?.of(row) ?? [];
  const keyOf = (kind: Look["kind"]) => {
    const look = shown.find((one) => one.kind === kind);
    return look === undefined ? null : lookKey(look);
  };
  return {
    key,
    account: key,
    name: row.name,
    uuid: row.uuid,
    skin: keyOf("skin"),
    skinModel: null,
    cape: keyOf("cape"),
    createdAt: row.createdAt,
  };
}

function texturesOf(row: Named, looks: Looks): readonly SourceTexture[] {
  return looks.of(row).map(({ kind, file }) => {
    return { key: lookKey({ kind, file }), kind, name: row.name, model: null, file, createdAt: null };
  });
}

function lookKey({ kind, file }: Look): string {
  return `${kind}:${file}`;
}

function factorsOf(row: Named, table: string): readonly SourceFactor[] {
  const key = `${table}:${row.id}`;
  return row.hasFactor ? [{ key, account: key }] : [];
}

/** A password of a row; null for an empty one. */
export function passwordOf(
  text: string | null,
  kind: string | null = null,
  salt: string | null = null,
): SourcePassword | null {
  return text === null ? null : { text, kind, salt };
}

/** 31 December 9999: what is later is no date. */
const secondsMax = 253_402_300_799;
/** A time in seconds has at most this many until the year 5138; more are milliseconds. */
const secondsBelow = 100_000_000_000;

/**
 * A time as Unix seconds, from a number of seconds or milliseconds, or as it is written, in a zone of its own
 * or in this one. Null for zero and for what is no time.
 */
export function momentOf(cell: string | null, zone: TimeZone): number | null {
  const number = numberOf(cell);
  if (number === null) return timeOf(cell, zone);
  const seconds = Math.floor(number >= secondsBelow ? number / 1000 : number);
  return seconds > 0 && seconds <= secondsMax ? seconds : null;
}
