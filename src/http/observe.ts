import type { Logger } from "../kernel/log.ts";
import type { Notes, RequestNotes } from "./request-notes.ts";
import { unknownRoute, type RequestStatistics } from "./request-statistics.ts";

/** Which requests get a line in the log; `api` leaves out those that were answered from memory. */
export type LoggedRequests = "all" | "api" | "none";

/** Is told of an answer that was given from memory. */
export type ReadyObserver = (status: number, milliseconds: number) => void;

/**
 * Counts every request and, where that is wanted, tells of it in one line; nothing else does either. Every answer passes here,
 * so what its request holds is given back here.
 */
export type Observer = {
  /** What a remembered answer tells its uses to, by method. Looking the counters up for each would be felt. */
  readonly ofReady: (routed: Request) => Readonly<Record<"GET" | "HEAD", ReadyObserver>>;
  /** Answers by `handle`, and with a fault when that throws. */
  readonly observe: (
    arrived: Request,
    handle: (request: Request, notes: Notes) => Promise<Response>,
  ) => Promise<Response>;
};

type Deps = {
  readonly notes: RequestNotes;
  readonly statistics: RequestStatistics;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
  /** The answer to a fault that nobody caught. */
  readonly fail: (error: unknown, notes: Notes) => Response;
};

export function createObserver({ notes, statistics, log, logRequests, fail }: Deps): Observer {
  const ofReady = (method: string, route: string): ReadyObserver => {
    const count = statistics.counter(method, route);
    if (logRequests !== "all") return count;
    return (status, milliseconds) => {
      count(status, milliseconds);
      tell(log, { id: notes.nextId(), user: null, method, route, status, milliseconds });
    };
  };

  return {
    ofReady: (routed) => {
      const route = notes.of(routed).route ?? unknownRoute;
      return { GET: ofReady("GET", route), HEAD: ofReady("HEAD", route) };
    },
    observe: async (arrived, handle) => {
      const startedAt = performance.now();
      const own = notes.begin(arrived);
      const response = await handle(arrived, own).catch((error: unknown) => fail(error, own));
      own.holds?.[Symbol.dispose]();
      const milliseconds = performance.now() - startedAt;
      const { id, user } = own;
      const route = own.route ?? unknownRoute;
      const { method } = arrived;
      const { status } = response;
      if (status >= 500) response.headers.set("x-request-id", id);
      statistics.counter(method, route)(status, milliseconds);
      if (logRequests !== "none") tell(log, { id, user, method, route, status, milliseconds });
      return response;
    },
  };
}

type Seen = Pick<Notes, "id" | "user"> & {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
};

/** The line names the route's pattern: paths can hold tokens, and queries, bodies and headers all kinds of secrets. */
function tell(log: Logger, { id, method, route, status, milliseconds, user }: Seen): void {
  const ms = Math.round(milliseconds * 1000) / 1000;
  const line = { requestId: id, method, route, status, ms };
  // Whoever looks after the service asks for its health all day.
  const level = route.startsWith("/health/") ? "debug" : "info";
  log[level]("request", user === null ? line : { ...line, user });
}
