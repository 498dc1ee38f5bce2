import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import type { RequestContext } from "./request-context.ts";

/** An answered request, as its line shows it. */
export type AnsweredRequest = Pick<RequestContext, "id" | "user"> & {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
};

/** Writes a line for each request, but a bounded number in a second. */
export type RequestLog = {
  readonly write: (request: AnsweredRequest) => void;
  /** Writes the counts of requests that got no line. */
  readonly flush: () => void;
};

/** Requests of one route and status. */
type Kind = {
  readonly route: string;
  readonly status: number;
  endsAt: number;
  lines: number;
  /** Those without a line since they were last counted. */
  left: number;
};

const secondMs = 1000;

/**
 * Above 200 lines a second of one route and status, further requests are only counted; one line a second says how many. The number of
 * kinds depends on the service's routes alone.
 */
export function createRequestLog(log: Logger): RequestLog {
  const kinds = new Map<string, Map<number, Kind>>();
  let timer: Timer | undefined;

  const find = (route: string, status: number): Kind => {
    const ofRoute = kinds.get(route) ?? new Map<number, Kind>();
    kinds.set(route, ofRoute);
    const kind = ofRoute.get(status) ?? { route, status, endsAt: 0, lines: 0, left: 0 };
    ofRoute.set(status, kind);
    return kind;
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const ofRoute of kinds.values()) for (const kind of ofRoute.values()) writeCount(log, kind);
  };

  return {
    write: (request) => {
      const now = performance.now();
      const kind = find(request.route, request.status);
      if (now >= kind.endsAt) Object.assign(kind, { endsAt: now + secondMs, lines: 0 });
      if (kind.lines < limits.requestLinesMax) {
        kind.lines += 1;
        writeLine(log, request);
        return;
      }
      kind.left += 1;
      timer ??= setTimeout(flush, secondMs).unref();
    },
    flush,
  };
}

/** The line names the route's pattern: paths may hold tokens, and queries, bodies and headers may hold any secret. */
function writeLine(log: Logger, { id, method, route, status, milliseconds, user }: AnsweredRequest): void {
  const ms = Math.round(milliseconds * 1000) / 1000;
  const line = { requestId: id, method, route, status, ms };
  log[levelOf(route)]("request", user === null ? line : { ...line, user });
}

function writeCount(log: Logger, kind: Kind): void {
  const { route, status, left } = kind;
  if (left === 0) return;
  kind.left = 0;
  log[levelOf(route)]("more requests", { route, status, count: left });
}

/** Monitors ask for the health all day. */
function levelOf(route: string): "debug" | "info" {
  return route.startsWith("/health/") ? "debug" : "info";
}
