import { refusals } from "../../domain/model/refusals.ts";
import type { AppError, ErrorKind } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { bodyTooLarge, fileTooLarge, tooSlow, wrongType } from "../body.ts";
import { failedEnvelope, shownFailure } from "../envelope.ts";
import { httpRefusals } from "../refusals.ts";
import { codedAt, messageAt } from "../route-table.ts";
import type { Route } from "../routing/route.ts";
import { rules } from "../rules.ts";
import { statusOf } from "../surface.ts";
import { notValid } from "../tokens.ts";
import { xError } from "../x-error.ts";
import { headers, headersOf, type HeaderName } from "./headers.ts";

/** The kinds of failures of operations. A wrong method belongs to no operation. */
type Kind = Exclude<ErrorKind, "wrong_method">;

/** Each way to fail, as the document describes it. */
const descriptions: Readonly<Record<Kind, string>> = {
  invalid: "The request breaks a rule; `msg` names the field and the rule.",
  unauthenticated: "The request has no token, or none that is valid.",
  forbidden: "This account may not do that; `msg` says why.",
  not_found: "There is none.",
  conflict: "Conflicts with existing data; `msg` says which.",
  too_slow: "The body took too long to arrive; the connection is closed.",
  too_large: "The body is larger than this address takes.",
  unsupported_type: "The body's `Content-Type` is not the one that this address takes.",
  limited: "Too many requests, from you or altogether. Try again after `Retry-After`.",
  internal: "A fault of the server. The operator finds its cause by the number in `msg`.",
  upstream: "Another service that is needed here fails. The operator finds the cause by `X-Request-Id`.",
  unavailable: "The database or the store of textures cannot be reached. Try again after `Retry-After`.",
  no_space: "The server's disk is full; nothing was changed.",
};

/** The examples for routes that have no better one. */
const common: Readonly<Record<Kind, AppError>> = {
  invalid: rules.text({ field: "username" }),
  unauthenticated: notValid(),
  forbidden: refusals.unfinished(),
  not_found: refusals.unknownPlayer(),
  conflict: refusals.mailTaken(),
  too_slow: tooSlow(31),
  too_large: bodyTooLarge(limits.jsonBytesMax),
  unsupported_type: wrongType("application/json"),
  limited: refusals.tooMany("attempts", 30),
  internal: httpRefusals.internal("5b2f0e576c1d-3f8"),
  upstream: refusals.providerFails("discord"),
  unavailable: refusals.unavailable(),
  no_space: refusals.noSpace(),
};

/** The failures of a form, where they differ from those of JSON. */
export const formFailures = [fileTooLarge(1024 * 1024), wrongType("multipart/form-data")] as const;

const ownHeaders: Partial<Record<ErrorKind, HeaderName>> = {
  not_found: "X-Authlib-Injector-API-Location",
  limited: "Retry-After",
  unavailable: "Retry-After",
  internal: "X-Request-Id",
  no_space: "X-Request-Id",
  upstream: "X-Request-Id",
};

/**
 * Failures whose cause may be in the log, because the client learns only half of it: those of social
 * providers and stores.
 */
const maybeLogged: ReadonlySet<ErrorKind> = new Set(["invalid", "conflict", "unavailable"]);
const requestIdMaybe = {
  ...headers["X-Request-Id"],
  description: `${headers["X-Request-Id"].description} Missing when nothing was logged.`,
  required: false,
};

const codes = Object.keys(common) as Kind[]; // the table's keys, which `Object.keys` takes for any text

/** The schema of every failure, which the answers below refer to. */
export const failureSchemas = {
  Failure: {
    type: "object",
    description: "The envelope of every failure.",
    required: ["error", "msg", "url", "data"],
    properties: {
      error: { type: "boolean", const: true },
      msg: { type: "string", minLength: 1, description: "What is wrong, for people to read." },
      url: { type: ["string", "null"], description: "Always null." },
      data: {
        type: "object",
        description: "Empty, unless the account is suspended.",
        properties: { suspended: { $ref: "#/components/schemas/Suspension" } },
        additionalProperties: false,
      },
    },
  },
};

/** An answer for each code, for the routes to refer to, and the one that comes before there is a route. */
export const failureResponses = {
  ...Object.fromEntries(
    codes.map((code) => [code, responseOf(code, common[code], null, common[code].message)]),
  ),
  head_too_large: {
    description:
      "The request's head is larger than 16 KiB or has more than 198 lines. The connection is closed.",
    headers: {},
  },
};

/**
 * How every address fails before its route is known. Operations of protocols have all of their failures.
 * Those of the API leave it to the introduction: it has no body, so typed clients would have to look for one
 * after each failure.
 */
export const beforeRoute = { 431: { $ref: "#/components/responses/head_too_large" } } as const;

/** Ways to fail, with the examples for routes that have no better one. */
export function failuresOf(...errors: readonly Kind[]): readonly AppError[] {
  return errors.map((code) => common[code]);
}

/**
 * The answers with which a route fails, by their statuses. Of two errors with one code the later is the
 * example.
 */
export function failureAnswers(route: Route, errors: readonly AppError[]): Readonly<Record<string, object>> {
  const byCode = new Map(errors.map((error) => [error.kind, error]));
  const answers = codes.flatMap((code) => {
    const error = byCode.get(code);
    if (error === undefined) return [];
    const { status, msg } = shownFailure(route, statusOf[code], messageAt(route, error));
    const isShared = status === statusOf[code] && msg === common[code].message;
    return [
      [status, isShared ? { $ref: `#/components/responses/${code}` } : responseOf(code, error, route, msg)],
    ];
  });
  // An edit has several failures of one status: the first is shown.
  return Object.fromEntries(answers.toReversed());
}

function responseOf(code: Kind, error: AppError, route: Route | null, msg: string): object {
  const own = ownHeaders[code];
  return {
    description: descriptions[code],
    headers: {
      ...headersOf(["Cache-Control", "X-Error", ...(own === undefined ? [] : [own])], {
        "X-Error": xError(codedAt(route, error)),
      }),
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
