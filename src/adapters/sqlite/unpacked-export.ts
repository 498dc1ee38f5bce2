import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { UnpackedExport, UnpackedLine } from "../../domain/ports/export-ports.ts";
import { inMemory, openHandle } from "./handle.ts";

/** What SQLite keeps in memory of it. */
const cacheKiB = 8192;

/**
 * Opens an empty place, in a private file of the machine's folder for temporary files. No other process sees
 * it, and it is gone when this process is.
 */
export function openUnpackedExport(): UnpackedExport {
  const database = openHandle(inMemory);
  // A database without a name is on disk, and Bun opens one in memory instead of it.
  database.run("ATTACH '' AS unpacked");
  database.run(`PRAGMA unpacked.cache_size = -${cacheKiB}`);
  for (const pragma of ["journal_mode", "synchronous"]) database.run(`PRAGMA unpacked.${pragma} = OFF`);
  database.run("CREATE TABLE unpacked.files (name TEXT PRIMARY KEY, bytes BLOB)");
  const addFile = database.query("INSERT OR IGNORE INTO unpacked.files VALUES (?, ?)");
  const file = database.query<{ bytes: Uint8Array }, [string]>(
    "SELECT bytes FROM unpacked.files WHERE name = ?",
  );
  const tables = new Map<string, LineTable>();
  const tableOf = (kind: string) => {
    const table = tables.get(kind) ?? lineTable(database, kind);
    tables.set(kind, table);
    return table;
  };
  return {
    putLines: (of, texts) => tableOf(of).put(texts),
    putFile: (name, bytes) => addFile.run(name, bytes).changes === 1,
    lines: (of, after, rows) => tableOf(of).page(after, rows),
    linesOf: (of, account) => tableOf(of).ofAccount(account),
    file: (name) => file.get(name)?.bytes ?? null,
    space: async () => {
      const { bavail, bsize, blocks } = await statfs(placeOfTemporary());
      return blocks === 0 ? null : bavail * bsize;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** SQLite begins with /var/tmp where TMPDIR names no other folder. */
function placeOfTemporary(): string {
  const named = tmpdir();
  return named === "/tmp" && existsSync("/var/tmp") ? "/var/tmp" : named;
}

type LineTable = {
  readonly put: (texts: readonly string[]) => void;
  readonly page: (after: number, rows: number) => readonly UnpackedLine[];
  readonly ofAccount: (account: string) => readonly string[];
};

/** `kind` is one of a list of ours. */
function lineTable(database: Database, kind: string): LineTable {
  const name = `lines_${kind}`;
  database.run(`CREATE TABLE unpacked.${name} (n INTEGER PRIMARY KEY, account TEXT, text TEXT)`);
  const isOfAccounts = kind === "aliases" || kind === "suspensions";
  if (isOfAccounts) database.run(`CREATE INDEX unpacked.${name}_account ON ${name} (account)`);
  const account = isOfAccounts ? "CASE WHEN json_valid(?1) THEN json_extract(?1, '$.account') END" : "NULL";
  const add = database.query<null, [string]>(
    `INSERT INTO unpacked.${name} (account, text) VALUES (${account}, ?1)`,
  );
  const page = database.query<UnpackedLine, [number, number]>(
    `SELECT n, text FROM unpacked.${name} WHERE n > ? ORDER BY n LIMIT ?`,
  );
  const find = database.query<{ text: string }, [string, number]>(
    `SELECT text FROM unpacked.${name} WHERE account = ? ORDER BY n LIMIT ?`,
  );
  return {
    put: database.transaction((texts: readonly string[]) => {
      for (const text of texts) add.run(text);
    }),
    page: (after, rows) => page.all(after, rows),
    ofAccount: (of) => find.all(of, linesOfAccountMax).map(({ text }) => text),
  };
}

/** More of one account are no community's. */
const linesOfAccountMax = 1000;
