import { createHistogram, type Histogram, type HistogramReading } from "../kernel/histogram.ts";

/** What one route has answered to one method. */
export type RouteStatistics = {
  readonly method: string;
  /** The pattern, or one of the two words below. */
  readonly route: string;
  /** How many answers had which status. */
  readonly answers: ReadonlyMap<number, number>;
  /** From the request's arrival until its answer was ready to be sent. */
  readonly seconds: HistogramReading;
};

/** Counts one answer. */
export type CountAnswer = (status: number, milliseconds: number) => void;

/** How many requests there were, and how long they took. */
export type RequestStatistics = {
  /** The counter of a route's answers to one method, to be kept by who counts many. */
  readonly counter: (method: string, route: string) => CountAnswer;
  readonly read: () => readonly RouteStatistics[];
};

/** Where requests are counted whose address no route has: their paths are without number. */
export const unknownRoute = "unknown";

/** Where browsers' questions whether a page may ask (CORS) are counted: they are answered before the router. */
export const preflightRoute = "preflight";

/** From a cached picture (some microseconds) to a password's hash (30 ms and more) and a picture of the finest skin. */
const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Methods that are told apart; a client may send any word for one. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type Counted = {
  readonly answers: Map<number, number>;
  readonly seconds: Histogram;
  readonly count: CountAnswer;
};

/** Counts by route, method and status: as many numbers as the service has routes, whatever is asked. */
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
        // A counter that is kept for later has counted nothing yet.
        [...byMethod]
          .filter(([, { answers }]) => answers.size > 0)
          .map(([method, { answers, seconds }]) => ({
            method,
            route,
            answers,
            seconds: seconds.read(),
          })),
      ),
  };
}

function createCounted(): Counted {
  const answers = new Map<number, number>();
  const seconds = createHistogram(bounds);
  const count: CountAnswer = (status, milliseconds) => {
    answers.set(status, (answers.get(status) ?? 0) + 1);
    seconds.observe(milliseconds / 1000);
  };
  return { answers, seconds, count };
}
