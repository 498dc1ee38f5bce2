/** What Prometheus may read of the service. Everything is counted where it happens and read when it is asked for. */
import type { Metric } from "../adapters/prometheus/exposition.ts";
import { mailKinds, type MailQueue } from "../domain/ports/outbox-store.ts";
import { signInResults } from "../http/api/sign-in-results.ts";
import type { RequestStatistics } from "../http/observe.ts";
import type { Services } from "../boot/services.ts";
import { readCommit, version } from "../boot/version.ts";

/** Everything but what is the process's own. */
export function serviceMetrics(services: Services, requests: RequestStatistics): readonly Metric[] {
  const release = { version, commit: readCommit(), bun: Bun.version };
  return [
    gauge("cloakroom_build_info", "The release that runs; always 1.", () => [{ labels: release, value: 1 }]),
    ...requestMetrics(requests),
    ...pictureMetrics(services),
    ...outboxMetrics(services),
    ...storageMetrics(services),
  ];
}

function requestMetrics(requests: RequestStatistics): readonly Metric[] {
  return [
    counter("cloakroom_http_requests_total", "Requests that were answered.", () =>
      requests.read().flatMap(({ method, route, answers }) =>
        Array.from(answers, ([status, value]) => ({
          labels: { method, route, status: String(status) },
          value,
        })),
      ),
    ),
    {
      name: "cloakroom_http_request_duration_seconds",
      help: "From a request's arrival until its answer is ready to be sent.",
      type: "histogram",
      read: () =>
        requests.read().map(({ method, route, seconds }) => ({ labels: { method, route }, seconds })),
    },
    counter("cloakroom_sign_ins_total", "Sign-ins, by what came of them.", () =>
      signInResults(requests).map(({ way, result, count }) => ({ labels: { way, result }, value: count })),
    ),
  ];
}

function pictureMetrics({ pictures, pictureTimes }: Services): readonly Metric[] {
  const { statistics } = pictures;
  return [
    counter("cloakroom_picture_cache_hits_total", "Pictures and files that were in memory.", () =>
      single(statistics().hits),
    ),
    counter("cloakroom_picture_cache_misses_total", "Pictures and files that were not.", () =>
      single(statistics().misses),
    ),
    gauge("cloakroom_picture_cache_bytes", "Memory of ready pictures; RENDER_CACHE_BYTES is its bound.", () =>
      single(statistics().bytes),
    ),
    gauge("cloakroom_picture_cache_entries", "Ready pictures in memory.", () => single(statistics().entries)),
    {
      name: "cloakroom_picture_render_duration_seconds",
      help: "Making a picture, the wait for a thread included.",
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
    gauge("cloakroom_outbox_mails", "Mails that wait to be sent, counted to 100,000.", () =>
      byKind(({ mails }) => mails),
    ),
    gauge("cloakroom_outbox_oldest_age_seconds", "How long the oldest of them has waited; 0 for none.", () =>
      byKind(({ oldestAt }) => (oldestAt === null ? 0 : clock.nowSeconds() - oldestAt)),
    ),
  ];
}

function storageMetrics({ databaseSizes, storage }: Services): readonly Metric[] {
  return [
    gauge("cloakroom_database_file_bytes", "The database's file.", () => single(databaseSizes().file)),
    gauge("cloakroom_database_wal_bytes", "The write-ahead log beside it.", () =>
      single(databaseSizes().log),
    ),
    gauge("cloakroom_disk_free_bytes", "What may still be written, on each disk of the data.", async () =>
      (await storage.freeSpace()).map(({ folder, bytes }) => ({ labels: { folder }, value: bytes })),
    ),
  ];
}

type Read = Extract<Metric, { readonly type: "gauge" | "counter" }>["read"];

export function counter(name: string, help: string, read: Read): Metric {
  return { name, help, type: "counter", read };
}

export function gauge(name: string, help: string, read: Read): Metric {
  return { name, help, type: "gauge", read };
}

/** The value of a metric that has no labels. */
export function single(value: number) {
  return [{ labels: {}, value }];
}
