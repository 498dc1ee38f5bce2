import { type AppError, PlainError } from "../../../kernel/errors.ts";
import { describeAddress, type PostgresAddress } from "./address.ts";
import { withoutCompiling } from "./connection-settings.ts";
import { createConnection, type ConnectionOptions, type Role, type ServerSession } from "./connection.ts";
import { StatementFault } from "./faults.ts";
import { findServer, requirementOf, type Choice } from "./primary.ts";
import { recallTimelines } from "./timelines.ts";

/**
 * A connection of its own for one long piece of work: bringing the schema up to date, copying tables,
 * examining.
 */
export type WorkSession = ServerSession & AsyncDisposable;

/** Building an index over millions of rows takes minutes. */
const statementMs = 60 * 60 * 1000;

/**
 * Statements may take long, and other work may lie between those of a transaction. It names no settings that
 * it needs, because poolers refuse them.
 */
const options: Omit<ConnectionOptions, "address"> = {
  prepared: false,
  settings: withoutCompiling,
  connectSeconds: 10,
  statementMs,
};

/** A machine that is busy, or a server that starts, may answer at the next try. */
const triesMax = 5;
const pauseMs = 1000;
/** No further try begins after this time. */
const triesMs = 15_000;
/** How long one may take for a caller that tries again itself, or only asks whether it is there. */
const onceSeconds = 5;

/** How long a server is waited for: `once` makes one short try. */
export type Patience = "usual" | "once";

/** A database, and the file in which this node has noted the timelines of its servers (`timelines.ts`). */
export type NotedDatabase = { readonly address: PostgresAddress; readonly timelineFile: string };

/**
 * Connects to the primary, with the role `writes` only while it takes writes. Fails with unavailable when
 * every one is a standby, was replaced as far as this node knows, or cannot be reached; the report names the
 * remedy.
 */
export function openWorkSession(
  { address, timelineFile }: NotedDatabase,
  patience: Patience = "usual",
  role: Exclude<Role, "any"> = "primary",
): Promise<WorkSession> {
  recallTimelines(timelineFile);
  return openPatiently(address, patience, role);
}

/**
 * Connects once, for some seconds at most, to a server that may be a standby: the first of the list among
 * those that answer.
 */
export function openCopySession(address: PostgresAddress): Promise<WorkSession> {
  return openPatiently(address, "once", "any");
}

async function openPatiently(address: PostgresAddress, patience: Patience, role: Role): Promise<WorkSession> {
  const isOnce = patience === "once";
  const given = { ...options, address, ...(isOnce && { connectSeconds: onceSeconds }) };
  const until = performance.now() + triesMs;
  for (let tries = 1; ; tries++) {
    try {
      return await openOnce(given, role);
    } catch (cause) {
      const isLast = isOnce || tries === triesMax || performance.now() > until;
      if (isLast || !mayAnswer(cause)) throw unusable(address, cause);
      await Bun.sleep(pauseMs);
    }
  }
}

/** Asks all servers of the list once, for some seconds at most. Fails as none that can be used. */
export function lookAtAll({ address, timelineFile }: NotedDatabase): Promise<Choice> {
  recallTimelines(timelineFile);
  return findServer({ ...options, address, connectSeconds: onceSeconds }, { role: "primary" });
}

/** The failure of a command or a start, with what the server or the driver said. */
export function unusable(address: PostgresAddress, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = cause instanceof StatementFault ? cause.remedy : null;
  return new PlainError("unavailable", `the database ${describeAddress(address)} cannot be used: ${reason}`, {
    cause,
    ...(remedy !== null && { report: { remedy } }),
  });
}

async function openOnce(given: ConnectionOptions, role: Role): Promise<WorkSession> {
  const { host } = await findServer(given, { role });
  const connection = createConnection(host, given, {
    require: requirementOf(role),
    onFault: () => undefined,
  });
  await connection.open();
  const { send, command } = await connection.reserve();
  return { send, command, [Symbol.asyncDispose]: () => Promise.resolve(connection.close()) };
}

function mayAnswer(cause: unknown): boolean {
  return cause instanceof StatementFault && (cause.kind === "late" || cause.kind === "full");
}
