import { SQLiteError, type Database } from "bun:sqlite";
import type { Chunks, DatabaseCopy, Sum } from "../../domain/ports/backup-ports.ts";
import type { PlaceMark } from "../../domain/ports/place-label.ts";
import type { TextureRow, TextureRows } from "../../domain/ports/texture-files.ts";
import { PlainError } from "../../kernel/errors.ts";
import { translateFault } from "./faults.ts";
import { openHandle } from "./handle.ts";
import { migrations, pendingMigrations, schemaVersion } from "./migrations.ts";
import { schemaFaults } from "./own-schema.ts";
import { readPlace } from "./place-mark.ts";

/** Rows that one statement reads. */
const pageRows = 1000;
/** Faults that are reported; more would not help an operator. */
const faultsMax = 20;

/**
 * Writes an online copy, complete even while other processes write: SQLite reads one snapshot and blocks no
 * writer. It needs as much disk as the rows take, and blocks the event loop.
 */
export function copyDatabase(from: string, to: string): void {
  using live = openHandle(from, { readonly: true });
  live.run("PRAGMA busy_timeout = 5000");
  try {
    live.query("VACUUM INTO ?").run(to);
  } catch (error) {
    throw translateFault(error);
  }
}

/**
 * The rows of the live database, which other processes may be writing. Fails with conflict when a newer
 * program wrote it.
 */
export function openLiveRows(path: string): Disposable &
  TextureRows & {
    readonly hasAccounts: () => boolean;
    /** The community's id; empty in an older schema. */
    readonly community: () => string;
    /** The id of the place of its textures. */
    readonly place: Pick<PlaceMark, "read">;
    /** See `schemaFaults`. */
    readonly schemaFaults: () => readonly string[];
  } {
  const live = openHandle(path, { readonly: true });
  live.run("PRAGMA busy_timeout = 5000");
  try {
    pendingMigrations(live);
  } catch (error) {
    live.close(true);
    throw error;
  }
  return {
    ...rowsOf(live),
    schemaFaults: () => schemaFaults(live),
    community: () => (hasFiles(live) ? communityOf(live) : ""),
    place: { read: () => readPlace(live) },
    hasAccounts: () => live.query("SELECT 1 FROM accounts LIMIT 1").get() !== null,
    [Symbol.dispose]: () => live.close(true),
  };
}

/**
 * Opens a database that no other process has open. Fails with invalid when the file is not a database of this
 * program.
 */
export function openCopy(path: string): DatabaseCopy {
  let copy: Database | null = null;
  try {
    copy = openHandle(path, { readwrite: true, create: false });
    return copyOf(copy, path);
  } catch (error) {
    copy?.close(true);
    if (!(error instanceof SQLiteError)) throw error;
    throw new PlainError("invalid", `its database cannot be read: ${error.message}`, { cause: error });
  }
}

function copyOf(copy: Database, path: string): DatabaseCopy {
  // The sum is over one file, so nothing may stay in a log beside it.
  copy.run("PRAGMA journal_mode = DELETE");
  copy.run("PRAGMA foreign_keys = ON");
  const remove = ["skins", "capes"].map((table) => ({
    table,
    rows: copy.query(`DELETE FROM ${table} WHERE texture_hash = ?`),
  }));
  const uncount = isCountedByStores(copy)
    ? copy.query("UPDATE row_counts SET rows = rows - ? WHERE name = ?")
    : null;
  // The server will take the wings out of the cape's file again.
  const forgetWings = hasWings(copy)
    ? [copy.query("UPDATE capes SET wings_hash = NULL, wings_sought = 0 WHERE wings_hash = ?")]
    : [];
  const removeTexture = copy.query("DELETE FROM textures WHERE hash = ?");
  const nameByHash = hasFiles(copy)
    ? [
        "UPDATE textures SET file = hash WHERE file <> hash",
        "DELETE FROM dropped_files",
        "DELETE FROM marks WHERE name = 'place'",
      ]
    : [];
  const setDigest = copy.query("UPDATE textures SET digest = ? WHERE hash = ?");

  return {
    ...rowsOf(copy),
    schema: schemaVersion(copy),
    schemaFaults: () => schemaFaults(copy),
    faults: () => databaseFaults(copy, "integrity_check"),
    forgetTexture: (hash) => {
      for (const { table, rows } of remove) {
        const { changes } = rows.run(hash);
        uncount?.run(changes, table);
      }
      for (const statement of [...forgetWings, removeTexture]) statement.run(hash);
    },
    setFile: (hash, file) => void copy.query("UPDATE textures SET file = ? WHERE hash = ?").run(file, hash),
    setDigest: (hash, digest) => void setDigest.run(digest, hash),
    nameFilesByHash: () => {
      for (const statement of nameByHash) copy.run(statement);
    },
    setPlace: (id) => {
      if (!hasFiles(copy)) return null;
      copy.query("INSERT OR REPLACE INTO marks (name, value) VALUES ('place', ?)").run(id);
      return communityOf(copy);
    },
    sum: () => sumOf(path),
    content: () => Bun.file(path).stream(),
    [Symbol.dispose]: () => copy.close(true),
  };
}

/**
 * What SQLite finds wrong: first pages and indexes (`quick_check` skips the costly ones), then references to
 * missing rows.
 */
export function databaseFaults(
  database: Database,
  check: "integrity_check" | "quick_check",
): readonly string[] {
  const words = database.query<Record<string, string>, []>(`PRAGMA ${check}(${faultsMax})`).all();
  const broken = database
    .query<{ table: string }, [number]>('SELECT "table" FROM pragma_foreign_key_check LIMIT ?')
    .all(faultsMax);
  return [
    ...words.flatMap((row) => Object.values(row)).filter((text) => text !== "ok"),
    ...broken.map(({ table }) => `a row of ${table} refers to one that is not there`),
  ];
}

/** Fails with conflict for a schema that only a newer program knows. */
export function checkSchema(schema: number): void {
  if (schema <= migrations.length) return;
  throw new PlainError(
    "conflict",
    `it was made by a newer version (schema ${schema}, this program knows ${migrations.length}): install that one`,
  );
}

/** Whether capes have wings: an older schema does not know them. */
function hasWings(database: Database): boolean {
  const column = "SELECT 1 FROM pragma_table_info('capes') WHERE name = 'wings_hash'";
  return database.query(column).get() !== null;
}

/** Whether rows of textures name their files: in an older schema the hash does. */
function hasFiles(database: Database): boolean {
  return database.query("SELECT 1 FROM pragma_table_info('textures') WHERE name = 'file'").get() !== null;
}

/** Triggers of older schemas count by themselves, and the oldest ones counted nothing. */
function isCountedByStores(database: Database): boolean {
  return schemaVersion(database) > migrations.findIndex(({ name }) => name === "0014_without_triggers");
}

function communityOf(database: Database): string {
  const row = database.query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'community'").get();
  return row?.value ?? "";
}

/** The cells of a `TextureRow`. */
export function textureCells(database: Database): string {
  return `hash, digest, ${hasFiles(database) ? "file" : "hash AS file"}`;
}

function rowsOf(database: Database): TextureRows {
  const page = database.query<TextureRow, [string, number]>(
    `SELECT ${textureCells(database)} FROM textures WHERE hash > ? ORDER BY hash LIMIT ?`,
  );
  const find = database.query<TextureRow, [string]>(
    `SELECT ${textureCells(database)} FROM textures WHERE hash = ?`,
  );
  const orWings = hasWings(database) ? " OR wings_hash = ?1" : "";
  const uses = ["skins WHERE texture_hash = ?1", `capes WHERE texture_hash = ?1${orWings}`].map((rows) =>
    database.query<{ rows: number }, [string]>(`SELECT count(*) AS rows FROM ${rows}`),
  );
  return {
    textures: function* () {
      for (let last = ""; ;) {
        const rows = page.all(last, pageRows);
        yield* rows;
        if (rows.length < pageRows) return;
        last = rows.at(-1)?.hash ?? "";
      }
    },
    findTexture: (hash) => find.get(hash),
    countUses: (hash) => uses.reduce((sum, statement) => sum + (statement.get(hash)?.rows ?? 0), 0),
  };
}

async function sumOf(path: string): Promise<Sum> {
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for await (const chunk of Bun.file(path).stream() as Chunks) {
    hasher.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hasher.digest("hex") };
}
