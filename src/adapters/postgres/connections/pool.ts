/**
 * Connections to the server that is used. What the driver lacks is here: several hosts, deadlines, bounded
 * waiting, outages.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../../kernel/log.ts";
import type { ServerHost } from "../../../kernel/server-address.ts";
import type { PostgresAddress } from "./address.ts";
import {
  plannedOnce,
  refusedAtConnect,
  refusedInTransactions,
  withoutCompiling,
  type ServerSettings,
} from "./connection-settings.ts";
import { createConnection, type ConnectionOptions, type Role } from "./connection.ts";
import { StatementFault, translateFault, type FaultKind } from "./faults.ts";
import { laneUser } from "./lane-user.ts";
import type { Manner } from "./lane.ts";
import { deadlineMs, openLanes, statsOf, sweeper, type LaneName } from "./lanes.ts";
import type { Sender } from "../../sql/sender.ts";
import type { ServerNews } from "./server-watch.ts";
import type { TransactionSession } from "./session.ts";
import { watchServers, type Condition } from "./used-server.ts";

/**
 * How long opening a connection may take: with a look for another server that is less than a request's four
 * seconds.
 */
const connectSeconds = 2;
/** How long a server may take to answer whether it is the one. */
const answerSeconds = 1;
/** However often a statement that stands alone meets another transaction, it ends. */
const statementRunsMax = 10;

export type Pool = AsyncDisposable & {
  /**
   * Finds the server. Fails with its fault when there is none; from then on one is looked for each second.
   */
  readonly start: () => Promise<void>;
  /** For reads: one whose connection ended is asked once more. Fails with an error of the domain. */
  readonly read: Sender;
  /** For writes of one statement, which no transaction surrounds. Unavailable: it may have been done. */
  readonly write: Sender;
  /** As these, for what the program does by itself: it never waits for requests. */
  readonly jobs: { readonly read: Sender; readonly write: Sender };
  /** As `write`, for what keeps the node going. */
  readonly node: Sender;
  /**
   * For reads by which the node knows of the database: while a standby is away each write waits for it, and
   * these wait for no write.
   */
  readonly looks: Sender;
  /**
   * Gives the work a connection for itself, at once after others' turns if it goes on. It fails with faults;
   * what is built on its session can be kept for the next time.
   */
  readonly transaction: <T>(
    lane: "requests" | "jobs",
    work: (session: TransactionSession) => Promise<T>,
    goesOn?: boolean,
  ) => Promise<T>;
  /** The text that begins a transaction of the lane. */
  readonly beginText: (lane: "requests" | "jobs") => string;
  /** Whether a server is known: false says that everything fails. */
  readonly isOpen: () => boolean;
  readonly condition: () => Condition;
  /** The server in use; and calls the listener whenever that changes. */
  readonly server: () => ServerHost | null;
  readonly onServer: (listener: (news: ServerNews) => void) => Disposable;
  readonly options: ConnectionOptions;
  readonly stats: () => ReturnType<typeof statsOf>;
};

export type PoolOptions = {
  readonly address: PostgresAddress;
  /** Connections for requests. */
  readonly requestSlots: number;
  readonly prepared: boolean;
  /** How the server's lists of connections name this one. */
  readonly applicationName: string;
  readonly role?: Role;
  readonly log: Pick<Logger, "info" | "warn">;
};

export function openPool(given: PoolOptions): Pool {
  const lanes = openLanes(given.requestSlots, given.prepared);
  const noteLeftOut = leftOutNoter(given);
  const { watch, condition, needs } = watchServers({
    options: { ...optionsOf(given, "node"), connectSeconds: answerSeconds },
    role: given.role ?? "primary",
    lanes: Object.values(lanes),
    looked: noteLeftOut,
    log: given.log,
  });
  const use = laneUser({
    watch,
    lanes,
    open: (name, host) => createConnection(host, optionsOf(given, name), needs),
  });
  const sweep = sweeper(lanes, () => watch.suspect());

  return {
    start: () => watch.look(),
    read: senderOf(use, "requests", afterRead),
    write: senderOf(use, "requests", afterWrite, "apart"),
    jobs: { read: senderOf(use, "jobs", afterRead), write: senderOf(use, "jobs", afterWrite, "apart") },
    node: senderOf(use, "node", afterWrite),
    looks: senderOf(use, "looks", afterRead),
    transaction: transactor(use, given, noteLeftOut),
    beginText: (name) => beginText(given, name),
    isOpen: () => watch.current !== null,
    condition,
    server: () => watch.current?.host ?? null,
    onServer: (listener) => watch.onServer(listener),
    options: optionsOf(given, "node"),
    stats: () => statsOf(lanes),
    [Symbol.asyncDispose]: () => {
      sweep[Symbol.dispose]();
      watch.close();
      return Promise.resolve();
    },
  };
}

/** Logs the settings that are left out, each time that there are more of them. */
function leftOutNoter({ address, prepared, log }: PoolOptions): () => void {
  const refused = prepared ? refusedAtConnect : refusedInTransactions;
  let noted = 0;
  return () => {
    const names = refused.names(address);
    if (names.length === noted) return;
    noted = names.length;
    log.info("the database takes not every setting of a connection: it goes on without", {
      settings: names.join(", "),
    });
  };
}

/**
 * The faults after which a statement that stands alone runs again: a write whose connection ended may have
 * been done.
 */
const afterWrite: ReadonlySet<FaultKind> = new Set(["standby", "conflict"]);
const afterRead: ReadonlySet<FaultKind> = new Set([...afterWrite, "ended"]);

/** A sender of single statements, which run again after these faults. */
function senderOf(
  use: ReturnType<typeof laneUser>,
  name: LaneName,
  repeats: ReadonlySet<FaultKind>,
  manner: Manner = "together",
): Sender {
  return {
    send: async (text, values) => {
      for (let run = 1; ; run++) {
        try {
          return await use(name, { manner }, (connection) => connection.send(text, values));
        } catch (error) {
          await mayRunAgain(error, run, repeats);
        }
      }
    },
  };
}

/**
 * Gives works a connection for themselves. One whose transaction did not begin because of a setting runs
 * again without it.
 */
function transactor(
  use: ReturnType<typeof laneUser>,
  { address }: PoolOptions,
  noteLeftOut: () => void,
): Pool["transaction"] {
  return (name, work, goesOn = false) =>
    use(name, { manner: "held", goesOn }, async (connection, slot) => {
      const reserved = await connection.reserve();
      try {
        return await slot.session.over(reserved, work);
      } catch (fault) {
        if (!refusedInTransactions.leaveOut(address, fault)) throw fault;
        noteLeftOut();
        throw new StatementFault("conflict", null, "the transaction begins again without a setting");
      } finally {
        reserved.release();
      }
    });
}

/**
 * Returns when a statement that stands alone may run again; else throws its fault as an error of the domain.
 */
async function mayRunAgain(error: unknown, run: number, repeats: ReadonlySet<FaultKind>): Promise<void> {
  const kind = error instanceof StatementFault ? error.kind : "other";
  const runsMax = kind === "conflict" ? statementRunsMax : 2;
  if (!repeats.has(kind) || run >= runsMax) throw translateFault(error);
  if (kind === "conflict") await pause(Math.random() * 5 * run);
}

function optionsOf({ address, prepared, applicationName }: PoolOptions, name: LaneName): ConnectionOptions {
  return {
    address,
    prepared,
    connectSeconds,
    statementMs: deadlineMs[name],
    settings: {
      application_name: applicationName,
      ...(prepared && { ...settingsOf(name), ...plannedOnce }),
    },
  };
}

/**
 * A pooler that gives each transaction another connection takes no settings for a connection: they are then
 * the transaction's.
 */
function beginText({ address, prepared }: PoolOptions, name: LaneName): string {
  const settings = prepared ? [] : Object.entries(refusedInTransactions.taken(address, settingsOf(name)));
  const local = settings.map(([setting, value]) => `; SET LOCAL ${setting} = ${value}`);
  return ["BEGIN ISOLATION LEVEL SERIALIZABLE", ...local].join("");
}

/**
 * The server ends a transaction whose node is gone, before others wait for its locks for long, and its
 * statements some time after we gave them up. Not before: a COMMIT that waits for a synchronous standby would
 * then be answered as if it had not waited, and what was answered could be lost.
 */
function settingsOf(name: LaneName): ServerSettings {
  return {
    statement_timeout: deadlineMs[name] + 2_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 3_000,
    tcp_user_timeout: 5_000,
    // Small tables would be read whole, which locks them whole against other transactions.
    enable_seqscan: "off",
    ...withoutCompiling,
  };
}
