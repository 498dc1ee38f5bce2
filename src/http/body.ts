import { Elysia } from "elysia";
import { AppError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";

/**
 * Readers of request bodies. Nothing beyond the limit is kept, also when the length is not declared, and the type is what
 * the header says; what a part's own header claims is nobody's evidence. They go after a session guard, so that
 * strangers' bodies are not read at all.
 */

/** Reads bodies of JSON, 512 KiB at most. */
export function jsonReader() {
  return new Elysia().onParse({ as: "scoped" }, ({ request }) => readJson(request));
}

/** Reads objects of JSON as `jsonReader` does, where the body may be left out: that counts as `{}`. */
export function optionalJsonReader() {
  return new Elysia().onParse({ as: "scoped" }, async ({ request }) => {
    if (request.body === null) return {};
    const body = await readJson(request);
    // The framework takes an empty list, and a text, for an object none of whose fields needs to be there.
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
    throw new AppError("invalid", "body: must be an object");
  });
}

async function readJson(request: Request): Promise<unknown> {
  requireType(request, "application/json");
  const tooLarge = `The body may have ${limits.jsonBytesMax} bytes at most`;
  return parseJson(await readBounded(request, limits.jsonBytesMax, tooLarge));
}

/** Reads multipart forms with one file of this size at most, and so much of headings and text parts beside it. */
export function formReader(fileBytesMax: number, besidesBytesMax: number = limits.multipartOverheadBytes) {
  return new Elysia().onParse({ as: "scoped" }, async ({ request }) => {
    requireType(request, "multipart/form-data");
    const tooLarge = `The file may have ${fileBytesMax} bytes at most`;
    return parseForm(request, await readBounded(request, fileBytesMax + besidesBytesMax, tooLarge));
  });
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
  try {
    return await withinSeconds(
      limits.bodySeconds + Math.ceil(bytesMax / limits.bodyBytesPerSecondMin),
      bytes,
    );
  } catch (cause) {
    // A stream fails when the client goes away or breaks the chunked coding: no fault of ours.
    throw cause instanceof AppError ? cause : new AppError("invalid", "The body broke off", { cause });
  }
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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), readExactly);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid", "The body is not valid JSON", { cause });
  }
}

/**
 * Ids of social providers come as integers beyond what a double holds: those become the text that they are written as
 * (ECMAScript, JSON.parse source text access), for the fields that take ids as text. Other integers that would lose digits
 * become what no field takes. Not a bigint: Elysia cannot print one when it reports another field.
 */
function readExactly(name: string, value: unknown, { source = "" }: { readonly source?: string } = {}) {
  refuseInheritedName(name);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return /^\d{1,255}$/.test(source) ? source : NaN;
}

/** A field that hides what every object inherits ("toString") breaks whoever prints the object, validators first. */
function refuseInheritedName(name: string): void {
  if (name in Object.prototype) throw new AppError("invalid", `${name}: is not a field`);
}

/** A part that comes once is its value, one that comes twice an array, which no schema of ours takes for a value. */
async function parseForm(request: Request, bytes: Bytes): Promise<unknown> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    const form = await new Response(bytes, { headers }).formData();
    const names = [...new Set(form.keys())];
    names.forEach(refuseInheritedName);
    return Object.fromEntries(names.map((name) => [name, onlyOrAll(form.getAll(name))]));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid", "The body is not a valid multipart form", { cause });
  }
}

function onlyOrAll<Value>(values: readonly Value[]): Value | readonly Value[] | undefined {
  return values.length > 1 ? values : values[0];
}
