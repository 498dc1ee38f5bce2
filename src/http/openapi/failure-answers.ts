import type { ErrorCode } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { bodyTooLarge, fileTooLarge, wrongType } from "../body.ts";
import { failedEnvelope, shownFailure } from "../envelope.ts";
import type { Route } from "../route-table.ts";
import { statusOf } from "../surface.ts";
import type { Failures } from "./describe.ts";
import { headers, headersOf, type HeaderName } from "./headers.ts";

/** Each way to fail, as the document describes it, with the message for routes that have no better one. */
const failures: Readonly<Record<ErrorCode, readonly [description: string, msg: string]>> = {
  invalid: ["The request breaks a rule; `msg` names the field and the rule.", "username: must be a text"],
  unauthenticated: [
    "The request has no token, or none that is valid.",
    "The token is not valid or has expired; sign in again",
  ],
  forbidden: [
    "This account may not do that; `msg` says why.",
    "Finish your registration first: choose a username",
  ],
  not_found: ["There is none.", "No player has this uuid or username"],
  conflict: [
    "Conflicts with existing data; `msg` says which.",
    "mail: an account with this address exists already",
  ],
  too_slow: [
    "The body took too long to arrive; the connection is closed.",
    "The body must arrive within 31 seconds",
  ],
  too_large: ["The body is larger than this address takes.", bodyTooLarge(limits.jsonBytesMax)],
  unsupported_type: [
    "The body's `Content-Type` is not the one that this address takes.",
    wrongType("application/json"),
  ],
  limited: [
    "Too many requests, from you or altogether. Try again after `Retry-After`.",
    "Too many attempts; try again in 30 seconds",
  ],
  internal: [
    "A fault of the server. The operator finds its cause by the number in `msg`.",
    "Internal error (request 5b2f0e576c1d-3f8)",
  ],
  upstream: [
    "Another service that is needed here fails. The operator finds the cause by `X-Request-Id`.",
    "Signing in through discord does not work at the moment; try again later",
  ],
  no_space: ["The server's disk is full; nothing was changed.", "No space is left on the server's disk"],
};

/** The messages for a form, where they differ from those for JSON. */
export const formFailures: Failures = {
  too_large: fileTooLarge(1024 * 1024),
  unsupported_type: wrongType("multipart/form-data"),
};

const ownHeaders: Partial<Record<ErrorCode, HeaderName>> = {
  limited: "Retry-After",
  internal: "X-Request-Id",
  no_space: "X-Request-Id",
  upstream: "X-Request-Id",
};

/** Failures whose cause may be in the log, because the client learns only half of it: those of social providers. */
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
    description: "The envelope of every failure.",
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
  codes.map((code) => [code, responseOf(code, failures[code][1])]),
);

/** Ways to fail, each with the message for routes that have no better one. */
export function failuresOf(...errors: readonly ErrorCode[]): Failures {
  return Object.fromEntries(errors.map((code) => [code, failures[code][1]]));
}

/** The answers with which a route fails, by their statuses. Answers that all routes give alike are shared. */
export function failureAnswers(route: Route, errors: Failures): Readonly<Record<string, object>> {
  const answers = codes.flatMap((code) => {
    const message = errors[code];
    if (message === undefined) return [];
    const { status, msg } = shownFailure(route, statusOf[code], message);
    const isShared = status === statusOf[code] && msg === failures[code][1];
    return [[status, isShared ? { $ref: `#/components/responses/${code}` } : responseOf(code, msg)]];
  });
  // An edit has several failures of one status: the first is shown.
  return Object.fromEntries(answers.toReversed());
}

function responseOf(code: ErrorCode, msg: string): object {
  const own = ownHeaders[code];
  return {
    description: failures[code][0],
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
