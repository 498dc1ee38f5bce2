import { createHistogram, type Histogram, type HistogramReading } from "../kernel/histogram.ts";

/** What one route has answered to one method. */
export type RouteStatistics = {
  readonly method: string;
  /** The pattern, or `unknown` for addresses that no route has. */
  readonly route: string;
  /** How many answers had which status. */
  readonly answers: ReadonlyMap<number, number>;
  /** From the request's arrival until its answer was ready to be sent. */
  readonly seconds: HistogramReading;
};

/** How many requests there were, and how long they took. */
export type RequestStatistics = {
  readonly add: (method: string, route: string, answer: { status: number; seconds: number }) => void;
  readonly read: () => readonly RouteStatistics[];
};

/** Where requests are counted whose address no route has: their paths are without number. */
export const unknownRoute = "unknown";

/** From a cached picture (some microseconds) to a password's hash (30 ms and more) and a picture of the finest skin. */
const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Methods that are told apart; a client may send any word for one. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type Counted = { readonly answers: Map<number, number>; readonly seconds: Histogram };

/** Counts by route, method and status: as many numbers as the service has routes, whatever is asked. */
export function createRequestStatistics(): RequestStatistics {
  const byRoute = new Map<string, Map<string, Counted>>();

  const find = (route: string, method: string): Counted => {
    const known = byRoute.get(route)?.get(method);
    if (known !== undefined) return known;
    const counted = { answers: new Map<number, number>(), seconds: createHistogram(bounds) };
    const byMethod = byRoute.get(route) ?? new Map<string, Counted>();
    byRoute.set(route, byMethod.set(method, counted));
    return counted;
  };

  return {
    add: (method, route, { status, seconds }) => {
      const counted = find(route, methods.has(method) ? method : "other");
      counted.answers.set(status, (counted.answers.get(status) ?? 0) + 1);
      counted.seconds.observe(seconds);
    },
    read: () =>
      [...byRoute].flatMap(([route, byMethod]) =>
        [...byMethod].map(([method, { answers, seconds }]) => ({
          method,
          route,
          answers,
          seconds: seconds.read(),
        })),
      ),
  };
}
