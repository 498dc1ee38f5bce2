/** Connections to the server that is used. What the driver lacks is here: several hosts, deadlines, bounded waiting, outages. */
import { setTimeout as pause } from "node:timers/promises";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Logger } from "../../../kernel/log.ts";
import { behalf } from "../../../kernel/on-behalf.ts";
import type { PostgresAddress, PostgresHost } from "./address.ts";
import {
  refusedAtConnect,
  refusedInTransactions,
  withoutCompiling,
  type ServerSettings,
} from "./connection-settings.ts";
import { createConnection, type Connection, type ConnectionOptions, type Role } from "./connection.ts";
import { StatementFault, translateFault, type FaultKind } from "./faults.ts";
import { createLane, type Asking, type Lane, type Manner, type Slot } from "./lane.ts";
import type { Sender } from "../../sql/sender.ts";
import type { ServerNews, ServerWatch } from "./server-watch.ts";
import type { TransactionSession } from "./session.ts";
import { watchServers, type Condition } from "./used-server.ts";

/** Statements and transactions that may wait for a connection: at a thousand a second the last one waits for two seconds. */
const waitingMax = 2_000;
/** How long opening a connection may take: with a look for another server that is less than a request's four seconds. */
const connectSeconds = 2;
/** How long a server may take to answer whether it is the one. */
const answerSeconds = 1;
/** How often deadlines are looked at. */
const sweepMs = 100;
/** A process that was stopped, or busy for so long, finds answers that came meanwhile: its statements are not late yet. */
const lateSweepMs = 600;
/** How long no connection is opened to a server that takes no more. */
const restMs = 1000;
/** Servers may end connections as fast as they are opened. */
const openingsMax = 3;
/** However often a statement that stands alone meets another transaction, it ends. */
const statementRunsMax = 10;

/** Whose work it is: that of requests; of jobs, which may take longer; what keeps the node itself going; or its looks at the database. */
export type LaneName = "requests" | "jobs" | "node" | "looks";

/** How long a statement may take, and wait for a connection before. */
const deadlineMs = { requests: 3_000, jobs: 10_000, node: 3_000, looks: 3_000 } as const satisfies Record<
  LaneName,
  number
>;

export type Pool = AsyncDisposable & {
  /** Finds the server. Fails with its fault when there is none; from then on one is looked for each second. */
  readonly start: () => Promise<void>;
  /** For reads: one whose connection ended is asked once more. Fails with an error of the domain. */
  readonly read: Sender;
  /** For writes of one statement, which no transaction surrounds. Unavailable: it may have been done. */
  readonly write: Sender;
  /** As these, for what the program does by itself: it never waits for requests. */
  readonly jobs: { readonly read: Sender; readonly write: Sender };
  /** As `write`, for what keeps the node going. */
  readonly node: Sender;
  /** For reads by which the node knows of the database: while a standby is away each write waits for it, and these wait for no write. */
  readonly looks: Sender;
  /**
   * Gives the work a connection for itself, at once after others' turns if it goes on. It fails with faults; what is built on its
   * session can be kept for the next time.
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
  readonly server: () => PostgresHost | null;
  readonly onServer: (listener: (news: ServerNews) => void) => Disposable;
  readonly options: ConnectionOptions;
  readonly stats: () => Readonly<Record<LaneName, ReturnType<Lane["stats"]>>>;
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
  const lanes = lanesOf(given);
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

type Lanes = Readonly<Record<LaneName, Lane>>;

function lanesOf({ requestSlots, prepared }: PoolOptions): Lanes {
  const laneOf = (name: LaneName, slots: number) =>
    createLane({ slots, waitingMax, waitMs: deadlineMs[name], joins: prepared });
  return {
    requests: laneOf("requests", requestSlots),
    jobs: laneOf("jobs", 1),
    node: laneOf("node", 1),
    looks: laneOf("looks", 1),
  };
}

const statsOf = ({ requests, jobs, node, looks }: Lanes) => ({
  requests: requests.stats(),
  jobs: jobs.stats(),
  node: node.stats(),
  looks: looks.stats(),
});

/** The faults after which a statement that stands alone runs again: a write whose connection ended may have been done. */
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

/** Gives works a connection for themselves. One whose transaction did not begin because of a setting runs again without it. */
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

type Use = {
  readonly watch: ServerWatch;
  readonly lanes: Lanes;
  readonly open: (name: LaneName, host: PostgresHost) => Connection;
};

/** Runs work with a connection of a lane, which is opened for it where it has to be. */
function laneUser({ watch, lanes, open }: Use) {
  const opened = async (name: LaneName, lane: Lane, slot: Slot): Promise<Connection> => {
    const server = watch.current;
    if (server === null) throw refusals.unavailable();
    if (slot.connection?.hasEnded() === true) slot.connection = null;
    const connection = (slot.connection ??= open(name, server.host));
    try {
      await connection.open();
    } catch (error) {
      if (slot.connection === connection) slot.connection = null;
      const isFull = isFault(error, "full");
      if (isFull && !lane.rest(restMs)) throw error;
      if (!isFull) watch.suspect();
      throw new NotOpened(error, isFull);
    }
    return connection;
  };

  return async <T>(
    name: LaneName,
    wanted: Pick<Asking, "manner" | "goesOn">,
    work: (connection: Connection, slot: Slot) => Promise<T>,
  ): Promise<T> => {
    const lane = lanes[name];
    const asking = { ...wanted, waiter: behalf() };
    const deadline = performance.now() + deadlineMs[name];
    for (let openings = 0; ;) {
      const ready = watch.ready();
      const { standing } = ready instanceof Promise ? await ready : ready;
      if (standing.isReadOnly && wanted.manner !== "together") throw refusals.readsOnly();
      const taken = lane.take(asking);
      const slot = taken instanceof Promise ? await taken : taken;
      try {
        const open = slot.connection?.isOpen() === true ? slot.connection : await opened(name, lane, slot);
        return await work(open, slot);
      } catch (error) {
        if (!(error instanceof NotOpened)) throw error;
        // Places that the server refused rest, so that these come to an end.
        if (!error.isFull) openings += 1;
        if (openings === openingsMax || performance.now() > deadline) throw error.cause;
      } finally {
        lane.leave(slot);
      }
    }
  };
}

/** Nothing was sent, because no connection could be opened. */
class NotOpened extends Error {
  /** The server takes no more, and the lane has others. */
  readonly isFull: boolean;

  constructor(cause: unknown, isFull: boolean) {
    super("No connection could be opened", { cause });
    this.isFull = isFull;
  }
}

function isFault(error: unknown, kind: FaultKind): boolean {
  return error instanceof StatementFault && error.kind === kind;
}

/** Returns when a statement that stands alone may run again; else throws its fault as an error of the domain. */
async function mayRunAgain(error: unknown, run: number, repeats: ReadonlySet<FaultKind>): Promise<void> {
  const kind = error instanceof StatementFault ? error.kind : "other";
  const runsMax = kind === "conflict" ? statementRunsMax : 2;
  if (!repeats.has(kind) || run >= runsMax) throw translateFault(error);
  if (kind === "conflict") await pause(Math.random() * 5 * run);
}

/** Gives up what waits for too long: statements for their answers, with their connection, and work for a connection. */
function sweeper(lanes: Lanes, suspect: () => void): Disposable {
  let last = performance.now();
  const sweep = (): void => {
    const now = performance.now();
    const isLate = now - last > lateSweepMs;
    last = now;
    if (isLate) return;
    for (const name of ["requests", "jobs", "node", "looks"] as const) {
      for (const slot of lanes[name].slots) {
        const since = slot.connection?.waitsSince() ?? now;
        if (now - since < deadlineMs[name]) continue;
        slot.connection?.close();
        slot.connection = null;
        suspect();
      }
      lanes[name].refuseLate(now);
    }
  };
  const timer = setInterval(sweep, sweepMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function optionsOf({ address, prepared, applicationName }: PoolOptions, name: LaneName): ConnectionOptions {
  return {
    address,
    prepared,
    connectSeconds,
    statementMs: deadlineMs[name],
    settings: { application_name: applicationName, ...(prepared && settingsOf(name)) },
  };
}

/** A pooler that gives each transaction another connection takes no settings for a connection: they are then the transaction's. */
function beginText({ address, prepared }: PoolOptions, name: LaneName): string {
  const settings = prepared ? [] : Object.entries(refusedInTransactions.taken(address, settingsOf(name)));
  const local = settings.map(([setting, value]) => `; SET LOCAL ${setting} = ${value}`);
  return ["BEGIN ISOLATION LEVEL SERIALIZABLE", ...local].join("");
}

/**
 * The server ends a transaction whose node is gone, before others wait for its locks for long, and its statements some time
 * after we gave them up. Not before: a COMMIT that waits for a synchronous standby would then be answered as if it had not
 * waited, and what was answered could be lost.
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
