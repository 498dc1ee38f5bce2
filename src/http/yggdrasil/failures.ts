import { failureJson } from "../failures.ts";
import type { Answer } from "../openapi/describe.ts";
import type { Failure } from "../surface.ts";
import { t } from "../routing/schema.ts";

/**
 * The protocol's name for each way to fail. What it has no name for is called by its status (RFC 9110, 15).
 */
const errorNames = {
  invalid: "IllegalArgumentException",
  unauthenticated: "Unauthorized",
  forbidden: "ForbiddenOperationException",
  not_found: "NotFoundException",
  wrong_method: "Method Not Allowed",
  too_slow: "Request Timeout",
  conflict: "Conflict",
  too_large: "Content Too Large",
  unsupported_type: "Unsupported Media Type",
  limited: "TooManyRequestsException",
  internal: "InternalError",
  upstream: "Bad Gateway",
  unavailable: "Service Unavailable",
  no_space: "Insufficient Storage",
} as const satisfies Record<Failure["kind"], string>;

/** Exactly two keys: clients take every body that has an `error` for a failure. */
export function presentFailure({ kind, status, message, headers, route }: Failure): Response {
  const error = kind === "not_found" && route === null ? "Not Found" : errorNames[kind];
  return failureResponse(status, error, message, headers);
}

/** A failure under a name that no way to fail has. */
export function failureResponse(
  status: number,
  error: string,
  errorMessage: string,
  headers: Failure["headers"] = {},
): Response {
  return failureJson({ status, headers }, { error, errorMessage });
}

/** What the protocol says of a token that is not valid, and of a name and password that do not fit. */
export const words = {
  token: "Invalid token.",
  credentials: "Invalid credentials. Invalid username or password.",
} as const;

const failure = t.Object(
  {
    error: t.String({ description: "The kind of failure", examples: [errorNames.forbidden] }),
    errorMessage: t.String({ description: "What is wrong, for people to read", examples: [words.token] }),
  },
  { component: "YggdrasilFailure" },
);

/** A failure in the API's document. */
export function failureAnswer(description: string): Answer {
  return { description, schema: failure };
}

/** The failure of every route that needs the database. */
export const away: Answer = { ...failureAnswer("The database cannot be reached"), headers: ["Retry-After"] };

/** The failures of every route that reads a body. */
export const bodyFailures = {
  400: failureAnswer("A field is missing, blank or of another type"),
  408: failureAnswer("The body took too long to arrive"),
  413: failureAnswer("The body is larger than 64 KiB"),
  500: failureAnswer("A fault of the server"),
  503: away,
  507: failureAnswer("The server's disk is full"),
} as const;
