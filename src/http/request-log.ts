import { limits } from "../kernel/limits.ts";
import type { LogFields } from "../kernel/log-fields.ts";
import type { Logger, LogLevel } from "../kernel/log.ts";
import type { RequestContext } from "./request-context.ts";

/** An answered request, as its line shows it. */
export type AnsweredRequest = Pick<RequestContext, "user"> & {
  /** Makes or gives its number, where there is a line for it. */
  readonly id: () => string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
};

type Flushed = {
  /** Writes the counts of what got no line. */
  readonly flush: () => void;
};

/** Writes a line for each request, but a bounded number in a second. */
export type RequestLog = Flushed & { readonly write: (request: AnsweredRequest) => void };

/** Writes a line for each failure whose cause the client does not learn, but a bounded number in a second. */
export type FailureLog = Flushed & {
  readonly write: (level: LogLevel, route: string, fields: LogFields) => void;
};

/** Lines of one route, and of one status or of failures of one level. */
type Kind = {
  readonly route: string;
  readonly level: LogLevel;
  /** Null for failures. */
  readonly status: number | null;
};

type Counted = Kind & {
  endsAt: number;
  lines: number;
  /** Those without a line since they were last counted. */
  left: number;
};

const secondMs = 1000;

/** A line for each request, by route and status. */
export function createRequestLog(log: Logger): RequestLog {
  const { write, flush } = boundLines(log, "request", "more requests");
  return {
    // The line names the route's pattern: paths may hold tokens, and queries, bodies and headers may hold any
    // secret.
    write: ({ id, method, route, status, milliseconds, user }) => {
      write({ route, status, level: levelOf(route) }, () => {
        const ms = Math.round(milliseconds * 1000) / 1000;
        const line = { requestId: id(), method, route, status, ms };
        return user === null ? line : { ...line, user };
      });
    },
    flush,
  };
}

/** A line for each failure, by route and level. */
export function createFailureLog(log: Logger): FailureLog {
  const { write, flush } = boundLines(log, "request failed", "more requests failed");
  return { write: (level, route, fields) => write({ route, level, status: null }, () => fields), flush };
}

/**
 * Above 200 lines a second of one kind, further ones are only counted; one line a second says how many. The
 * number of kinds depends on the service's routes alone.
 */
function boundLines(log: Logger, one: string, more: string) {
  const kinds = new Map<string, Map<number | LogLevel, Counted>>();
  let timer: Timer | undefined;

  const find = (kind: Kind): Counted => {
    const { route, level, status } = kind;
    const known = kinds.get(route)?.get(status ?? level);
    if (known !== undefined) return known;
    const ofRoute = kinds.get(route) ?? new Map<number | LogLevel, Counted>();
    const counted = { ...kind, endsAt: 0, lines: 0, left: 0 };
    kinds.set(route, ofRoute.set(status ?? level, counted));
    return counted;
  };
  const writeCount = (counted: Counted): void => {
    const { route, level, status, left } = counted;
    if (left === 0) return;
    counted.left = 0;
    log[level](more, status === null ? { route, count: left } : { route, status, count: left });
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const ofRoute of kinds.values()) for (const counted of ofRoute.values()) writeCount(counted);
  };

  return {
    /** The fields are made where there is a line: most of a busy second get none. */
    write: (kind: Kind, fields: () => LogFields): void => {
      const now = performance.now();
      const counted = find(kind);
      if (now >= counted.endsAt) Object.assign(counted, { endsAt: now + secondMs, lines: 0 });
      if (counted.lines < limits.requestLinesMax) {
        counted.lines += 1;
        log[kind.level](one, fields());
        return;
      }
      counted.left += 1;
      timer ??= setTimeout(flush, secondMs).unref();
    },
    flush,
  };
}

/** Monitors ask for the health all day. */
function levelOf(route: string): "debug" | "info" {
  return route.startsWith("/health/") ? "debug" : "info";
}
