/**
 * Keeps clients from using up this process's files with connections. The runtime shows only connections that
 * have a request.
 */
import {
  acceptedSockets,
  type AcceptedSocket,
  type AcceptedSockets,
} from "../adapters/linux/accepted-sockets.ts";
import { watchOpenFiles, type OpenFiles } from "../adapters/linux/open-files.ts";
import { clientNetworks } from "../domain/limits/address-limit.ts";
import {
  surplusConnections,
  type Connection,
  type Surplus,
  type SurplusReason,
} from "../domain/limits/surplus-connections.ts";
import { isOutOfFiles } from "../kernel/errors.ts";
import { isInNetwork, parseIpAddress } from "../kernel/ip-address.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { closedCounts, createConnectionReport, type ClosedCounts } from "./connection-report.ts";
import { followRequests, type Answer, type FollowedRequests } from "./followed-requests.ts";

/** The connections of a listening server. */
export type Connections = Disposable & {
  /** Knows the request to be under way until it is answered. Returns the answer as it is. */
  readonly follow: (request: Request, answer: Answer) => Answer;
  /** Begins to watch. `server` is the one that accepts connections at that moment. */
  readonly watch: (server: () => Server) => void;
  readonly statistics: ConnectionStatistics;
};

export type ConnectionStatistics = {
  /** How many are open; null where the system does not show it. */
  readonly open: () => Promise<number | null>;
  /** How many this process has closed since its start, by reason. */
  readonly closed: () => ClosedCounts;
  /** The files of this process; null where the system does not show them. */
  readonly files: () => { readonly open: number; readonly max: number } | null;
};

type Server = Pick<Bun.Server<undefined>, "port" | "requestIP" | "closeIdleConnections">;
type Options = Pick<Config, "connectionsPerAddress" | "trustedProxies">;

/** Files that stay free for textures, hashes and connections of our own … */
const spareFiles = 128;
/**
 * … and how many are kept free by closing idle connections, because many arrive in one turn: of 1,024 files,
 * 128 and the kernel's queue of 512.
 */
const roomMax = 1024;
const roomShare = 5 / 8;
/** The next look is early enough even if this many connections arrive in a millisecond. Bun accepts fewer. */
const acceptedPerMs = 20;
const lookMinMs = 20;
const lookMaxMs = 1000;
/**
 * A look at all connections reads them for `sliceMs` in one turn of the event loop, and so many times as long
 * as it took pass before the next one. While files are short it is to be over soon.
 */
const calmReading = { sliceMs: 1, pause: 50 } as const;
const shortReading = { sliceMs: 10, pause: 2 } as const;
/** Descriptors between two looks at the time. */
const sliceStep = 64;
/** The pause after a fault of the watch itself. */
const faultMs = 60_000;

/**
 * Watches nothing before `watch`, and never on systems other than Linux: there only the runtime's idle
 * timeout ends connections.
 */
export function createConnections(options: Options, log: Logger): Connections {
  const files = watchOpenFiles();
  const requests = followRequests();
  const report = createConnectionReport(log);
  let closed: ClosedCounts = closedCounts.none;
  let isStopped = false;
  let timer: Timer | undefined;
  let sockets: AcceptedSockets | null = null;

  return {
    follow: files === null ? (_, answer) => answer : requests.follow,
    watch: (server) => {
      const { port } = server();
      if (files === null) return;
      sockets = port === undefined ? null : acceptedSockets(port);
      const look = createLook({ files, sockets, server, options, requests });
      const lookAgain = async (): Promise<void> => {
        try {
          const outcome = await look();
          closed = closedCounts.add(closed, outcome.closed);
          report(outcome, { open: files.count(), max: files.max });
          next(outcome.waitMs);
        } catch (error) {
          if (isOutOfFiles(error)) return next(lookMinMs);
          log.error("connections cannot be counted", { error });
          next(faultMs);
        }
      };
      const next = (ms: number): void => {
        if (isStopped) return;
        timer = setTimeout(() => void lookAgain(), ms);
        timer.unref();
      };
      next(lookMinMs);
    },
    statistics: {
      open: async () =>
        files === null || sockets === null
          ? null
          : (await readAll(files, sockets, () => calmReading)).found.length,
      closed: () => closed,
      files: () => (files === null ? null : { open: files.count(), max: files.max }),
    },
    [Symbol.dispose]: () => {
      isStopped = true;
      clearTimeout(timer);
      files?.[Symbol.dispose]();
    },
  };
}

type Watched = {
  readonly files: OpenFiles;
  /** Null on a socket file, and where the kernel cannot be asked. */
  readonly sockets: AcceptedSockets | null;
  readonly server: () => Server;
  readonly options: Options;
  readonly requests: FollowedRequests;
};

type Outcome = {
  readonly closed: ClosedCounts;
  /** Whether fewer files are free than should be, and nothing could be closed for them. */
  readonly isShort: boolean;
  /** When to look again. */
  readonly waitMs: number;
};

/**
 * Looks at the number of files, and at all connections where that is too high or an address may have too
 * many.
 */
function createLook(watched: Watched): () => Promise<Outcome> {
  const { files, sockets, server, options } = watched;
  const spare = Math.min(spareFiles, files.max / 2);
  const room = Math.max(spare, Math.min(roomMax, files.max * roomShare));
  const missing = () => {
    const free = files.max - files.count();
    return { files: Math.max(0, room - free), filesAtAnyCost: Math.max(0, spare - free) };
  };
  const waitMs = (): number => {
    const free = files.max - files.count() - spare;
    return Math.min(lookMaxMs, Math.max(lookMinMs, free / acceptedPerMs));
  };
  let sharesDueAt = 0;

  return async () => {
    const { connectionsPerAddress } = options;
    const isShort = missing().files > 0;
    const mayExceed = connectionsPerAddress > 0 && files.count() > connectionsPerAddress;
    const isDue = mayExceed && performance.now() >= sharesDueAt;
    if (!isShort && !isDue) return { closed: closedCounts.none, isShort: false, waitMs: waitMs() };
    // Only the runtime knows which of a socket file's connections are idle, and it closes all of them.
    const { closed, workMs } =
      sockets === null
        ? closeUnseen(isShort ? server().closeIdleConnections() : 0)
        : await closeSurplus({ ...watched, sockets }, missing);
    sharesDueAt = performance.now() + Math.max(lookMaxMs, workMs * calmReading.pause);
    return {
      closed,
      isShort: missing().filesAtAnyCost > 0 && closedCounts.sum(closed) === 0,
      waitMs: Math.max(waitMs(), workMs * shortReading.pause),
    };
  };
}

const closeUnseen = (idle: number): Closing => ({ closed: { ...closedCounts.none, idle }, workMs: 0 });

/** What one look closed, and how long it held the event loop, in several turns together. */
type Closing = { readonly closed: ClosedCounts; readonly workMs: number };
type Found = Connection & { readonly socket: AcceptedSocket };

async function closeSurplus(
  { files, sockets, server, options, requests }: Watched & { readonly sockets: AcceptedSockets },
  missing: () => { readonly files: number; readonly filesAtAnyCost: number },
): Promise<Closing> {
  const reading = () => (missing().files > 0 ? shortReading : calmReading);
  const { found, workMs } = await readAll(files, sockets, reading);
  const start = performance.now();
  const places = placesOf(options);
  const workOn = requests.onConnections(server());
  const connections = found.map((socket): Found => ({
    socket,
    ...places(socket.address),
    silentMs: socket.silentMs,
    state: stateOf(socket, workOn(socket)),
  }));
  const surplus = surplusConnections(connections, {
    perAddress: options.connectionsPerAddress,
    ...missing(),
  });
  const closed = countOf(surplus, ({ socket }) => sockets.hangUp(socket));
  return { closed, workMs: workMs + performance.now() - start };
}

function stateOf({ isSending }: AcceptedSocket, work: "request" | "stream" | null): Connection["state"] {
  if (work === "stream") return "kept";
  return work === "request" || isSending ? "busy" : "idle";
}

function countOf(surplus: Surplus<Found>, close: (found: Found) => boolean): ClosedCounts {
  const count = (reason: SurplusReason) => surplus[reason].filter(close).length;
  return { address: count("address"), idle: count("idle"), busy: count("busy") };
}

/** All connections, in several turns of the event loop if they are many. */
async function readAll(
  files: OpenFiles,
  { read }: AcceptedSockets,
  reading: () => { readonly sliceMs: number },
) {
  const found: AcceptedSocket[] = [];
  let workMs = 0;
  let start = performance.now();
  for (const [at, descriptor] of files.descriptors().entries()) {
    const socket = read(descriptor);
    if (socket !== null) found.push(socket);
    if (at % sliceStep !== 0 || performance.now() - start < reading().sliceMs) continue;
    workMs += performance.now() - start;
    await new Promise((resolve) => setImmediate(resolve));
    start = performance.now();
  }
  return { found, workMs: workMs + performance.now() - start };
}

/**
 * What an address counts for. Each is looked up once for one look: an attacker's are few, or a proxy's is
 * one.
 */
function placesOf({ trustedProxies }: Options) {
  const known = new Map<string, Pick<Connection, "networks" | "isTrusted">>();
  return (address: string) => {
    const place = known.get(address);
    if (place !== undefined) return place;
    const parsed = parseIpAddress(address);
    const made = {
      networks: clientNetworks({ address }),
      isTrusted: parsed !== null && trustedProxies.some((network) => isInNetwork(parsed, network)),
    };
    known.set(address, made);
    return made;
  };
}
