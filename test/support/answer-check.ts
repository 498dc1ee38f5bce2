import type { Harness } from "./harness.ts";
import { errorFaults, readError } from "./x-error.ts";
import {
  misfits,
  operationsOf,
  readDocument,
  resolve,
  type OpenApiDocument,
  type Operation,
  type ResponseObject,
} from "./openapi.ts";

/** A harness every answer of which is held against the API's document. */
export type CheckedHarness = Harness & {
  readonly document: OpenApiDocument;
  /** What was answered so far: `GET /api/home 200`, with the path as the document has it. */
  readonly answered: ReadonlySet<string>;
  /** Headers of these answers whose example is like none of the values that were sent. */
  readonly unlikeExamples: () => readonly string[];
};

/**
 * Has each answer checked on its way: status, headers, media type and body. One that is not as described
 * throws.
 */
export async function checkAnswers(
  harness: Harness,
  which: (document: OpenApiDocument) => readonly Operation[] = operationsOf,
): Promise<CheckedHarness> {
  const document = await readDocument(harness);
  const operations = which(document);
  const answered = new Set<string>();
  const likeness = new Map<string, boolean>();
  return {
    ...harness,
    document,
    answered,
    unlikeExamples: () => [...likeness].filter(([, isLike]) => !isLike).map(([header]) => header),
    fetch: async (path, init = {}) => {
      const response = await harness.fetch(path, init);
      const method = init.method ?? "GET";
      const found = findOperation(operations, method, path);
      if (found === undefined) return requireNoRoute(response, `${method} ${path}`);
      const { status, headers } = response;
      const body = await response.bytes();
      const faults = answerFaults(document, found, { status, headers, body });
      if (faults.length > 0) {
        throw new Error(`${method} ${path} answered ${status}:\n${faults.join("\n")}`);
      }
      const answer = `${found.method} ${found.path} ${status}`;
      answered.add(answer);
      for (const [name, { example }] of headersOf(document, found, status)) {
        const sent = headers.get(name);
        const header = `${answer} ${name}: ${String(example)}`;
        if (sent !== null) likeness.set(header, likeness.get(header) || shapeOf(sent) === shapeOf(example));
      }
      return new Response(body.length === 0 ? null : body, { status, headers });
    },
  };
}

/**
 * What every answer may have, or every picture: it is for browsers and caches, so the document is silent on
 * it.
 */
const everywhere: ReadonlySet<string> = new Set([
  "access-control-expose-headers",
  "content-security-policy",
  "content-type",
  "referrer-policy",
  "strict-transport-security",
  "vary",
  "x-content-type-options",
]);

/** Pages are for people: the document of the API is silent on them. */
function requireNoRoute(response: Response, request: string): Response {
  const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
  if (isPage && response.status < 400) return response;
  if (response.status === 404 || response.status === 405) return response;
  throw new Error(`${request} answered ${response.status}, and is not in the document`);
}

/** Of two that fit, the one that says more. */
function findOperation(operations: readonly Operation[], method: string, url: string): Operation | undefined {
  const { pathname } = new URL(url, "http://localhost");
  const fitting = operations.filter(
    (one) => one.method === method && patternOf(one.path).test(pathname.replace(/(?<=.)\/$/, "")),
  );
  const [best] = fitting.sort((a, b) => countParameters(a) - countParameters(b));
  return best;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function countParameters({ path }: Operation): number {
  return path.split("{").length;
}

type Answer = {
  readonly status: number;
  readonly headers: Response["headers"];
  readonly body: Uint8Array;
};

function answerFaults(
  document: OpenApiDocument,
  { operation }: Operation,
  answer: Answer,
): readonly string[] {
  const described = operation.responses[String(answer.status)];
  if (described === undefined) return [`is not described; ${Buffer.from(answer.body).toString()}`];
  const response = resolve<ResponseObject>(document, described);
  return [
    ...headerFaults(document, response, answer.headers),
    ...bodyFaults(document, response, answer),
    ...codeFaults(document, operation, answer),
  ];
}

/**
 * A failure of the API has a code, one that its operation or the whole document names. Protocols of others
 * have none.
 */
function codeFaults(
  document: OpenApiDocument,
  operation: Operation["operation"],
  { status, headers, body }: Answer,
): readonly string[] {
  const sent = headers.get("x-error");
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  if (operation["x-errors"] === undefined || status < 400 || !isJson)
    return sent === null ? [] : ["has a code, and should have none"];
  if (sent === null) return ["has no code"];
  const { msg } = JSON.parse(new TextDecoder().decode(body)) as { readonly msg: string };
  const { code } = readError(sent);
  const named = [
    ...(operation["x-errors"][String(status)] ?? []),
    ...Object.values(document["x-errors"].any).flat(),
  ];
  const faults = errorFaults(status, sent, msg);
  return named.includes(code) ? faults : [...faults, `x-errors does not name ${code}`];
}

function headersOf(document: OpenApiDocument, { operation }: Operation, status: number) {
  const response = resolve<ResponseObject>(document, operation.responses[String(status)]!);
  // What has few values is held to them by its schema. Most answers have several codes.
  return Object.entries(response.headers).filter(
    ([name, { schema }]) => !("enum" in schema) && name !== "X-Error",
  );
}

/**
 * What is the same in all values of a header of one kind: numbers, ids, secrets and hosts stand for each
 * other.
 */
function shapeOf(value: unknown): string {
  return String(value)
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/, "<token>")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, "<secret>")
    .replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{32})\b/g, "<hash>")
    .replace(/^[0-9a-f]{12}-[0-9a-z]+$/, "<request>")
    .replace(/^"[0-9a-z]{10,14}"$/, '"<tag>"')
    .replace(/^https?:\/\/[^/]+\/(?:api\/)?/, "<provider>/")
    .replace(/(?<=client_id=)[\w-]+/, "<client>")
    .replaceAll(/\d+/g, "<number>");
}

function headerFaults(
  document: OpenApiDocument,
  { headers }: ResponseObject,
  sent: Answer["headers"],
): readonly string[] {
  const known = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const unknown = [...sent.keys()].filter((name) => !everywhere.has(name) && !known.has(name));
  const wrong = Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = sent.get(name);
    if (value === null) return required === true ? [`${name} is missing`] : [];
    const typed = schema["type"] === "integer" ? Number(value) : value;
    return misfits(document, schema, typed).map((fault) => `${name}: ${fault}`);
  });
  return [...unknown.map((name) => `${name} is not described`), ...wrong];
}

function bodyFaults(
  document: OpenApiDocument,
  { content = {} }: ResponseObject,
  { headers, body }: Answer,
): readonly string[] {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  if (Object.keys(content).length === 0)
    return body.length === 0 ? [] : ["has a body, which is not described"];
  const media = content[type];
  if (media === undefined)
    return [`is ${type || "of no type"}, described is ${Object.keys(content).join(", ")}`];
  if (type === "image/png") return isPng(body) ? [] : ["is no PNG"];
  const text = new TextDecoder().decode(body);
  if (type === "application/zip") return text.startsWith("PK\u0003\u0004") ? [] : ["is no archive"];
  // Lines, the first of which may be a comment (HTML standard, 9.2.5).
  if (type === "text/event-stream") return /^(?::|\w+:)/.test(text) ? [] : ["is no stream of events"];
  if (type === "text/csv") return text.includes("\r\n") ? [] : ["has no lines"];
  if (type === "application/x-ndjson")
    return text.trimEnd().split("\n").every(isJson) ? [] : ["is not JSON in lines"];
  if (type === "text/html") return text.startsWith("<!DOCTYPE html>") ? [] : ["is no page"];
  const spelled = headers.get("content-type");
  if (spelled !== "application/json; charset=utf-8") return [`is ${spelled}`];
  return misfits(document, media.schema ?? {}, JSON.parse(text));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString("latin1") === "\x89PNG\r\n\x1a\n";
}
