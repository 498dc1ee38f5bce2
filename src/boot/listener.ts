import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import { certificateFaults } from "./certificate-faults.ts";
import type { Config } from "./config.ts";
import { createConnections, type Connections, type ConnectionStatistics } from "./connections.ts";
import type { ClientPort } from "./followed-requests.ts";
import { findSocketFault } from "./listen-faults.ts";
import { readTlsPair, watchTlsFiles, type TlsPair } from "./tls-files.ts";

/** How long requests in flight may take to end after the signal to stop. */
const drainMs = 10_000;

/** The owner and the group may use the socket: the group is the proxy's. */
const socketMode = 0o660;

/** A listening server. */
export type Listener = {
  /** `http://<host>:<port>`, `https://…`, or `unix:<path>`. */
  readonly address: string;
  /**
   * The address at the other end of a request's connection; null if the connection is closed, or on a socket
   * file.
   */
  readonly peerOf: (request: Request) => string | null;
  /** The same with the port, which distinguishes open connections of one address. */
  readonly connectionOf: (request: Request) => ClientPort | null;
  /**
   * Ends a request's connection after so many seconds without traffic; 0: never. The next request begins with
   * the usual time.
   */
  readonly idleAfter: (request: Request, seconds: number) => void;
  readonly connections: ConnectionStatistics;
  /** The certificate in use, with its chain, as PEM; null: plain HTTP. */
  readonly certificate: () => string | null;
  /**
   * Accepts no more requests, waits for those in flight (10 s at most), and resolves when the last has ended.
   */
  readonly stop: () => Promise<void>;
};

type Handlers = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly error: (error: Error) => Response;
  readonly log: Logger;
};

type FollowedHandlers = Handlers & { readonly connections: Connections };

type Server = Bun.Server<undefined>;

/** Listens where the settings say. Throws if the address cannot be used. */
export function listen(config: Config, given: Handlers): Listener {
  const handlers = { ...given, connections: createConnections(config, given.log) };
  if (config.socketFile !== null) return listenOnSocket(config.socketFile, handlers);
  if (config.tls !== null) return listenWithTls({ ...config, tls: config.tls }, handlers);
  const server = Bun.serve({ ...onPort(config, config.port), ...serving(handlers) });
  return listenerOf(`http://${hostAndPort(config, server)}`, () => server, handlers);
}

/**
 * Removes a socket file that a killed process left. Fails with internal if a process listens on it, or if it
 * is another file.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const fault = await findSocketFault(path);
  if (fault !== null) throw fault;
  await rm(path, { force: true });
}

function listenOnSocket(path: string, handlers: FollowedHandlers): Listener {
  // Bun's types lack `idleTimeout` here, but it works as on ports.
  const options: object = { unix: path, ...serving(handlers) };
  const server = Bun.serve(options as Bun.Serve.Options<undefined>);
  chmodSync(path, socketMode);
  return listenerOf(`unix:${path}`, () => server, handlers);
}

/**
 * Bun cannot replace the certificate of a server. So a server with the new one takes over the port in the
 * same turn of the event loop: requests in flight end on the old server, idle connections are closed, and a
 * client in the middle of a handshake has to connect again.
 */
function listenWithTls(
  config: Config & { readonly tls: NonNullable<Config["tls"]> },
  handlers: FollowedHandlers,
): Listener {
  const bind = (port: number, tls: TlsPair): Server =>
    Bun.serve({ ...onPort(config, port), ...serving(handlers), tls });
  const warnOf = ({ cert }: TlsPair): void => {
    for (const { message, remedy } of certificateFaults(cert, {
      publicUrl: config.publicUrl,
      now: Date.now(),
    }))
      handlers.log.warn(message, { remedy });
  };
  let pair = readTlsPair(config.tls);
  let server = bind(config.port, pair);
  warnOf(pair);
  const { port = config.port } = server;
  const retired = new Set<Server>();
  const swap = (next: TlsPair): void => {
    const old = server;
    retired.add(old);
    void old.stop().then(() => retired.delete(old));
    try {
      server = bind(port, next);
      pair = next;
    } catch (cause) {
      server = bind(port, pair);
      throw cause;
    }
    warnOf(pair);
  };
  const watching = watchTlsFiles(config.tls, swap, handlers.log);
  return listenerOf(`https://${hostAndPort(config, server)}`, () => server, {
    ...handlers,
    retired,
    certificate: () => pair.cert,
    beforeStop: () => watching[Symbol.dispose](),
  });
}

function listenerOf(
  address: string,
  current: () => Server,
  {
    connections,
    retired = new Set<Server>(),
    certificate = () => null,
    beforeStop = () => {},
  }: Pick<FollowedHandlers, "connections"> & {
    readonly retired?: ReadonlySet<Server>;
    readonly certificate?: Listener["certificate"];
    readonly beforeStop?: () => void;
  },
): Listener {
  connections.watch(current);
  return {
    address,
    peerOf: (request) => current().requestIP(request)?.address ?? null,
    connectionOf: (request) => current().requestIP(request),
    idleAfter: (request, seconds) => current().timeout(request, seconds),
    connections: connections.statistics,
    certificate,
    stop: async () => {
      beforeStop();
      connections[Symbol.dispose]();
      const servers = [current(), ...retired];
      const cut = setTimeout(() => servers.forEach((one) => void one.stop(true)), drainMs);
      await Promise.all(servers.map((one) => one.stop()));
      clearTimeout(cut);
    },
  };
}

function onPort({ host }: Config, port: number) {
  // Otherwise a second server would silently take half of the requests.
  return { hostname: host, port, reusePort: false };
}

function serving({ fetch, error, connections }: FollowedHandlers) {
  return {
    // Each route limits its own body, so that the answer is an envelope; this limit is for bodies that no
    // route reads.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    idleTimeout: limits.idleSeconds,
    fetch: (request: Request) => connections.follow(request, fetch(request)),
    error,
  };
}

/** An IPv6 address stands in brackets (RFC 3986 3.2.2). */
export function hostAndPort({ host, port }: Pick<Config, "host" | "port">, server: Server): string {
  return `${host.includes(":") ? `[${host}]` : host}:${server.port ?? port}`;
}
