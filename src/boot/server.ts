import { networkInterfaces } from "node:os";
import type { Readiness } from "../domain/health/readiness.ts";
import { clientNetworks } from "../domain/limits/address-limit.ts";
import { createClientAddress } from "../http/client-address.ts";
import type { RequestStatistics } from "../http/observe.ts";
import { composeApp, type Ports, type Surroundings } from "./compose.ts";
import { listen, type Listener } from "./listener.ts";
import { paced } from "./paced.ts";
import { openableAddresses } from "./setup-links.ts";

/** A server that accepts requests until it is disposed of. */
export type RunningServer = AsyncDisposable & {
  /** Where it listens: `http://<host>:<port>`, `https://…`, or `unix:<path>`. */
  readonly address: string;
  /** Base of texture addresses and links: PUBLIC_URL, or else an address at which it can be reached. */
  readonly publicUrl: string;
  /** Counts and durations of the answers so far. */
  readonly requests: RequestStatistics;
  readonly connections: Listener["connections"];
  readonly certificate: Listener["certificate"];
  /** See `App`. */
  readonly prepare: (path: string) => Promise<void>;
  /** The result of `/health/ready`. A part that fails is logged, once. */
  readonly readiness: () => Promise<Readiness>;
  /** Reports not ready from now on, so balancers send no more requests. It still answers those that come. */
  readonly beginStop: () => void;
  /**
   * Accepts no more requests, waits for those in flight (10 s at most), and resolves when the last has ended.
   */
  readonly stop: () => Promise<void>;
};

/** Serves on the configured address. Throws if the address cannot be used. */
export function startServer({
  services,
  ...given
}: Pick<Surroundings, "config" | "secrets" | "mailTexts" | "checks" | "installation" | "log"> & {
  readonly services: Ports;
}): RunningServer {
  const { config, log } = given;
  const publicUrl = (): string => config.publicUrl ?? reachableAt;
  const findClient = createClientAddress(config.trustedProxies, {
    trustsNameless: config.socketFile !== null,
    onUntrustedProxy: () =>
      log.warn(
        "a request came from this machine with X-Forwarded-For, and TRUSTED_PROXIES does not name it: all clients of that proxy count as one",
        { remedy: "set TRUSTED_PROXIES=127.0.0.1, or the address from which the proxy connects" },
      ),
  });
  const clientAddress = (request: Request) => findClient(request, listener.peerOf(request));
  const stopping = new AbortController();
  const app = composeApp(services, {
    ...given,
    clientAddress,
    idleAfter: (request, seconds) => listener.idleAfter(request, seconds),
    publicUrl,
    stopping: stopping.signal,
  });
  const listener = listen(config, {
    fetch: paced({
      answer: app.fetch,
      connectionOf: (request) => listener.connectionOf(request),
      clientOf: (request, connection) => {
        const address = findClient(request, connection?.address ?? null);
        return clientNetworks({ address })[0] ?? address;
      },
    }),
    error: (error) => app.fail(error),
    log,
  });
  const { address } = listener;
  // Found once, so it stays the same until the next start. `0.0.0.0` leads here on no other machine.
  const [reachableAt = address] = openableAddresses(config, address, networkInterfaces);
  const stop = async (): Promise<void> => {
    stopping.abort();
    // Before the wait for requests in flight, which these would hold up.
    app.endStreams();
    await listener.stop();
    app.flushLog();
  };
  return {
    address,
    publicUrl: publicUrl(),
    requests: app.statistics,
    connections: listener.connections,
    certificate: listener.certificate,
    prepare: app.prepare,
    readiness: app.readiness,
    beginStop: () => stopping.abort(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
