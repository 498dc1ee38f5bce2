import { t } from "elysia";
import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../kernel/errors.ts";
import type { RouteSchema } from "./openapi/json-schema.ts";

/** Every JSON answer has this shape (contract, Response envelope). */
export type Envelope<Data> = {
  readonly error: boolean;
  readonly msg: string;
  readonly url: string | null;
  readonly data: Data;
};

/** An answer that succeeded. `url` names the next step where there is one. */
export function ok<Data extends object>(msg: string, data: Data, url: string | null = null): Envelope<Data> {
  return { error: false, msg, url, data };
}

/** The envelope's schema around the schema of its data, after which the API's document names it. */
export function envelopeOf<Data extends TSchema>(data: Data, component = envelopeName(data)) {
  const fields = {
    error: t.Boolean({ examples: [false] }),
    msg: t.String({ description: "What happened, for people to read" }),
    url: t.Union([t.String(), t.Null()], {
      description: "The next step, where there is one",
      examples: [null],
    }),
    data,
  };
  return t.Object(fields, { component, description: "The envelope of every answer of JSON" });
}

function envelopeName({ component, items }: RouteSchema): string | undefined {
  if (items?.component !== undefined) return `${items.component}ListEnvelope`;
  return component === undefined ? undefined : `${component}Envelope`;
}

/** The envelope of answers that carry no data. */
export const emptyEnvelope = envelopeOf(t.Object({}), "Envelope");

/** The one table from what failed to the status that says so (contract, Errors; decisions, Every response). */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  limited: 429,
  internal: 500,
  upstream: 502,
  no_space: 507,
} as const satisfies Record<ErrorCode, number>;

/** A failed request's answer. */
export function failure(
  status: number,
  msg: string,
  headers: Readonly<Record<string, string>> = {},
  data: object = {},
): Response {
  const body: Envelope<object> = { error: true, msg, url: null, data };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
