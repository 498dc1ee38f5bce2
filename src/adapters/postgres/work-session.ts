import { AppError } from "../../kernel/errors.ts";
import { describeAddress, type PostgresAddress } from "./address.ts";
import { createConnection, type ConnectionOptions, type Session } from "./connection.ts";
import { StatementFault } from "./faults.ts";
import { findServer } from "./primary.ts";

/** A connection of its own for one long piece of work: bringing the schema up to date, copying tables, examining. */
export type WorkSession = Session & AsyncDisposable;

/** Building an index over millions of rows takes minutes. */
const statementMs = 60 * 60 * 1000;

/**
 * Statements may take long, and other work may lie between those of a transaction. It names no settings of the connection, which
 * poolers refuse.
 */
const options: Omit<ConnectionOptions, "address"> = {
  prepared: false,
  settings: {},
  connectSeconds: 10,
  statementMs,
};

/** A machine that is busy, or a server that starts, may answer at the next try. */
const triesMax = 5;
const pauseMs = 1000;

/** Connects to the server that takes writes. Fails with unavailable when every one is a standby, or cannot be reached. */
export async function openWorkSession(address: PostgresAddress): Promise<WorkSession> {
  for (let tries = 1; ; tries++) {
    try {
      return await openOnce({ ...options, address });
    } catch (cause) {
      if (tries < triesMax && mayAnswer(cause)) {
        await Bun.sleep(pauseMs);
        continue;
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      const words = `the database ${describeAddress(address)} cannot be used: ${reason}`;
      throw new AppError("unavailable", words, { cause });
    }
  }
}

async function openOnce(given: ConnectionOptions): Promise<WorkSession> {
  const host = await findServer(given, "primary");
  const connection = createConnection(host, given, { role: "primary", onFault: () => undefined });
  await connection.open();
  const { send, command } = await connection.reserve();
  return { send, command, [Symbol.asyncDispose]: () => Promise.resolve(connection.close()) };
}

function mayAnswer(cause: unknown): boolean {
  return cause instanceof StatementFault && (cause.kind === "late" || cause.kind === "full");
}
