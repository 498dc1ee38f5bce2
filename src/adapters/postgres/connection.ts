import { SQL } from "bun";
import { toFault } from "./faults.ts";
import type { Row, Sender } from "./sender.ts";

/** How connections to one server are opened. */
export type ConnectionOptions = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: Exclude<SQL.PostgresOrMySQLOptions["tls"], undefined>;
  /** Whether statements are kept prepared under a name; not behind a pooler in transaction mode. */
  readonly prepared: boolean;
  /** Settings of the server for this connection. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectSeconds: number;
};

/** The connection while one transaction has it for itself. */
export type Session = Sender & {
  /** Sends BEGIN, COMMIT or ROLLBACK. Resolves to what the server did: it answers the COMMIT of a failed transaction with ROLLBACK. */
  readonly command: (text: string) => Promise<string>;
};

/** A connection that is opened when it is first needed, and again after it has ended. */
export function openConnection(options: ConnectionOptions) {
  // With the address in a text: Bun would read DATABASE_URL beside options alone.
  const client = new SQL(addressOf(options), {
    adapter: "postgres",
    username: options.user,
    password: options.password,
    database: options.database,
    max: 1,
    tls: options.tls,
    prepare: options.prepared,
    connection: { ...options.settings },
    connectionTimeout: options.connectSeconds,
  });
  return {
    connect: async (): Promise<void> => void (await client.connect()),
    send: (text: string, values: readonly unknown[]) => ask(client, text, values),
    /** Keeps other statements away until it is released, which also closes a connection that is still in a transaction. */
    reserve: async (): Promise<Session & { readonly release: () => void }> => {
      const reserved = await client.reserve();
      return {
        send: (text, values) => ask(reserved, text, values),
        command: async (text) => {
          try {
            return (await reserved<unknown[]>(asTemplate(text))).command ?? "";
          } catch (error) {
            throw toFault(error);
          }
        },
        release: () => void reserved.release(),
      };
    },
    /** At once: everything that is under way fails. */
    close: () => client.close({ timeout: 0 }),
  };
}

export type Connection = ReturnType<typeof openConnection>;

function addressOf({ host, port }: ConnectionOptions): string {
  return `postgres://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function ask(client: SQL, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const query =
    values.length === 0
      ? client<unknown[][]>(asTemplate(text))
      : client.unsafe<unknown[][]>(text, [...values]);
  try {
    const result = await query.values();
    return withNumbers(result, result.columns);
  } catch (error) {
    throw toFault(error);
  }
}

/** A text without values, as a template: Bun prepares templates, and sends the next statement without waiting for their answer. */
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
