import { createExposition } from "../adapters/prometheus/exposition.ts";
import type { Ports } from "../boot/compose.ts";
import type { Config } from "../boot/config.ts";
import { hostAndPort } from "../boot/listener.ts";
import { paced } from "../boot/paced.ts";
import type { RunningServer } from "../boot/server.ts";
import { pathOf } from "../http/target.ts";
import type { Logger } from "../kernel/log.ts";
import { backupMetrics } from "./backup-metrics.ts";
import { certificateMetrics } from "./certificate-metrics.ts";
import { clientConnectionMetrics } from "./connection-metrics.ts";
import { serviceMetrics } from "./metrics.ts";
import { watchProcess } from "./process-metrics.ts";

/**
 * Serves metrics until it is disposed of, on an address of its own: users of the service need not see them.
 * Throws if the address cannot be used.
 */
export function startMetricsServer({
  config,
  listen,
  services,
  server: served,
  log,
}: {
  readonly config: Config;
  readonly listen: { readonly host: string; readonly port: number };
  readonly services: Ports;
  readonly server: Pick<RunningServer, "requests" | "connections" | "certificate">;
  readonly log: Logger;
}): AsyncDisposable & { readonly address: string } {
  const watched = watchProcess();
  const { backups: record, clock } = services;
  const metrics = [
    ...serviceMetrics(services, served.requests),
    ...backupMetrics({ config, record, clock }),
    ...certificateMetrics(served.certificate),
    ...clientConnectionMetrics(served.connections),
    ...watched.metrics,
  ];
  const exposition = createExposition(metrics, logSeldom(log));
  const text = ofOneSecond(exposition.text);
  const headers = { "content-type": exposition.contentType };
  const answer = async ({ method, url }: Request): Promise<Response> =>
    pathOf(url) === "/metrics" && (method === "GET" || method === "HEAD")
      ? new Response(await text(), { headers })
      : new Response("GET /metrics\n", { status: 404 });
  const handle = paced({
    answer,
    connectionOf: (request) => server.requestIP(request),
    clientOf: (_, connection) => connection?.address ?? "",
  });
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: listen.host,
    port: listen.port,
    reusePort: false,
    development: false,
    maxRequestBodySize: bodyBytesMax,
    fetch: (request) => handle(request),
    error: (error) => {
      log.error("the metrics cannot be read", { error });
      return new Response("See the log\n", { status: 500 });
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

/** No request for metrics has a body. */
const bodyBytesMax = 1024;
const secondMs = 1000;

/** One text for all who ask within a second: a client that asks again and again costs no more than that. */
function ofOneSecond(make: () => Promise<string>): () => Promise<string> {
  let made: { readonly at: number; readonly text: Promise<string> } | null = null;
  return () => {
    const at = performance.now();
    if (made === null || at - made.at >= secondMs) made = { at, text: make() };
    return made.text;
  };
}

/**
 * How often the log says of a metric that it cannot be read. Why is there already: in a line about the
 * database, for example.
 */
const complaintMs = 60_000;

function logSeldom(log: Logger): (metric: string, error: unknown) => void {
  const quietUntil = new Map<string, number>();
  return (metric, error) => {
    const now = performance.now();
    if (now < (quietUntil.get(metric) ?? 0)) return;
    quietUntil.set(metric, now + complaintMs);
    log.warn("a metric cannot be read, and has no value", { metric, reason: messageOf(error) });
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
