import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Elysia } from "elysia";
import { AppError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import { checkJsonShape } from "./json-shape.ts";

/**
 * Readers of request bodies. Nothing beyond the limit is kept, also when the length is not declared, and the type is what
 * the header says; what a part's own header claims is nobody's evidence. They go after a session guard, so that
 * strangers' bodies are not read at all.
 */

type JsonOptions = {
  readonly bytesMax?: number;
  readonly valuesMax?: number;
  /** Fields whose integers keep all of their digits. */
  readonly exactIn?: readonly string[];
};

/** Reads bodies of JSON: 8 KiB and 500 values at most, where nothing else is said. */
export function jsonReader(options: JsonOptions = {}) {
  const read = createJsonReader(options);
  return new Elysia().onParse({ as: "scoped" }, ({ request }) => read(request));
}

/** Reads objects of JSON as `jsonReader` does, where the body may be left out: that counts as `{}`. */
export function optionalJsonReader() {
  const read = createJsonReader({});
  return new Elysia().onParse({ as: "scoped" }, async ({ request }) => {
    if (request.body === null) return {};
    const body = await read(request);
    // The framework takes an empty list, and a text, for an object none of whose fields needs to be there.
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
    throw new AppError("invalid", "body: must be an object");
  });
}

function createJsonReader({
  bytesMax = limits.jsonBytesMax,
  valuesMax = limits.jsonValuesMax,
  exactIn = [],
}: JsonOptions) {
  const reviver = exactIn.length === 0 ? undefined : exactIntegers(exactIn);
  const tooLarge = `The body may have ${bytesMax} bytes at most`;
  return async (request: Request): Promise<unknown> => {
    requireType(request, "application/json");
    const bytes = await readBounded(request, bytesMax, tooLarge);
    checkJsonShape(bytes, valuesMax);
    return parseJson(bytes, reviver);
  };
}

/** What a form may hold beside its file: headings and text parts. */
type BesidesFile = { readonly bytesMax: number; readonly partsMax: number };

/** Reads multipart forms with one file of this size at most. */
export function formReader(
  fileBytesMax: number,
  { bytesMax, partsMax }: BesidesFile = {
    bytesMax: limits.multipartOverheadBytes,
    partsMax: limits.formPartsMax,
  },
) {
  return new Elysia().onParse({ as: "scoped" }, async ({ request }) => {
    requireType(request, "multipart/form-data");
    const tooLarge = `The file may have ${fileBytesMax} bytes at most`;
    return parseForm(request, await readBounded(request, fileBytesMax + bytesMax, tooLarge), partsMax);
  });
}

/** The hook of routes behind a guard that take no body: Elysia would read whatever comes, by its type and without a bound. */
export const unread = { parse: () => null };

/** Begins a body that is not here yet, and gives back what ends it. Throws when it is not waited for. */
export type BeginBody = () => () => void;

const begins = new WeakMap<Request, BeginBody>();

/** Has this run when the body of the request is read and does not come at once, whoever reads it. */
export function onSlowBody(request: Request, begin: BeginBody): void {
  begins.set(request, begin);
}

/**
 * Whether a body may go on for long behind its answer: nothing says how long it is, or it is very long. Bun reads a body that
 * nobody asked for to its end, as fast as it comes, so the connection has to end with the answer.
 */
export function mayGoOn({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > limits.unwantedBytesMax;
}

/** Lets a body pass by that nobody read, unless it is very long. */
export async function passOver(request: Request): Promise<void> {
  await readBounded(request, 0, "").catch(() => undefined);
}

function requireType(request: Request, type: string): void {
  if (mediaType(request) === type) return;
  throw new AppError("unsupported_type", `The body must be ${type}, and its Content-Type must say so`);
}

function mediaType(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

/** Bytes of their own, as answers and forms take them. */
type Bytes = Uint8Array<ArrayBuffer>;

/** A body's bytes, this many at most. Fails with too_large when there are more, too_slow when they do not come in time. */
export async function readBounded(request: Request, bytesMax: number, tooLarge: string): Promise<Bytes> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > bytesMax) throw new AppError("too_large", tooLarge);
  if (request.body === null) return new Uint8Array();
  // The server hands on no more than was declared; taken whole, a body is in memory once instead of twice.
  const isWhole = declared > 0 && !request.headers.has("transfer-encoding");
  const bytes = isWhole ? readWhole(request) : readStream(request.body, bytesMax, tooLarge);
  let end: (() => void) | undefined;
  const waitedFor = async () => {
    const here = await withinTurn(bytes);
    if (here === null) end = begins.get(request)?.();
    return here ?? bytes;
  };
  const seconds = limits.bodySeconds + Math.ceil(bytesMax / limits.bodyBytesPerSecondMin);
  try {
    return await withinSeconds(seconds, waitedFor());
  } catch (cause) {
    // A stream fails when the client goes away or breaks the chunked coding: no fault of ours.
    throw cause instanceof AppError ? cause : new AppError("invalid", "The body broke off", { cause });
  } finally {
    end?.();
  }
}

/** A body that came with its head is here in the next turn of the event loop; null for one that is on its way. */
function withinTurn(body: Promise<Bytes>): Promise<Bytes | null> {
  return Promise.race([body, yieldToEventLoop().then(() => null)]);
}

async function readWhole(request: Request): Promise<Bytes> {
  return new Uint8Array(await request.arrayBuffer());
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  bytesMax: number,
  tooLarge: string,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length <= bytesMax) chunks.push(chunk);
    else if (length > bytesMax + limits.unwantedChunkedBytesMax) break;
  }
  if (length > bytesMax) throw new AppError("too_large", tooLarge);
  return Buffer.concat(chunks, length);
}

/** The server counts silence only; who sends a byte now and then would never be done. */
async function withinSeconds(seconds: number, body: Promise<Bytes>): Promise<Bytes> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError("too_slow", `The body must arrive within ${seconds} seconds`)),
    seconds * 1000,
  );
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

function parseJson(bytes: Uint8Array, reviver?: Reviver): unknown {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), reviver);
  } catch (cause) {
    throw new AppError("invalid", "The body is not valid JSON", { cause });
  }
  refuseInheritedNames(body);
  return body;
}

/**
 * Ids of social providers come as integers beyond what a double holds: those become the text that they are written as
 * (ECMAScript, JSON.parse source text access). What is too long for an id becomes what no field takes. Not a bigint: Elysia
 * cannot print one when it reports another field. A reviver takes ten times as long as the parsing, so only few routes have one.
 */
function exactIntegers(names: readonly string[]): Reviver {
  return (name, value, { source = "" } = {}) => {
    if (!names.includes(name) || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    return /^\d{1,255}$/.test(source) ? source : NaN;
  };
}

/** A field that hides what every object inherits ("toString") breaks whoever prints the object. */
function refuseInheritedNames(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) Object.keys(value).forEach(refuseInheritedName);
  Object.values(value).forEach(refuseInheritedNames);
}

function refuseInheritedName(name: string): void {
  if (name in Object.prototype) throw new AppError("invalid", `${name}: is not a field`);
}

/** A part that comes once is its value, one that comes twice an array, which no schema of ours takes for a value. */
async function parseForm(request: Request, bytes: Bytes, partsMax: number): Promise<unknown> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw new AppError("invalid", "The body is not a valid multipart form", { cause });
  });
  const parts = new Map<string, unknown[]>();
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > partsMax) throw new AppError("invalid", `The form may have ${partsMax} parts at most`);
    refuseInheritedName(name);
    const values = parts.get(name);
    if (values === undefined) parts.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(Array.from(parts, ([name, values]) => [name, onlyOrAll(values)]));
}

function onlyOrAll<Value>(values: readonly Value[]): Value | readonly Value[] | undefined {
  return values.length > 1 ? values : values[0];
}
