import type { Standbys } from "../adapters/postgres/connections/standbys.ts";
import { counter, gauge, single, type Metric, type Sample } from "../adapters/prometheus/exposition.ts";
import type { Ports } from "../boot/compose.ts";
import type { DatabaseStatistics } from "../boot/engines.ts";
import { readCommit, version } from "../boot/version.ts";
import { webhookStates } from "../domain/events/webhook-state.ts";
import { mailKinds, type MailQueue } from "../domain/ports/outbox-store.ts";
import { signInResults } from "../http/api/sign-in-results.ts";
import type { RequestStatistics } from "../http/observe.ts";
import { limits } from "../kernel/limits.ts";
import { singleFlight } from "../kernel/single-flight.ts";
import { claimMetrics } from "./claim-metrics.ts";
import { databaseServerMetrics } from "./database-server-metrics.ts";

/** The metrics of the service. Each value is counted where it arises and read when Prometheus asks. */
export function serviceMetrics(services: Ports, requests: RequestStatistics): readonly Metric[] {
  const release = { version, commit: readCommit(), bun: Bun.version };
  // An operator looks when requests wait.
  const apart = { ...services, reads: services.backgroundReads };
  return [
    gauge("cloakroom_build_info", "The running release; always 1.", () => [{ labels: release, value: 1 }]),
    ...requestMetrics(requests),
    ...pictureMetrics(services),
    ...accountMetrics(apart),
    ...outboxMetrics(apart),
    ...claimMetrics(apart),
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

function pictureMetrics({ pictures, pictureTimes }: Ports): readonly Metric[] {
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

function outboxMetrics({ reads, clock }: Ports): readonly Metric[] {
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

/** Accounts that an operator may have to look after. */
function accountMetrics({ reads, hashCounts, clock }: Ports): readonly Metric[] {
  return [
    gauge("cloakroom_accounts_suspended", "Accounts that are suspended now.", async () =>
      single(await reads.suspensions.countSuspended(clock.nowSeconds())),
    ),
    gauge(
      "cloakroom_password_hashes",
      "Password hashes of other systems and of other costs that are left, by kind; counted once a minute.",
      async () => Array.from(await hashCounts(), ([kind, value]) => ({ labels: { kind }, value })),
    ),
  ];
}

function webhookMetrics({ reads, webhookTargets: { urls, counts } }: Ports): readonly Metric[] {
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

function storageMetrics({ databaseSizes, storage }: Ports): readonly Metric[] {
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
function bucketMetrics({ bucket }: Ports): readonly Metric[] {
  if (bucket === null) return [];
  const probe = singleFlight(() => bucket.probe(), limits.probeSeconds, "the bucket did not answer");
  // Nothing else may have asked it for hours.
  const answers = () =>
    probe().then(
      () => true,
      () => false,
    );
  return [
    gauge("cloakroom_bucket_up", "Whether the bucket of the textures answers: 1 or 0.", async () =>
      single(Number(await answers())),
    ),
    counter(
      "cloakroom_object_requests_total",
      "Requests to the bucket of the textures, by result.",
      async () => {
        // The request of this reading counts as well.
        await answers();
        return bucket
          .counts()
          .map(({ operation, result, count }) => ({ labels: { operation, result }, value: count }));
      },
    ),
  ];
}

/** How this process does as one of several. On SQLite there is only the leader, which is this one. */
function nodeMetrics({ leadership, databaseStatistics, standbys }: Ports): readonly Metric[] {
  const leads = gauge("cloakroom_leader", "Whether this node does what one of all nodes does: 1 or 0.", () =>
    single(leadership.isLeader() ? 1 : 0),
  );
  if (databaseStatistics() === null) return [leads];
  return [leads, ...connectionMetrics(databaseStatistics), ...standbyMetrics(standbys)];
}

/** What commits on PostgreSQL wait for. */
export function standbyMetrics(standbys: Ports["standbys"]): readonly Metric[] {
  const shared = singleFlight(standbys, limits.probeSeconds, "the standbys were not read");
  const read = (value: (found: Standbys) => number) => async () => {
    const found = await shared();
    return found === null ? [] : single(value(found));
  };
  return [
    gauge(
      "cloakroom_database_synchronous",
      "Whether a commit waits until another server has it: 1 or 0.",
      read(({ isSynchronous }) => Number(isSynchronous)),
    ),
    gauge(
      "cloakroom_database_standbys",
      "Synchronous standbys that are connected; all standbys where the user lacks pg_monitor.",
      read(({ connected }) => connected),
    ),
  ];
}

/** How the connections to PostgreSQL do. */
export function connectionMetrics(statistics: Ports["databaseStatistics"]): readonly Metric[] {
  const read = (values: (found: DatabaseStatistics) => readonly Sample[]) => () => {
    const found = statistics();
    return found === null ? [] : values(found);
  };
  const lanes = (part: "open" | "inUse" | "waiting") =>
    read(({ connections }) =>
      Object.entries(connections).map(([lane, counts]) => ({ labels: { lane }, value: counts[part] })),
    );
  const ends = { givenUp: "given_up", unknown: "unknown" } as const;
  return [
    ...membershipMetrics(read),
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

type ReadStatistics = (values: (found: DatabaseStatistics) => readonly Sample[]) => () => readonly Sample[];

/** The process as one of several. */
function membershipMetrics(read: ReadStatistics): readonly Metric[] {
  return [
    gauge(
      "cloakroom_node_info",
      "The node's name; always 1.",
      read(({ node }) => [{ labels: { node }, value: 1 }]),
    ),
    gauge(
      "cloakroom_differing_settings",
      "Settings that all nodes need alike, and in which those that run differ.",
      read(({ differingSettings }) => single(differingSettings)),
    ),
  ];
}
