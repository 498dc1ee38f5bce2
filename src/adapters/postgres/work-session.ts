import { AppError } from "../../kernel/errors.ts";
import { describeAddress, type PostgresAddress } from "./address.ts";
import { createConnection, type ConnectionOptions, type Session } from "./connection.ts";
import { findServer } from "./primary.ts";

/** A connection of its own for one long piece of work: bringing the schema up to date, copying tables, examining. */
export type WorkSession = Session & AsyncDisposable;

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
  const options: ConnectionOptions = {
    address,
    prepared: false,
    settings,
    connectSeconds: 10,
    statementMs: Infinity,
  };
  try {
    const host = await findServer(options, "primary");
    const connection = createConnection(host, options, { role: "primary", onFault: () => undefined });
    await connection.open();
    const { send, command } = await connection.reserve();
    return { send, command, [Symbol.asyncDispose]: () => Promise.resolve(connection.close()) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown";
    const words = `the database ${describeAddress(address)} cannot be used: ${reason}`;
    throw new AppError("unavailable", words, { cause });
  }
}
