import type { ErrorCode } from "../../kernel/errors.ts";
import { failedEnvelope, shownFailure } from "../envelope.ts";
import type { Route } from "../route-table.ts";
import { statusOf } from "../surface.ts";
import { headers, headersOf, type HeaderName } from "./headers.ts";

/** Ways to fail, each with a message as an example. */
export type Failures = Readonly<Partial<Record<ErrorCode, string>>>;

/** What is said about each way to fail. The message is for where a route tells no better one. */
const failures: Readonly<Record<ErrorCode, { readonly description: string; readonly msg: string }>> = {
  invalid: {
    description: "What was sent breaks a rule; `msg` names the field and the rule.",
    msg: "username: must be a text",
  },
  unauthenticated: {
    description: "No token came along, or none that is valid.",
    msg: "The token is not valid or has expired; sign in again",
  },
  forbidden: {
    description: "This account may not do that; `msg` says why.",
    msg: "Finish your registration first: choose a username",
  },
  not_found: { description: "There is none.", msg: "No player has this uuid or username" },
  conflict: {
    description: "It does not go together with what is there; `msg` says with what.",
    msg: "mail: an account with this address exists already",
  },
  too_slow: {
    description: "The body took too long to arrive; the connection is closed.",
    msg: "The body must arrive within 31 seconds",
  },
  too_large: {
    description: "The body is larger than this address takes.",
    msg: "The body may have 8192 bytes at most",
  },
  unsupported_type: {
    description: "The body's `Content-Type` is not what this address takes.",
    msg: "The body must be application/json, and its Content-Type must say so",
  },
  limited: {
    description: "Too many requests, from you or altogether. Try again after `Retry-After`.",
    msg: "Too many attempts; try again in 30 seconds",
  },
  internal: {
    description: "A fault of the server. The operator finds its cause by the number in `msg`.",
    msg: "Internal error (request 5b2f0e576c1d-3f8)",
  },
  upstream: {
    description:
      "Somebody else's service that is needed here fails. The operator finds why by `X-Request-Id`.",
    msg: "Signing in through discord does not work at the moment; try again later",
  },
  no_space: {
    description: "The server's disk is full; nothing was changed.",
    msg: "No space is left on the server's disk",
  },
};

/** What differs where a form is sent instead of JSON. */
export const formFailures: Failures = {
  too_large: "The file may have 1048576 bytes at most",
  unsupported_type: "The body must be multipart/form-data, and its Content-Type must say so",
};

const ownHeaders: Partial<Record<ErrorCode, HeaderName>> = {
  limited: "Retry-After",
  internal: "X-Request-Id",
  no_space: "X-Request-Id",
  upstream: "X-Request-Id",
};

/** Failures whose cause may be in the log, where the client is told half of it: those of social providers. */
const maybeLogged: ReadonlySet<ErrorCode> = new Set(["invalid", "conflict"]);
const requestIdMaybe = {
  ...headers["X-Request-Id"],
  description: `${headers["X-Request-Id"].description} Missing when nothing was logged.`,
  required: false,
};

const codes = Object.keys(failures) as ErrorCode[]; // the table's keys, which `Object.keys` takes for any text

/** The schema of every failure, which the answers below refer to. */
export const failureSchemas = {
  Failure: {
    type: "object",
    description: "The envelope of whatever fails.",
    required: ["error", "msg", "url", "data"],
    properties: {
      error: { type: "boolean", const: true },
      msg: { type: "string", minLength: 1, description: "What is wrong, for people to read." },
      url: { type: "null" },
      data: { type: "object", maxProperties: 0 },
    },
  },
};

/** An answer for each code, for the routes to refer to. */
export const failureResponses = Object.fromEntries(
  codes.map((code) => [code, responseOf(code, failures[code].msg)]),
);

/** The ways to fail, each with the message that is shown where a route tells no better one. */
export function failuresOf(...errors: readonly ErrorCode[]): Failures {
  return Object.fromEntries(errors.map((code) => [code, failures[code].msg]));
}

/** The answers with which a route fails, by their statuses. Those that every route gives alike are shared. */
export function failureAnswers(route: Route, errors: Failures): Readonly<Record<string, object>> {
  const answers = codes.flatMap((code) => {
    const message = errors[code];
    if (message === undefined) return [];
    const { status, msg } = shownFailure(route, statusOf[code], message);
    const isShared = status === statusOf[code] && msg === failures[code].msg;
    return [[status, isShared ? { $ref: `#/components/responses/${code}` } : responseOf(code, msg)]];
  });
  // Of several with the status of an edit's failures the first is shown.
  return Object.fromEntries(answers.toReversed());
}

function responseOf(code: ErrorCode, msg: string): object {
  const own = ownHeaders[code];
  return {
    description: failures[code].description,
    headers: {
      ...headersOf(own === undefined ? ["Cache-Control"] : ["Cache-Control", own]),
      ...(maybeLogged.has(code) ? { "X-Request-Id": requestIdMaybe } : {}),
    },
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Failure" },
        example: failedEnvelope(msg),
      },
    },
  };
}
