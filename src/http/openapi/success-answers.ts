import type { Answer, Description } from "./describe.ts";
import { headersOf, type HeaderName } from "./headers.ts";
import { exampleOf, plainSchema, type RouteSchema } from "./json-schema.ts";

/** The answers whose schemas the route has, and those that it describes: all that succeed, as a rule. */
export function successAnswers(
  described: Description,
  schemas: Readonly<Record<string, RouteSchema>>,
): Readonly<Record<string, object>> {
  const statuses = new Set([...Object.keys(schemas), ...Object.keys(described.answers ?? {})]);
  const answers = [...statuses].flatMap((status) => {
    const answer: Answer = described.answers?.[Number(status)] ?? {};
    const { headers = [], description = described.msg ?? "Done" } = answer;
    const content = contentOf(answer.schema ?? schemas[status], answer, described);
    const success = { description, headers: headersOf(["Cache-Control", ...headers]), ...content };
    const repeated = headers.includes("ETag") ? [["304", unchanged(headers)]] : [];
    return [[status, success], ...repeated];
  });
  return Object.fromEntries(answers);
}

function contentOf(schema: RouteSchema | undefined, { type }: Answer, described: Description): object {
  // Without a schema, for this is no JSON that one could describe.
  if (type !== undefined) return { content: { [type]: {} } };
  if (schema === undefined) return {};
  const plain = plainSchema(schema);
  const example = withEnvelope(exampleOf(plain), described);
  return { content: { "application/json": { schema: plain, example } } };
}

/** Of an envelope the schema tells the data, and the route the rest, unless the schema has a message of its own. */
function withEnvelope(example: unknown, { msg, url }: Description): unknown {
  if (msg === undefined || typeof example !== "object" || hasMessage(example)) return example;
  return { ...example, msg, ...(url === undefined ? {} : { url }) };
}

function hasMessage(example: object | null): boolean {
  return example !== null && "msg" in example && example.msg !== undefined;
}

/** What a client is told that has the same already: all headers, and no body. */
function unchanged(headers: readonly HeaderName[]): object {
  return {
    description: "You have the same already: it has the `ETag` that `If-None-Match` names.",
    headers: headersOf(["Cache-Control", ...headers]),
  };
}
