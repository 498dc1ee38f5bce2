import { createExposition } from "../adapters/prometheus/exposition.ts";
import type { RequestStatistics } from "../http/observe.ts";
import type { Logger } from "../kernel/log.ts";
import { hostAndPort } from "../boot/listener.ts";
import { serviceMetrics } from "./metrics.ts";
import { watchProcess } from "./process-metrics.ts";
import type { Services } from "../boot/services.ts";

/** Serves metrics until it is disposed of. */
export type MetricsServer = AsyncDisposable & { readonly address: string };

/** Listens on an address of its own, because whoever may use the service need not see how it does. Throws when it cannot be had. */
export function startMetricsServer(options: {
  readonly listen: { readonly host: string; readonly port: number };
  readonly services: Services;
  readonly requests: RequestStatistics;
  readonly log: Logger;
}): MetricsServer {
  const { listen, services, requests, log } = options;
  const watched = watchProcess();
  const exposition = createExposition([...serviceMetrics(services, requests), ...watched.metrics]);
  const server = Bun.serve({
    hostname: listen.host,
    port: listen.port,
    reusePort: false,
    development: false,
    routes: {
      "/metrics": {
        GET: async () =>
          new Response(await exposition.text(), { headers: { "content-type": exposition.contentType } }),
      },
    },
    fetch: () => new Response("GET /metrics\n", { status: 404 }),
    error: (error) => {
      log.error("the metrics cannot be read", { error });
      return new Response("The log says why\n", { status: 500 });
    },
  });
  return {
    address: `http://${hostAndPort(listen, server)}`,
    [Symbol.asyncDispose]: async () => {
      watched[Symbol.dispose]();
      await server.stop(true);
    },
  };
}
