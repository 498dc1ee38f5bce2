/* Communities that come from elsewhere, as lists, and the bare insertion of what an import made of them. */
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { paintedSkinFile } from "./textures.ts";

/** Rows of one transaction, as an import has them. */
const batchRows = 500;

/** Writes a list of so many accounts, and with textures as many skins of their own. Returns its path. */
export async function writeList(folder: string, accounts: number, textures = false): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "people.csv");
  const writer = Bun.file(path).writer();
  void writer.write("username,mail,mail_verified,password_hash,created,skin\n");
  for (let number = 0; number < accounts; number++) {
    if (textures) await Bun.write(join(folder, `${number}.png`), paintedSkinFile(number));
    const skin = textures ? `${number}.png` : "";
    void writer.write(
      `Sailor_${number},sailor${number}@example.org,true,${passwordHash},1500000000,${skin}\n`,
    );
    if (number % 10_000 === 0) await writer.flush();
  }
  await writer.end();
  return path;
}

const passwordHash = "$2a$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";

type Row = Readonly<Record<string, unknown>>;

/** The tables of which an import without textures writes rows, for each of its accounts. */
const tables = ["accounts", "players", "import_links"] as const;
/** What says which account a row comes with. */
const ownerOf: Readonly<Record<(typeof tables)[number], (row: Row) => number>> = {
  accounts: ({ id }) => Number(id),
  players: ({ account_id }) => Number(account_id),
  import_links: ({ local_id }) => Number(local_id),
};

/** The rows of each batch, by their tables. */
type Batches = readonly Readonly<Record<(typeof tables)[number], readonly Row[]>>[];

function batchesOf(all: Readonly<Record<(typeof tables)[number], readonly Row[]>>): Batches {
  const first = Math.min(...all.accounts.map(({ id }) => Number(id)));
  const batches: Record<(typeof tables)[number], Row[]>[] = [];
  for (const table of tables) {
    for (const row of all[table]) {
      const place = Math.floor((ownerOf[table](row) - first) / batchRows);
      (batches[place] ??= { accounts: [], players: [], import_links: [] })[table].push(row);
    }
  }
  return batches;
}

/**
 * Inserts the rows that an import made in one database into another one, which is empty: with statements that
 * are prepared once. Returns the seconds.
 */
export function insertBare(from: string, into: string): number {
  using made = new Database(from, { readonly: true });
  const rowsOf = (table: string) => made.query<Row, []>(`SELECT * FROM ${table}`).all();
  const batches = batchesOf({
    accounts: rowsOf("accounts"),
    players: rowsOf("players"),
    import_links: rowsOf("import_links"),
  });
  using database = new Database(into);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"])
    database.run(`PRAGMA ${pragma}`);
  const insertions = new Map<string, ReturnType<typeof database.prepare<unknown, SQLQueryBindings[]>>>();
  const insert = (table: string, row: Row): void => {
    const names = Object.keys(row);
    const known = insertions.get(table);
    const statement =
      known ??
      database.prepare<unknown, SQLQueryBindings[]>(
        `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      );
    if (known === undefined) insertions.set(table, statement);
    statement.run(...(Object.values(row) as SQLQueryBindings[])); // what SQLite itself returned
  };
  const makeMain = database.prepare("UPDATE accounts SET main_player_id = ? WHERE id = ?");
  const start = performance.now();
  for (const batch of batches) {
    database.run("BEGIN IMMEDIATE");
    for (const row of batch.accounts) insert("accounts", { ...row, main_player_id: null });
    for (const row of batch.players) insert("players", row);
    for (const row of batch.accounts) makeMain.run(Number(row["main_player_id"]), Number(row["id"]));
    for (const row of batch.import_links) insert("import_links", row);
    database.run("COMMIT");
  }
  return (performance.now() - start) / 1000;
}

/** The same on PostgreSQL: one array for each column of a batch. */
export async function insertBareOnPostgres(from: string, into: string): Promise<number> {
  await using made = new SQL({ url: from, max: 1 });
  await using sql = new SQL({ url: into, max: 1 });
  const rowsOf = async (table: string) => [...(await made.unsafe(`SELECT * FROM ${table}`))] as Row[];
  const batches = batchesOf({
    accounts: await rowsOf("accounts"),
    players: await rowsOf("players"),
    import_links: await rowsOf("import_links"),
  });
  const types = await columnTypes(sql);
  const insert = async (table: string, rows: readonly Row[]): Promise<void> => {
    const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "seq");
    const lists = names.map((_, place) => `$${place + 1}::${types.get(`${table}.${names[place]}`)}[]`);
    const columns = names.map((name) => `"${name}"`).join();
    await sql.unsafe(
      `INSERT INTO ${table} (${columns}) SELECT * FROM unnest(${lists.join()})`,
      names.map((name) => arrayText(rows.map((row) => row[name]))),
    );
  };
  const start = performance.now();
  for (const batch of batches) {
    await sql.unsafe("BEGIN ISOLATION LEVEL SERIALIZABLE");
    await insert(
      "accounts",
      batch.accounts.map((row) => ({ ...row, main_player_id: null })),
    );
    await insert("players", batch.players);
    await sql.unsafe(
      "UPDATE accounts SET main_player_id = new.player FROM unnest($1::bigint[], $2::bigint[]) AS new (id, player) WHERE accounts.id = new.id",
      [
        arrayText(batch.accounts.map(({ id }) => id)),
        arrayText(batch.accounts.map(({ main_player_id }) => main_player_id)),
      ],
    );
    await insert("import_links", batch.import_links);
    await sql.unsafe("COMMIT");
  }
  return (performance.now() - start) / 1000;
}

async function columnTypes(sql: SQL): Promise<ReadonlyMap<string, string>> {
  const rows: readonly Row[] = await sql`
    SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'`;
  return new Map(
    rows.map(({ table_name, column_name, data_type }) => [
      `${text(table_name)}.${text(column_name)}`,
      text(data_type),
    ]),
  );
}

/** Cells are texts, numbers and flags. */
function text(cell: unknown): string {
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

/** A list as PostgreSQL reads an array. */
function arrayText(values: readonly unknown[]): string {
  const cells = values.map((value) =>
    value === null || value === undefined ? "NULL" : `"${text(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${cells.join()}}`;
}
