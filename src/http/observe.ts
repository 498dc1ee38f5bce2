import { createHistogram, type Histogram, type HistogramReading } from "../kernel/histogram.ts";
import type { Logger } from "../kernel/log.ts";
import { unknownRoute, type RequestContext, type RequestContexts } from "./request-context.ts";
import { createFailureLog, createRequestLog, type FailureLog } from "./request-log.ts";

/**
 * Which requests get a line in the log; `api` leaves out those that were answered from memory, unless a
 * member sent them.
 */
export type LoggedRequests = "all" | "api" | "none";

/** Records an answer that was given from memory. */
export type ReadyObserver = (status: number, milliseconds: number) => void;

/**
 * The one place that counts requests and has their lines logged. Every answer passes here, so the resources
 * that its request holds are given back here, and what it counts for is taken for all nodes.
 */
export type Observer = {
  /**
   * What a remembered answer records its uses with, by method. Looking the counters up at each use would be
   * noticeable.
   */
  readonly ofReady: (routed: Request) => Readonly<Record<"GET" | "HEAD", ReadyObserver>>;
  /** Answers by `handle`, and with a fault when that throws. */
  readonly observe: (
    arrived: Request,
    handle: (request: Request, context: RequestContext) => Promise<Response>,
  ) => Promise<Response>;
  readonly logFailure: FailureLog["write"];
  /** Writes what the log has yet to say of requests. */
  readonly flush: () => void;
};

type Deps = {
  readonly contexts: RequestContexts;
  readonly statistics: RequestStatistics;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
  /** The answer to an uncaught fault. */
  readonly fail: (error: unknown, context: RequestContext) => Response;
};

export function createObserver({ contexts, statistics, log, logRequests, fail }: Deps): Observer {
  const lines = createRequestLog(log);
  const failures = createFailureLog(log);
  const ofReady = (method: string, { route: found, user }: RequestContext): ReadyObserver => {
    const route = found ?? unknownRoute;
    const count = statistics.counter(method, route);
    if (user === null ? logRequests !== "all" : logRequests === "none") return count;
    return (status, milliseconds) => {
      count(status, milliseconds);
      lines.write({ id: contexts.nextId, user, method, route, status, milliseconds });
    };
  };

  return {
    ofReady: (routed) => {
      const context = contexts.of(routed);
      return { GET: ofReady("GET", context), HEAD: ofReady("HEAD", context) };
    },
    observe: async (arrived, handle) => {
      const startedAt = performance.now();
      const context = contexts.begin(arrived);
      const response = await handle(arrived, context).catch((error: unknown) => fail(error, context));
      context.holds?.[Symbol.dispose]();
      if (context.arrival !== null) await context.arrival.takeForAll();
      const milliseconds = performance.now() - startedAt;
      const { id, user } = context;
      const route = context.route ?? unknownRoute;
      const { method } = arrived;
      const { status } = response;
      if (status >= 500) response.headers.set("x-request-id", id);
      statistics.counter(method, route)(status, milliseconds, context.meant ?? status);
      if (logRequests !== "none") lines.write({ id: () => id, user, method, route, status, milliseconds });
      return response;
    },
    logFailure: failures.write,
    flush: () => {
      lines.flush();
      failures.flush();
    },
  };
}

/** The answers of one route to one method. */
export type RouteStatistics = {
  readonly method: string;
  /** The pattern, `unknown`, or `preflight`. */
  readonly route: string;
  /** The number of answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  /** The same by what they mean: a redirect to a page may stand for another status. */
  readonly meanings: ReadonlyMap<number, number>;
  /** From the request's arrival until its answer was ready to be sent. */
  readonly seconds: HistogramReading;
};

/** Counts one answer, and what it means where that is another status. */
export type CountAnswer = (status: number, milliseconds: number, meant?: number) => void;

/** The number of requests and their durations. */
export type RequestStatistics = {
  /** The counter of a route's answers to one method. A caller that counts many may keep it. */
  readonly counter: (method: string, route: string) => CountAnswer;
  readonly read: () => readonly RouteStatistics[];
};

/**
 * From a cached picture (some microseconds) to a password's hash (30 ms and more) and a picture of the finest
 * skin.
 */
const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Methods that have counters of their own; a client may send any word as a method. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type Counted = {
  readonly answers: Map<number, number>;
  readonly meanings: Map<number, number>;
  readonly seconds: Histogram;
  readonly count: CountAnswer;
};

/**
 * Counts by route, method and status. The number of counters depends on the service's routes alone, not on
 * requests.
 */
export function createRequestStatistics(): RequestStatistics {
  const byRoute = new Map<string, Map<string, Counted>>();

  const find = (route: string, method: string): Counted => {
    const known = byRoute.get(route)?.get(method);
    if (known !== undefined) return known;
    const counted = createCounted();
    const byMethod = byRoute.get(route) ?? new Map<string, Counted>();
    byRoute.set(route, byMethod.set(method, counted));
    return counted;
  };

  return {
    counter: (method, route) => find(route, methods.has(method) ? method : "other").count,
    read: () =>
      [...byRoute].flatMap(([route, byMethod]) =>
        [...byMethod]
          // A counter that is kept for later has counted nothing yet.
          .filter(([, { answers }]) => answers.size > 0)
          .map(([method, { answers, meanings, seconds }]) => ({
            method,
            route,
            answers,
            meanings,
            seconds: seconds.read(),
          })),
      ),
  };
}

function createCounted(): Counted {
  const answers = new Map<number, number>();
  const meanings = new Map<number, number>();
  const seconds = createHistogram(bounds);
  const count: CountAnswer = (status, milliseconds, meant = status) => {
    answers.set(status, (answers.get(status) ?? 0) + 1);
    meanings.set(meant, (meanings.get(meant) ?? 0) + 1);
    seconds.observe(milliseconds / 1000);
  };
  return { answers, meanings, seconds, count };
}
