import { ValidationError } from "elysia";
import { SocialNotConnected } from "../domain/social/connect.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import type { LogFields, Logger, LogLevel } from "../kernel/log.ts";
import { presentNotConnected } from "./api/social/present.ts";
import { describeFault } from "./body-checks.ts";
import { failure, statusOf } from "./envelope.ts";
import type { Notes, RequestNotes } from "./request-notes.ts";
import { unknownRoute } from "./request-statistics.ts";
import { pathOf } from "./target.ts";

/** What Elysia hands to an error hook, as far as it is used here. */
type Failed = {
  readonly error: unknown;
  readonly code: string | number;
  readonly request: Request;
  /** The pattern of the route that failed. */
  readonly route: string;
};

/** A route's method and pattern, with what decides how its failures show. */
export type FailingRoute = {
  readonly method: string;
  readonly path: string;
  /** `<method> <route>` of the home edits → the action that their failures name. */
  readonly editActions: Readonly<Record<string, string>>;
};

type Options = {
  readonly log: Logger;
  readonly notes: RequestNotes;
  readonly editActions: FailingRoute["editActions"];
  /** The methods that a path takes; none when there is no such path. */
  readonly methodsOf: (path: string) => readonly string[];
};

/** What an edit answers as everybody else does; every other failure is a 400 that names the action (decisions, Home). */
const editKeeps: ReadonlySet<number> = new Set([401, 403, 408, 429, 500, 507]);
/** An upload's failures that name the action under a status of their own. */
const uploadKeeps: ReadonlySet<number> = new Set([413, 415]);

/**
 * Turns whatever a request failed with into the contract's answer. A fault is logged once, with its request id, and so is a
 * failure that brings a report; others are the client's own affair.
 */
export function answerFailure(options: Options): (failed: Failed) => Response {
  const { log, notes, editActions, methodsOf } = options;
  return ({ error, code, request, route }) => {
    const own = notes.of(request);
    if (code === "NOT_FOUND") return noSuchRoute(request, methodsOf);
    own.route = route;
    const expected = expectedFailure(error);
    if (expected === null) return fault(error, own, log);

    const failing = { method: request.method, path: route, editActions };
    const { status, msg } = shownFailure(failing, expected.code, expected.message);
    const headers = { ...failureHeaders(expected), ...report(expected, own, log) };
    return failure(status, msg, headers, dataOf(expected));
  };
}

/** The status and the message with which a route fails. */
export function shownFailure(
  { method, path, editActions }: FailingRoute,
  code: ErrorCode,
  message: string,
): { readonly status: number; readonly msg: string } {
  const status = statusOf[code];
  const action = editActions[`${method} ${path}`];
  if (action === undefined || editKeeps.has(status)) return { status, msg: message };
  const kept = path.endsWith("/upload") && uploadKeeps.has(status);
  return { status: kept ? status : 400, msg: `${action} failed: ${message}` };
}

/** The answer to a request that fails before its route is looked for. Throws what is a fault. */
export function refusal(error: unknown): Response {
  const expected = expectedFailure(error);
  if (expected === null) throw error;
  return failure(statusOf[expected.code], expected.message, failureHeaders(expected));
}

/** What an expected failure tells beside its message. */
export function failureHeaders({ code, retryAfterSeconds }: AppError): Record<string, string> {
  // What still trickles in would keep the connection.
  if (code === "too_slow") return { connection: "close" };
  return retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
}

/** What an error answers beside its message (contract, Social login and linking); nearly always nothing. */
function dataOf(error: AppError): object {
  return error instanceof SocialNotConnected ? presentNotConnected(error) : {};
}

/** Logs the cause that the client is not told, under a number that it is told. */
function report(failed: AppError, notes: Notes, log: Logger): Record<string, string> {
  if (failed.report === null) return {};
  return { "x-request-id": logFailure(log, levelOf(failed), notes, failed.report) };
}

/** An `error` in a report is a fault that the client must not see as one. */
function levelOf({ code, report }: AppError): LogLevel {
  if (report !== null && "error" in report) return "error";
  return code === "upstream" ? "warn" : "info";
}

/** An unexpected error: the client gets a number to ask the operator about, and nothing else. */
export function fault(error: unknown, notes: Notes, log: Logger): Response {
  const id = logFailure(log, "error", notes, { error });
  return failure(statusOf.internal, `Internal error (request ${id})`, { "x-request-id": id });
}

function logFailure(log: Logger, level: LogLevel, notes: Notes, facts: LogFields): string {
  const { id, arrived, route } = notes;
  const asked = { requestId: id, method: arrived.method, route: route ?? unknownRoute };
  log[level]("request failed", { ...asked, ...facts });
  return id;
}

function noSuchRoute(request: Request, methodsOf: Options["methodsOf"]): Response {
  const methods = methodsOf(pathOf(request.url));
  if (methods.length === 0) return failure(404, "There is nothing at this address");
  return failure(405, `This address takes ${methods.join(", ")} only`, { allow: methods.join(", ") });
}

/** The failure that the client is told about; null for a fault. Elysia wraps what its parse hooks throw. */
function expectedFailure(error: unknown): AppError | null {
  if (error instanceof ValidationError) return new AppError("invalid", describeValidation(error));
  if (error instanceof AppError) return error.code === "internal" ? null : error;
  if (error instanceof Error && error.cause instanceof AppError) return expectedFailure(error.cause);
  return null;
}

/** What a query or a parameter breaks; bodies were checked before. */
function describeValidation({ valueError }: ValidationError): string {
  // Not `all`: it prints the value of each.
  if (valueError === undefined || !("schema" in valueError))
    return "The request is not what this address takes";
  return describeFault(valueError);
}
