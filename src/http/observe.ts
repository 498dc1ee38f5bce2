import type { Logger } from "../kernel/log.ts";
import { fault } from "./failures.ts";
import type { HotAnswers } from "./hot-answers.ts";
import type { Notes, RequestNotes } from "./request-notes.ts";
import { unknownRoute, type RequestStatistics } from "./request-statistics.ts";

/** Which requests get a line in the log; `api` leaves out those that were answered from memory. */
export type LoggedRequests = "all" | "api" | "none";

type Options = {
  readonly hot: HotAnswers;
  /** Answers what is not ready. */
  readonly handle: (request: Request, notes: Notes) => Response | Promise<Response>;
  readonly notes: RequestNotes;
  readonly statistics: RequestStatistics;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
};

type Seen = Pick<Notes, "id" | "route" | "user"> & {
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
};

/**
 * Every request is counted and, where that is wanted, told of in a line here, and nowhere else. The line names the route's
 * pattern: paths can hold tokens, and queries, bodies and headers all kinds of secrets.
 */
export function observe(options: Options): (request: Request) => Response | Promise<Response> {
  const { hot, handle, notes, statistics, log, logRequests } = options;
  const logsHot = logRequests === "all";

  const handleObserved = async (request: Request, startedAt: number): Promise<Response> => {
    const own = notes.begin(request);
    const response = await answerOf(() => handle(request, own), own, log);
    const { status } = response;
    if (status >= 500) response.headers.set("x-request-id", own.id);
    const { id, route, user } = own;
    const milliseconds = performance.now() - startedAt;
    const seen = { id, route, user, method: request.method, status, milliseconds };
    count(statistics, seen);
    if (logRequests !== "none") tell(log, seen);
    return response;
  };

  return (request) => {
    const startedAt = performance.now();
    const ready = hot.answer(request);
    if (ready === undefined) return handleObserved(request, startedAt);
    const { response, status, route } = ready;
    const milliseconds = performance.now() - startedAt;
    const id = logsHot ? notes.nextId() : "";
    const seen = { id, route, user: null, method: request.method, status, milliseconds };
    count(statistics, seen);
    if (logsHot) tell(log, seen);
    return response;
  };
}

async function answerOf(
  handle: () => Response | Promise<Response>,
  notes: Notes,
  log: Logger,
): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    return fault(error, notes, log);
  }
}

function count(statistics: RequestStatistics, { method, route, status, milliseconds }: Seen): void {
  statistics.add(method, route ?? unknownRoute, { status, seconds: milliseconds / 1000 });
}

function tell(log: Logger, { id, method, route, status, milliseconds, user }: Seen): void {
  const ms = Math.round(milliseconds * 1000) / 1000;
  const line = { requestId: id, method, route: route ?? unknownRoute, status, ms };
  // Whoever looks after the service asks for its health all day.
  const level = route?.startsWith("/health/") ? "debug" : "info";
  log[level]("request", user === null ? line : { ...line, user });
}
