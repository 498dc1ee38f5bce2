/** What MySQL and PostgreSQL have in common as sources. */
import { lookup } from "node:dns/promises";
import { SQL } from "bun";
import { PlainError } from "../../kernel/errors.ts";
import { isIpAddress } from "../../kernel/ip-address.ts";
import { limits } from "../../kernel/limits.ts";
import { networkReason } from "../../kernel/network-reasons.ts";
import { createOneByOne } from "../../kernel/one-by-one.ts";
import { readPlainTextSync } from "../../kernel/plain-files.ts";
import { within } from "../../kernel/within.ts";
import { describeSource, type ServerAddress } from "./address.ts";
import { placeOf, type SourceDatabase, type SourceRow, type TableQuery } from "./database.ts";
import { fileFault, serverFault } from "./faults.ts";
import { quoted, selection, spelledAs, toRow } from "./statements.ts";

const connectSeconds = 10;
/** A page of a large table without an index for it is sorted first. A line that was cut answers never. */
const statementSeconds = 600;

/** Sends a statement on the one connection, after those before it. */
export type Ask = (statement: string, values?: readonly (string | number)[]) => Promise<readonly SourceRow[]>;

/** What differs between the servers. */
export type ServerWords = {
  /** Begins a read-only transaction that shows one moment. */
  readonly begin: readonly string[];
  /** Names of tables and views, as `name`. */
  readonly tables: string;
  /** Columns of a table by its name, as `name` and `type`, in their order. */
  readonly columns: (table: string) => readonly [statement: string, values: readonly string[]];
  readonly pages: (
    ask: Ask,
    query: TableQuery,
    typeOf: (column: string) => string,
  ) => AsyncIterable<readonly SourceRow[]>;
  /** A place for a value in a statement. */
  readonly value: (index: number) => string;
};

/** Opens the only connection and begins to read. */
export async function openServerDatabase(
  address: ServerAddress,
  words: ServerWords,
): Promise<SourceDatabase> {
  const { engine } = address;
  await requireHost(address);
  const client = clientOf(address);
  try {
    const connection = await client.reserve();
    const inTurn = createOneByOne();
    const ask: Ask = (statement, values = []) =>
      inTurn("", async () => {
        try {
          const query = connection.unsafe<Record<string, unknown>[]>(statement, [...values]);
          const found = await within(statementSeconds * 1000, query, () => {
            throw new PlainError("invalid", `${describeSource(address)}: no answer in ${statementSeconds} s`);
          });
          return Array.from(found, toRow);
        } catch (cause) {
          throw serverFault(address, cause);
        }
      });
    for (const statement of words.begin) await ask(statement);
    const tables = (await ask(words.tables)).map(({ name }) => name ?? "");
    const spelled = (table: string): string => spelledAs(table, tables) ?? table;
    const columns = async (table: string) => {
      const [statement, values] = words.columns(spelled(table));
      return ask(statement, values);
    };
    return {
      engine,
      name: describeSource(address),
      place: (...parts) => placeOf(address, parts),
      tables: () => Promise.resolve(tables),
      columns: async (table) => {
        const found = (await columns(table)).map(({ name }) => name ?? "");
        return found.length === 0 ? null : found;
      },
      count: async (table) => {
        const [row] = await ask(`SELECT count(*) AS n FROM ${quoted(engine, spelled(table))}`);
        return Number(row?.["n"] ?? 0);
      },
      pages: (query) => pagesOf(ask, words, { ...query, table: spelled(query.table) }),
      find: async ({ table, columns: wanted, where, values }) =>
        ask(
          `${selection(engine, { table: spelled(table), columns: wanted })} WHERE ${quoted(engine, where)} IN (${values
            .map((_, index) => words.value(index))
            .join(", ")}) LIMIT 1000`,
          values,
        ),
      userVersion: () => Promise.resolve(0),
      [Symbol.asyncDispose]: () => client.close({ timeout: 0 }),
    };
  } catch (cause) {
    void client.close({ timeout: 0 });
    throw serverFault(address, cause);
  }
}

async function* pagesOf(
  ask: Ask,
  words: ServerWords,
  query: TableQuery,
): AsyncGenerator<readonly SourceRow[]> {
  const [statement, values] = words.columns(query.table);
  const types = new Map((await ask(statement, values)).map(({ name, type }) => [name, type ?? ""]));
  yield* words.pages(ask, query, (column) => types.get(column) ?? "");
}

/** Bun says of a name without an address only that it failed to connect. */
async function requireHost(address: ServerAddress): Promise<void> {
  const { host } = address;
  if (host.startsWith("/") || isIpAddress(host)) return;
  try {
    await lookup(host);
  } catch (cause) {
    const reason = networkReason(cause) ?? "no address is known for its name";
    throw new PlainError("invalid", `${describeSource(address)}: ${reason}; check the host`, { cause });
  }
}

function clientOf(address: ServerAddress): SQL {
  const { engine, host, port } = address;
  const isSocket = host.startsWith("/");
  const urlHost = host.includes(":") ? `[${host}]` : host;
  // With an address in a text: beside options alone Bun reads DATABASE_URL and MYSQL_URL.
  return new SQL(`${engine}://${isSocket ? "localhost" : urlHost}:${port}`, {
    adapter: engine,
    ...(isSocket && { path: engine === "postgres" ? `${host}/.s.PGSQL.${port}` : host }),
    username: address.user,
    password: address.password() ?? "",
    database: address.database,
    max: 1,
    tls: tlsOf(address),
    // Poolers give each transaction another connection; everything here is one transaction.
    prepare: engine === "mysql",
    connectionTimeout: connectSeconds,
    // Textures are read between pages, for as long as that takes.
    idleTimeout: 0,
    maxLifetime: 0,
  });
}

function tlsOf({ host, tls, caFile }: ServerAddress): NonNullable<SQL.PostgresOrMySQLOptions["tls"]> {
  if (tls === "disable" || host.startsWith("/")) return false;
  if (tls === "require") return { rejectUnauthorized: false };
  return {
    rejectUnauthorized: true,
    ...(caFile !== null && { ca: readCertificates(caFile) }),
  };
}

function readCertificates(path: string): string {
  try {
    return readPlainTextSync(path, limits.operatorFileBytesMax);
  } catch (cause) {
    throw fileFault(path, cause);
  }
}
