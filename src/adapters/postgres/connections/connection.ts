import { SQL } from "bun";
import type { ServerHost } from "../../../kernel/server-address.ts";
import type { PostgresAddress } from "./address.ts";
import { refusedAtConnect, type ServerSettings } from "./connection-settings.ts";
import { connectFault, lateFault, StatementFault, toFault } from "./faults.ts";
import type { Row, Sender } from "../../sql/sender.ts";
import { readStanding, type Standing } from "./standing.ts";
import { tlsOptions } from "./tls-options.ts";

/** What all connections of a pool have in common. */
export type ConnectionOptions = {
  readonly address: PostgresAddress;
  /**
   * Whether statements are kept prepared under a name: not behind a pooler that gives each transaction
   * another connection.
   */
  readonly prepared: boolean;
  /** The server's settings for the connection, which such a pooler would refuse. */
  readonly settings: ServerSettings;
  /** How long opening one may take. */
  readonly connectSeconds: number;
  /** How long a statement may take. */
  readonly statementMs: number;
};

/** The connection while one transaction has it for itself. */
export type ServerSession = Sender & {
  /** Sends a statement without values. Resolves to what the server says that it did. */
  readonly command: (text: string) => Promise<string>;
};

/** One connection to one server, from its opening to its end. */
export type Connection = Sender & {
  /** Opens it, once. Fails as what is required of the server does. */
  readonly open: () => Promise<void>;
  readonly isOpen: () => boolean;
  /** Whether it was open and is not any more. */
  readonly hasEnded: () => boolean;
  /** Since when the oldest statement waits for its answer (`performance.now()`); null without one. */
  readonly waitsSince: () => number | null;
  /**
   * Keeps other statements away until it is released. One that is released within a transaction is closed.
   */
  readonly reserve: () => Promise<ServerSession & { readonly release: () => void }>;
  /** At once: what is under way fails. */
  readonly close: () => void;
};

/**
 * What a server has to be for a connection to be of use. A `primary` may have been switched to reads only;
 * one that `writes` not.
 */
export type Role = "writes" | "primary" | "any";

type Needs = {
  /** Throws when the server that it is connected to is not to be used; null: any is. */
  readonly require: ((standing: Standing) => void) | null;
  /** Called with each fault of a statement, unless we closed the connection. */
  readonly onFault: (fault: StatementFault) => void;
};

export function createConnection(
  host: ServerHost,
  options: ConnectionOptions,
  { require, onFault }: Needs,
): Connection {
  // Answers come in the order of the statements.
  const sentAt: number[] = [];
  let opening: Promise<void> | null = null;
  let state: "new" | "open" | "ended" | "closed" = "new";
  const client = openClient(host, options, 1, () => {
    if (state === "open") state = "ended";
  });

  const timed = async <T>(query: Promise<T>): Promise<T> => {
    const now = performance.now();
    sentAt.push(now);
    try {
      return await query;
    } catch (error) {
      const isLate = performance.now() - now >= options.statementMs;
      const fault = isLate ? lateFault(options.statementMs / 1000) : toFault(error);
      if (fault instanceof StatementFault && state !== "closed") onFault(fault);
      throw fault;
    } finally {
      sentAt.shift();
    }
  };
  const open = async (): Promise<void> => {
    try {
      await client.connect();
      if (require !== null) require(await standingOf(client, host));
    } catch (error) {
      void client.close({ timeout: 0 });
      throw connectFault(error);
    }
    if (state === "new") state = "open";
  };

  return {
    open: () => (opening ??= open()),
    isOpen: () => state === "open",
    hasEnded: () => state === "ended" || state === "closed",
    waitsSince: () => sentAt[0] ?? null,
    send: (text, values) => timed(ask(client, text, values)),
    reserve: async () => {
      const reserved = await timed(client.reserve());
      return {
        send: (text, values) => timed(ask(reserved, text, values)),
        command: (text) => timed(commanded(reserved, text, options.prepared)),
        release: () => void reserved.release(),
      };
    },
    close: () => {
      state = "closed";
      void client.close({ timeout: 0 });
    },
  };
}

/** A client of Bun's with so many connections at most, which are opened when they are needed. */
export function openClient(
  { host, port }: ServerHost,
  { address, prepared, settings, connectSeconds }: ConnectionOptions,
  max: number,
  onClose: () => void = () => undefined,
): SQL {
  const isSocket = host.startsWith("/");
  // With an address in a text: beside options alone Bun reads DATABASE_URL, whose list of hosts it refuses.
  return new SQL(`postgres://${isSocket ? "localhost" : inUrl(host)}:${port}`, {
    adapter: "postgres",
    ...(isSocket && { path: host }),
    username: address.user,
    password: address.password() ?? "",
    database: address.database,
    max,
    tls: isSocket ? "disable" : tlsOptions(address),
    prepare: prepared,
    connection: { ...refusedAtConnect.taken(address, settings) },
    connectionTimeout: connectSeconds,
    onclose: onClose,
  });
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Asks the server of a client what it is. */
export function standingOf(client: SQL, host: ServerHost): Promise<Standing> {
  return readStanding(host, async (text) => {
    try {
      return await ask(client, text, []);
    } catch (error) {
      throw toFault(error);
    }
  });
}

async function ask(client: SQL, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const query =
    values.length === 0
      ? client<unknown[][]>(asTemplate(text))
      : client.unsafe<unknown[][]>(text, [...values]);
  const result = await query.values();
  return withNumbers(result, result.columns);
}

/** Behind a pooler the text may be several commands; what was done is then what the first of them did. */
async function commanded(client: SQL, text: string, prepared: boolean): Promise<string> {
  const result = await (prepared
    ? client<unknown[]>(asTemplate(text))
    : client.unsafe<unknown[]>(text).simple());
  return result.command ?? "";
}

/**
 * A text without values, as a template: Bun prepares these, and sends the next statement without waiting for
 * their answer.
 */
function asTemplate(text: string): TemplateStringsArray {
  // The cast gives the array the property that the call before it defines.
  return Object.defineProperty([text], "raw", { value: [text] }) as readonly string[] as TemplateStringsArray;
}

/** The server's number for `int8`, which Bun gives as a text. */
const int8 = 20;

function withNumbers(rows: unknown[][], columns: readonly SQL.ResultColumn[] | null): readonly Row[] {
  for (const [index, column] of (columns ?? []).entries()) {
    if (column.type !== int8) continue;
    for (const row of rows) if (typeof row[index] === "string") row[index] = Number(row[index]);
  }
  return rows;
}
