import { readFileSync } from "node:fs";
import { AppError } from "../../kernel/errors.ts";
import { describeAddress, type PostgresAddress, type PostgresHost } from "./address.ts";
import { openConnection, type ConnectionOptions, type Session } from "./connection.ts";

/** A connection of its own for one long piece of work: bringing the schema up to date, copying tables, examining. */
export type WorkSession = Session & AsyncDisposable;

const connectSeconds = 10;

/**
 * Its statements may take long, and other work may lie between those of a transaction. The server still ends the transaction of a
 * process whose machine is gone, by the keepalives.
 */
const settings = {
  application_name: "cloakroom work",
  client_min_messages: "warning",
  statement_timeout: 0,
  lock_timeout: "30s",
  idle_in_transaction_session_timeout: 0,
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};

/** Connects to the host that takes writes. Fails with unavailable when every host is a standby, or cannot be reached. */
export async function openWorkSession(address: PostgresAddress): Promise<WorkSession> {
  let failure: unknown = null;
  for (const host of address.hosts) {
    const connection = openConnection(optionsOf(address, host));
    try {
      const [row] = await connection.send("SELECT pg_is_in_recovery()", []);
      if (row?.[0] === false) {
        const session = await connection.reserve();
        return { ...session, [Symbol.asyncDispose]: () => connection.close() };
      }
    } catch (cause) {
      failure = cause;
    }
    await connection.close();
  }
  const reason = failure instanceof Error ? failure.message : "no host takes writes";
  throw new AppError("unavailable", `the database ${describeAddress(address)} cannot be used: ${reason}`, {
    cause: failure,
  });
}

function optionsOf(address: PostgresAddress, { host, port }: PostgresHost): ConnectionOptions {
  const { user, password, database } = address;
  const own = { host, port, user, password: password() ?? "", database, tls: tlsOf(address, host) };
  return { ...own, prepared: false, settings, connectSeconds };
}

function tlsOf({ tls, caFile }: PostgresAddress, host: string): ConnectionOptions["tls"] {
  if (tls === "disable") return false;
  if (tls === "require") return { rejectUnauthorized: false };
  const ca = caFile === null ? {} : { ca: readFileSync(caFile, "utf8") };
  return {
    ...ca,
    rejectUnauthorized: true,
    ...(tls === "verify-ca" && { checkServerIdentity: () => undefined }),
    serverName: host,
  };
}
