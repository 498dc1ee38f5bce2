import { limits } from "../../kernel/limits.ts";
import { linkToNext } from "../paging.ts";
import type { Answer, Description } from "./describe.ts";
import { headersOf } from "./headers.ts";
import type { RouteSchema, SchemaWriter, WrittenSchema } from "./json-schema.ts";

/** The parts of a route that describe its success. */
type SucceedingRoute = {
  /** As in the document. */
  readonly path: string;
  readonly described: Description;
  readonly schemas: Readonly<Record<string, RouteSchema>>;
};

/** The answers that the route has schemas for, and those that it describes. */
export function successAnswers(
  { path, described, schemas }: SucceedingRoute,
  { write }: SchemaWriter,
): Readonly<Record<string, object>> {
  const nextPage = linkToNext(path, { limit: String(limits.pageRowsMax), after: "1017" });
  const statuses = new Set([...Object.keys(schemas), ...Object.keys(described.answers ?? {})]);
  const answers = [...statuses].flatMap((status) => {
    const answer: Answer = described.answers?.[Number(status)] ?? {};
    const { headers: own = [], headerExamples, description = described.msg ?? "Done" } = answer;
    const isForVisitors = status === "404" || answer.type === "text/html";
    const location = isForVisitors ? (["X-Authlib-Injector-API-Location"] as const) : [];
    const headers = headersOf(["Cache-Control", ...location, ...own], { Link: nextPage, ...headerExamples });
    const schema = answer.schema ?? schemas[status];
    const content = contentOf(schema === undefined ? undefined : write(schema), answer, described);
    const success = { description, headers, ...content };
    // A client that has the same already gets all headers, and no body.
    const repeated = own.includes("ETag") ? [["304", { description: unchanged, headers }]] : [];
    return [[status, success], ...repeated];
  });
  return Object.fromEntries(answers);
}

const unchanged = "You have it already: `If-None-Match` names its `ETag`.";

function contentOf(
  written: WrittenSchema | undefined,
  { type }: Answer,
  described: Description,
): { readonly content?: Readonly<Record<string, object>> } {
  if (type !== undefined) return { content: otherContent[type] };
  if (written === undefined) return {};
  const { schema } = written;
  return {
    content: { "application/json": { schema, example: withEnvelope(written.example, described) } },
  };
}

const bytes = { type: "string", format: "binary" } as const;

/** Bodies that are not JSON. */
const otherContent = {
  "image/png": {
    "image/png": { schema: bytes },
    // For generators that know no pictures: they read the bytes, whatever type the answer has.
    "application/octet-stream": {
      schema: {
        ...bytes,
        description: "The same bytes, for programs that know no pictures; the type sent is image/png",
      },
    },
  },
  "text/event-stream": { "text/event-stream": { schema: { type: "string" } } },
  "text/csv": {
    "text/csv": { schema: { type: "string" } },
    "application/x-ndjson": { schema: { type: "string" } },
  },
  "text/html": { "text/html": { schema: { type: "string" } } },
} as const;

/** The schema has an envelope's data, and the route the rest, unless the schema has a message of its own. */
function withEnvelope(example: unknown, { msg, url }: Description): unknown {
  if (msg === undefined || typeof example !== "object" || hasMessage(example)) return example;
  return { ...example, msg, ...(url === undefined ? {} : { url }) };
}

function hasMessage(example: object | null): boolean {
  return example !== null && "msg" in example && example.msg !== undefined;
}
