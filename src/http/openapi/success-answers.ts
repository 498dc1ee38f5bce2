import { limits } from "../../kernel/limits.ts";
import { linkToNext } from "../paging.ts";
import { messageOf, schemaOf, type Route } from "../routing/route.ts";
import type { Answer } from "./describe.ts";
import { headersOf } from "./headers.ts";
import type { SchemaWriter, WrittenSchema } from "./json-schema.ts";

/** The answers that the route has schemas for, and those that it describes. `path` is as in the document. */
export function successAnswers(
  path: string,
  route: Route,
  { write }: SchemaWriter,
): Readonly<Record<string, object>> {
  const nextPage = linkToNext(path, { limit: String(limits.pageRowsMax), after: "1017" });
  const schema = schemaOf(route);
  const message = messageOf(route);
  const done = route.empty === undefined ? {} : { 204: { description: route.empty } };
  const described: Readonly<Record<number, Answer>> = { ...done, ...route.answers };
  const statuses = new Set([...(schema === null ? [] : ["200"]), ...Object.keys(described)]);
  const answers = [...statuses].flatMap((status) => {
    const answer: Answer = described[Number(status)] ?? {};
    const { headers: own = [], headerExamples, description = message ?? "Done" } = answer;
    const isForVisitors = status === "404" || answer.type === "text/html";
    const location = isForVisitors ? (["X-Authlib-Injector-API-Location"] as const) : [];
    const headers = headersOf(["Cache-Control", ...location, ...own], { Link: nextPage, ...headerExamples });
    const shown = answer.schema ?? (status === "200" ? schema : null);
    const content = contentOf(shown === null ? undefined : write(shown), answer, {
      msg: message,
      url: route.url,
    });
    const success = { description, headers, ...content };
    // A client that has the same already gets all headers, and no body.
    const repeated = own.includes("ETag") ? [["304", { description: unchanged, headers }]] : [];
    return [[status, success], ...repeated];
  });
  return Object.fromEntries(answers);
}

type Said = { readonly msg: string | undefined; readonly url: string | undefined };

const unchanged = "You have it already: `If-None-Match` names its `ETag`.";

function contentOf(
  written: WrittenSchema | undefined,
  { type }: Answer,
  said: Said,
): { readonly content?: Readonly<Record<string, object>> } {
  if (type !== undefined) return { content: otherContent[type] };
  if (written === undefined) return {};
  const { schema } = written;
  return {
    content: { "application/json": { schema, example: withEnvelope(written.example, said) } },
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
  "application/zip": {
    "application/zip": { schema: { type: "string", format: "binary" } },
  },
  "text/csv": {
    "text/csv": { schema: { type: "string" } },
    "application/x-ndjson": { schema: { type: "string" } },
  },
  "text/html": { "text/html": { schema: { type: "string" } } },
} as const;

/** The schema has an envelope's data, and the route the rest, unless the schema has a message of its own. */
function withEnvelope(example: unknown, { msg, url }: Said): unknown {
  if (msg === undefined || typeof example !== "object" || hasMessage(example)) return example;
  return { ...example, msg, ...(url === undefined ? {} : { url }) };
}

function hasMessage(example: object | null): boolean {
  return example !== null && "msg" in example && example.msg !== undefined;
}
