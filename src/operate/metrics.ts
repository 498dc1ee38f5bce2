/** Metrics for Prometheus: of the service and of the process, and the server that shows them. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createExposition, type Metric } from "../adapters/prometheus/exposition.ts";
import type { Services } from "../boot/compose.ts";
import type { ConnectionStatistics } from "../boot/connections.ts";
import type { DatabaseStatistics } from "../boot/engines.ts";
import { hostAndPort } from "../boot/listener.ts";
import { readCommit, version } from "../boot/version.ts";
import { webhookStates } from "../domain/events/webhook-state.ts";
import { mailKinds, type MailQueue } from "../domain/ports/outbox-store.ts";
import { signInResults } from "../http/api/sign-in-results.ts";
import type { RequestStatistics } from "../http/observe.ts";
import type { Logger } from "../kernel/log.ts";
import { clientConnectionMetrics } from "./connection-metrics.ts";
import { databaseServerMetrics } from "./database-server-metrics.ts";

/**
 * Serves metrics until it is disposed of, on an address of its own: users of the service need not see them. Throws if the
 * address cannot be used.
 */
export function startMetricsServer(options: {
  readonly listen: { readonly host: string; readonly port: number };
  readonly services: Services;
  readonly requests: RequestStatistics;
  readonly connections: ConnectionStatistics;
  readonly log: Logger;
}): AsyncDisposable & { readonly address: string } {
  const { listen, services, requests, connections, log } = options;
  const watched = watchProcess();
  const ofConnections = clientConnectionMetrics(connections);
  const exposition = createExposition([
    ...serviceMetrics(services, requests),
    ...ofConnections,
    ...watched.metrics,
  ]);
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

/** The metrics of the service. Each value is counted where it arises and read when Prometheus asks. */
export function serviceMetrics(services: Services, requests: RequestStatistics): readonly Metric[] {
  const release = { version, commit: readCommit(), bun: Bun.version };
  // An operator looks when requests wait.
  const apart = { ...services, reads: services.backgroundReads };
  return [
    gauge("cloakroom_build_info", "The running release; always 1.", () => [{ labels: release, value: 1 }]),
    ...requestMetrics(requests),
    ...pictureMetrics(services),
    ...outboxMetrics(apart),
    ...webhookMetrics(apart),
    ...storageMetrics(services),
    ...nodeMetrics(services),
    ...bucketMetrics(services),
  ];
}

function requestMetrics(requests: RequestStatistics): readonly Metric[] {
  return [
    counter("cloakroom_http_requests_total", "Requests answered.", () =>
      requests.read().flatMap(({ method, route, answers }) =>
        Array.from(answers, ([status, value]) => ({
          labels: { method, route, status: String(status) },
          value,
        })),
      ),
    ),
    {
      name: "cloakroom_http_request_duration_seconds",
      help: "Time from the arrival of a request until its answer is ready to be sent.",
      type: "histogram",
      read: () =>
        requests.read().map(({ method, route, seconds }) => ({ labels: { method, route }, seconds })),
    },
    counter("cloakroom_sign_ins_total", "Sign-ins, by result.", () =>
      signInResults(requests).map(({ way, result, count }) => ({ labels: { way, result }, value: count })),
    ),
  ];
}

function pictureMetrics({ pictures, pictureTimes }: Services): readonly Metric[] {
  const { statistics } = pictures;
  return [
    counter(
      "cloakroom_picture_cache_hits_total",
      "Requests for pictures and files that were in memory.",
      () => single(statistics().hits),
    ),
    counter(
      "cloakroom_picture_cache_misses_total",
      "Requests for pictures and files that were not in memory.",
      () => single(statistics().misses),
    ),
    gauge(
      "cloakroom_picture_cache_bytes",
      "Memory of finished pictures; RENDER_CACHE_BYTES is the limit.",
      () => single(statistics().bytes),
    ),
    gauge("cloakroom_picture_cache_entries", "Finished pictures in memory.", () =>
      single(statistics().entries),
    ),
    {
      name: "cloakroom_picture_render_duration_seconds",
      help: "Time to make a picture, including the wait for a thread.",
      type: "histogram",
      read: () => pictureTimes().map(({ view, type, seconds }) => ({ labels: { view, type }, seconds })),
    },
  ];
}

function outboxMetrics({ reads, clock }: Services): readonly Metric[] {
  const byKind = async (value: (queue: MailQueue) => number) => {
    return Promise.all(
      mailKinds.map(async (kind) => ({ labels: { kind }, value: value(await reads.outbox.queue(kind)) })),
    );
  };
  return [
    gauge("cloakroom_outbox_mails", "Mails that wait to be sent, counted up to 100,000.", () =>
      byKind(({ mails }) => mails),
    ),
    gauge(
      "cloakroom_outbox_oldest_age_seconds",
      "How long the oldest waiting mail has waited; 0 if no mail waits.",
      () => byKind(({ oldestAt }) => (oldestAt === null ? 0 : clock.nowSeconds() - oldestAt)),
    ),
  ];
}

function webhookMetrics({ reads, webhookTargets: { urls, counts } }: Services): readonly Metric[] {
  return [
    counter("cloakroom_webhook_deliveries_total", "Tries to send an event, by address and result.", () =>
      counts.read().map(({ address, result, count }) => ({ labels: { address, result }, value: count })),
    ),
    gauge("cloakroom_webhook_behind_events", "Events that an address has yet to get.", async () =>
      (await webhookStates(reads, urls)).map(({ name, behind }) => ({
        labels: { address: name },
        value: behind,
      })),
    ),
  ];
}

function storageMetrics({ databaseSizes, storage }: Services): readonly Metric[] {
  const sizeOf = (part: "file" | "log") => {
    const sizes = databaseSizes();
    return sizes === null ? [] : single(sizes[part]);
  };
  const ofFile = [
    gauge("cloakroom_database_file_bytes", "Size of the database file.", () => sizeOf("file")),
    gauge("cloakroom_database_wal_bytes", "Size of the write-ahead log.", () => sizeOf("log")),
  ];
  return [
    ...(databaseSizes() === null ? [] : ofFile),
    gauge("cloakroom_disk_free_bytes", "Free space on each disk of the data.", async () =>
      (await storage.freeSpace()).map(({ folder, bytes }) => ({ labels: { folder }, value: bytes })),
    ),
  ];
}

/** How the bucket of the textures does. */
function bucketMetrics({ bucket }: Services): readonly Metric[] {
  if (bucket === null) return [];
  return [
    gauge(
      "cloakroom_bucket_up",
      "Whether the bucket of the textures answers, as far as is known: 1 or 0.",
      () => single(bucket.outage() === null ? 1 : 0),
    ),
    counter("cloakroom_object_requests_total", "Requests to the bucket of the textures, by result.", () =>
      bucket
        .counts()
        .map(({ operation, result, count }) => ({ labels: { operation, result }, value: count })),
    ),
  ];
}

/** How this process does as one of several. On SQLite there is only the leader, which is this one. */
function nodeMetrics({ leadership, databaseStatistics }: Services): readonly Metric[] {
  const leads = gauge("cloakroom_leader", "Whether this node does what one of all nodes does: 1 or 0.", () =>
    single(leadership.isLeader() ? 1 : 0),
  );
  return databaseStatistics() === null ? [leads] : [leads, ...connectionMetrics(databaseStatistics)];
}

/** How the connections to PostgreSQL do. */
export function connectionMetrics(statistics: Services["databaseStatistics"]): readonly Metric[] {
  const read = (values: (found: DatabaseStatistics) => readonly Value[]) => () => {
    const found = statistics();
    return found === null ? [] : values(found);
  };
  const lanes = (part: "open" | "inUse" | "waiting") =>
    read(({ connections }) =>
      Object.entries(connections).map(([lane, counts]) => ({ labels: { lane }, value: counts[part] })),
    );
  const ends = { givenUp: "given_up", unknown: "unknown" } as const;
  return [
    gauge(
      "cloakroom_node_info",
      "The node's name; always 1.",
      read(({ node }) => [{ labels: { node }, value: 1 }]),
    ),
    gauge("cloakroom_database_connections_open", "Connections to PostgreSQL.", lanes("open")),
    gauge("cloakroom_database_connections_in_use", "Connections that are at work.", lanes("inUse")),
    gauge(
      "cloakroom_database_waiting",
      "Statements and transactions that wait for a connection.",
      lanes("waiting"),
    ),
    ...databaseServerMetrics(statistics),
    counter(
      "cloakroom_transactions_total",
      "Transactions that were committed.",
      read(({ transactions }) => single(transactions.commits)),
    ),
    counter(
      "cloakroom_transaction_repeats_total",
      "Runs of transactions after the first one, by reason.",
      read(({ transactions }) =>
        Object.entries(transactions.repeats).map(([reason, value]) => ({ labels: { reason }, value })),
      ),
    ),
    counter(
      "cloakroom_transactions_failed_total",
      "Transactions that were given up after too many runs, or whose commit had no answer.",
      read(({ transactions }) =>
        (["givenUp", "unknown"] as const).map((end) => ({
          labels: { result: ends[end] },
          value: transactions[end],
        })),
      ),
    ),
    gauge(
      "cloakroom_change_feed_lag_seconds",
      "Since when nothing is known of what other nodes changed.",
      read(({ feedLagSeconds }) => single(feedLagSeconds)),
    ),
    gauge(
      "cloakroom_clock_ahead_seconds",
      "How far this machine's clock is ahead of the database's.",
      read(({ clockAheadSeconds }) => single(clockAheadSeconds)),
    ),
  ];
}

/** How often the event loop is sampled. */
const resolutionMs = 20;
const percentiles = [50, 99, 100] as const;

/** The metrics of the process, by the names that all programs use, until it is disposed of. */
function watchProcess(): Disposable & { readonly metrics: readonly Metric[] } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  const delays = () => {
    const seen = percentiles.map((percentile) => ({
      labels: { percentile: String(percentile) },
      // A maximum of 0 means that there is no sample yet, and then percentiles have no value.
      value: delay.max === 0 ? 0 : delay.percentile(percentile) / 1e9,
    }));
    delay.reset();
    return seen;
  };
  return {
    metrics: [
      gauge("cloakroom_event_loop_delay_seconds", "How late timers were since the last reading.", delays),
      counter("process_cpu_seconds_total", "Processor time.", () => single(cpuSeconds())),
      gauge("process_resident_memory_bytes", "Memory.", () => single(process.memoryUsage.rss())),
      gauge("process_start_time_seconds", "When it started, in Unix seconds.", () => single(startedAt)),
    ],
    [Symbol.dispose]: () => void delay.disable(),
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

type Read = Extract<Metric, { readonly type: "gauge" | "counter" }>["read"];

function counter(name: string, help: string, read: Read): Metric {
  return { name, help, type: "counter", read };
}

function gauge(name: string, help: string, read: Read): Metric {
  return { name, help, type: "gauge", read };
}

type Value = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** The value of a metric without labels. */
function single(value: number) {
  return [{ labels: {}, value }];
}
