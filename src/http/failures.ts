import { refusals } from "../domain/model/refusals.ts";
import { AppError, isOutOfFiles } from "../kernel/errors.ts";
import type { LogFields } from "../kernel/log-fields.ts";
import type { LogLevel } from "../kernel/log.ts";
import { httpRefusals } from "./refusals.ts";
import { unknownRoute, type RequestContext } from "./request-context.ts";
import type { FailureLog } from "./request-log.ts";
import { faultOf, codedAt, messageAt, type RouteTable } from "./route-table.ts";
import { NotFoundError, ValidationError } from "./routing/errors.ts";
import type { Route } from "./routing/route.ts";
import { statusOf, type Failure, type Surface } from "./surface.ts";
import { pathOf } from "./target.ts";

type Options = {
  readonly surfaceOf: (path: string) => Surface;
  /** The table of the routes that a path belongs to. */
  readonly tableOf: (path: string) => RouteTable;
  readonly log: FailureLog["write"];
};

/** Answers a failed request, whatever was thrown and wherever, by the surface that its path belongs to. */
export type AnswerFailure = (error: unknown, context: RequestContext) => Response;

/**
 * A fault is logged once, with its request id, and so is a failure that brings a report. Other failures are
 * the client's own affair.
 */
export function createFailures({ surfaceOf, tableOf, log }: Options): AnswerFailure {
  return (error, context) => {
    const { arrived } = context;
    // No client reads this answer. The log and the metrics show it under the status that proxies use.
    if (isGone(arrived, error)) return new Response(null, { status: 499 });
    const path = pathOf(arrived.url);
    const route = context.route === null ? null : tableOf(path).find(arrived.method, context.route);
    const shown = (): Presented => {
      if (error instanceof NotFoundError) return noSuchRoute(tableOf(path).methodsOf(path));
      const refusal = refusalOf(error);
      if (refusal !== null) return shownRefusal(refusal, route, reportRefusal(refusal, context, log));
      const id = logFailure(log, "error", context, { error });
      return shownRefusal(httpRefusals.internal(id), null, { "x-request-id": id });
    };
    const refused = shown();
    const status = statusOf[refused.kind];
    context.meant ??= status;
    return surfaceOf(path).presentFailure({ ...refused, status, request: arrived, route, error });
  };
}

/** Whether work was dropped because its client hung up. */
function isGone({ signal }: Request, error: unknown): boolean {
  return signal.aborted && error instanceof DOMException && error.name === "AbortError";
}

/** A failure as JSON, in whatever form its surface has. No cache keeps it. */
export function failureJson(
  { status, headers }: Pick<Failure, "status" | "headers">,
  body: object,
): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

type Presented = Pick<Failure, "kind" | "message" | "coded" | "headers">;

export const { nothingHere } = httpRefusals;

function noSuchRoute(methods: readonly string[]): Presented {
  if (methods.length === 0) return shownRefusal(nothingHere(), null, {});
  const allow = methods.join(", ");
  return shownRefusal(httpRefusals.wrongMethod(allow), null, { allow });
}

function shownRefusal(refusal: AppError, route: Route | null, logged: Presented["headers"]): Presented {
  const { kind, retryAfterSeconds } = refusal;
  const own: Presented["headers"] =
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
  // The rest of a slow body would keep the connection.
  const closing: Presented["headers"] = kind === "too_slow" ? { connection: "close" } : {};
  const coded = codedAt(route, refusal);
  return { kind, message: messageAt(route, refusal), coded, headers: { ...own, ...closing, ...logged } };
}

/** Logs the cause that the client does not learn, under a number that it does. */
function reportRefusal(
  refusal: AppError,
  context: RequestContext,
  log: Options["log"],
): Presented["headers"] {
  if (refusal.report === null) return {};
  return { "x-request-id": logFailure(log, levelOf(refusal), context, refusal.report) };
}

/** An `error` in a report is a fault that the client must not see as one. */
function levelOf({ kind, report }: AppError): LogLevel {
  if (report !== null && "error" in report) return "error";
  return kind === "upstream" ? "warn" : "info";
}

function logFailure(log: Options["log"], level: LogLevel, context: RequestContext, facts: LogFields): string {
  const { id, arrived, route } = context;
  const asked = { requestId: id, method: arrived.method, route: route ?? unknownRoute };
  log(level, asked.route, { ...asked, ...facts });
  return id;
}

/** The failure that the client learns of; null for a fault. Elysia wraps what its parse hooks throw. */
function refusalOf(error: unknown): AppError | null {
  if (error instanceof ValidationError) return brokenRule(error);
  if (error instanceof AppError) return error.kind === "internal" ? null : error;
  if (isOutOfFiles(error)) return refusals.noFiles({ cause: error, report: { error } });
  if (error instanceof Error && error.cause instanceof AppError) return refusalOf(error.cause);
  return null;
}

/** What a query or a parameter breaks; bodies were checked before. */
function brokenRule({ valueError }: ValidationError): AppError {
  // Not `all`: it prints the value of each.
  if (valueError === undefined || !("schema" in valueError)) return httpRefusals.requestInvalid();
  return faultOf(valueError);
}
