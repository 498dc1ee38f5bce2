import type { TSchema } from "@sinclair/typebox";
import type { RouteSchema } from "./openapi/json-schema.ts";
import { t } from "./routing/schema.ts";

/** Every JSON answer has this shape (docs/contract/answers.md#envelope). */
export type Envelope<Data> = {
  readonly error: boolean;
  readonly msg: string;
  readonly url: string | null;
  readonly data: Data;
};

/** An answer that succeeded. `url` names the next step where there is one. */
export function ok<Data extends object | null>(
  msg: string,
  data: Data,
  url: string | null = null,
): Envelope<Data> {
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

/**
 * Statuses that an edit of the home area keeps. Every other failure of one is a 400 that names the action
 * (docs/contract/home.md#edits).
 */
const editKeeps: ReadonlySet<number> = new Set([401, 403, 408, 429, 500, 503, 507]);
/** Failures of an upload that name the action under a status of their own. */
const uploadKeeps: ReadonlySet<number> = new Set([413, 415]);

/** The parts of a route that its failures show. */
type FailingRoute = { readonly path: string; readonly action?: string; readonly isEdit?: true };

/** The status and the message with which a route fails (docs/contract/home.md#edits). */
export function shownFailure(
  route: FailingRoute | null,
  status: number,
  message: string,
): { readonly status: number; readonly msg: string } {
  if (route?.isEdit !== true || editKeeps.has(status)) return { status, msg: message };
  const kept = route.path.endsWith("/upload") && uploadKeeps.has(status);
  return { status: kept ? status : 400, msg: `${route.action} failed: ${message}` };
}

/** The envelope of a failed request. */
export function failedEnvelope<Data extends object = object>(msg: string, data?: Data): Envelope<Data> {
  return { error: true, msg, url: null, data: data ?? ({} as Data) };
}
