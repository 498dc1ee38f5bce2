import { limits } from "../../kernel/limits.ts";
import { linkToNext } from "../paging.ts";
import type { Answer, Description } from "./describe.ts";
import { headersOf } from "./headers.ts";
import type { RouteSchema, SchemaWriter, WrittenSchema } from "./json-schema.ts";

/** What of a route tells how it succeeds. */
type SucceedingRoute = {
  /** As the document has it. */
  readonly path: string;
  readonly described: Description;
  readonly schemas: Readonly<Record<string, RouteSchema>>;
};

/** The answers whose schemas the route has, and those that it describes: all that succeed, as a rule. */
export function successAnswers(
  { path, described, schemas }: SucceedingRoute,
  { write }: SchemaWriter,
): Readonly<Record<string, object>> {
  const nextPage = linkToNext(path, { limit: String(limits.pageRowsMax), after: "1017" });
  const statuses = new Set([...Object.keys(schemas), ...Object.keys(described.answers ?? {})]);
  const answers = [...statuses].flatMap((status) => {
    const answer: Answer = described.answers?.[Number(status)] ?? {};
    const { headers: own = [], headerExamples, description = described.msg ?? "Done" } = answer;
    const headers = headersOf(["Cache-Control", ...own], { Link: nextPage, ...headerExamples });
    const schema = answer.schema ?? schemas[status];
    const content = contentOf(schema === undefined ? undefined : write(schema), answer, described);
    const success = { description, headers, ...content };
    // What a client is told that has the same already: all headers, and no body.
    const repeated = own.includes("ETag") ? [["304", { description: unchanged, headers }]] : [];
    return [[status, success], ...repeated];
  });
  return Object.fromEntries(answers);
}

const unchanged = "You have the same already: it has the `ETag` that `If-None-Match` names.";

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

/** What is no JSON. */
const otherContent = {
  "image/png": {
    "image/png": { schema: bytes },
    // Generators that know no pictures know this; they read the bytes, whatever the answer says that they are.
    "application/octet-stream": {
      schema: {
        ...bytes,
        description: "The same, for programs that know no pictures; it is sent as image/png",
      },
    },
  },
  "text/html": { "text/html": { schema: { type: "string" } } },
} as const;

/** Of an envelope the schema tells the data, and the route the rest, unless the schema has a message of its own. */
function withEnvelope(example: unknown, { msg, url }: Description): unknown {
  if (msg === undefined || typeof example !== "object" || hasMessage(example)) return example;
  return { ...example, msg, ...(url === undefined ? {} : { url }) };
}

function hasMessage(example: object | null): boolean {
  return example !== null && "msg" in example && example.msg !== undefined;
}
