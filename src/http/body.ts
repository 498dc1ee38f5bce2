import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { AppError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import { within } from "../kernel/within.ts";
import { checkJsonShape, exactIntegers, parseJson } from "./json-text.ts";
import { httpRefusals } from "./refusals.ts";
import type { ReadBody } from "./routing/route.ts";
import { rules } from "./rules.ts";

/**
 * Readers of request bodies. They keep nothing beyond the limit, whether or not the length is declared, and
 * take the type from the request's header. They go after a guard, so that a body without a right is not read
 * at all.
 */

export const { bodyTooLarge, fileTooLarge, wrongType, tooSlow } = httpRefusals;

type JsonOptions = {
  readonly bytesMax?: number;
  readonly valuesMax?: number;
  /** Whether JSON is read whatever the request's header says. */
  readonly anyType?: boolean;
  /** Fields whose integers keep all of their digits. */
  readonly exactIn?: readonly string[];
};

/** Reads objects of JSON as `jsonReader` does. The body may be left out, which counts as `{}`. */
export function optionalJsonReader(): ReadBody {
  const read = jsonReader();
  return async (request) => {
    if (request.body === null) return {};
    const body = await read(request);
    // The framework takes an empty list, and a text, for an object whose fields are all optional.
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
    throw rules.object({ field: "body" });
  };
}

/**
 * Reads the JSON of launchers and games: any type, 64 KiB at most. Their libraries send types of their own,
 * or no type.
 */
export function lenientJsonReader(): ReadBody {
  const read = jsonReader({ bytesMax: limits.protocolJsonBytesMax, anyType: true });
  return async (request) => notNull(await read(request));
}

/**
 * The body, unless it is null, which the framework takes for a body that was not read. Fails with invalid.
 */
export function notNull(body: unknown): unknown {
  if (body !== null) return body;
  throw rules.notNull({ field: "body" });
}

/** Reads bodies of JSON: 8 KiB and 500 values at most by default. */
export function jsonReader({
  bytesMax = limits.jsonBytesMax,
  valuesMax = limits.jsonValuesMax,
  anyType = false,
  exactIn = [],
}: JsonOptions = {}): ReadBody {
  const reviver = exactIn.length === 0 ? undefined : exactIntegers(exactIn);
  return async (request) => {
    requireType(request, anyType ? null : "application/json");
    const bytes = await readBounded(request, bytesMax);
    checkJsonShape(bytes, valuesMax);
    return parseJson(bytes, reviver);
  };
}

/**
 * Begins the wait for a body and returns the function that ends it. Throws when the body must not be waited
 * for.
 */
export type BeginBody = () => () => void;

const begins = new WeakMap<Request, BeginBody>();

/** Runs `begin` when the body of the request is read, by any reader, and does not come at once. */
export function onSlowBody(request: Request, begin: BeginBody): void {
  begins.set(request, begin);
}

/**
 * Whether a body may go on for long behind its answer: its length is undeclared or very large. Bun reads an
 * unwanted body to its end, as fast as it comes, so the connection has to end with the answer.
 */
export function mayGoOn({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > limits.unwantedBytesMax;
}

/**
 * Reads past what is left of an unwanted body in chunks, because most clients read the answer only after they
 * have sent everything. Nothing is kept, and one turn of the event loop sees one piece, however many chunks
 * came in it. Returns false for a body that is too long, too slow or in too many pieces; the connection has
 * to end then.
 */
export async function passOver(request: Request): Promise<boolean> {
  if (!request.headers.has("transfer-encoding")) return false;
  const { body } = request;
  if (body === null) return true;
  // A reader waits for it still, beyond its time.
  if (body.locked) return false;
  return readInTime(request, 0, readPast(body)).catch(() => false);
}

async function readPast(body: Body): Promise<boolean> {
  let length = 0;
  for await (const piece of piecesOf(body)) {
    length += piece.byteLength;
    if (length > limits.unwantedChunkedBytesMax) return false;
    // Bun joins the chunks that come meanwhile.
    await yieldToEventLoop();
  }
  return true;
}

const refused = new WeakMap<Request, AppError>();

/**
 * Has every reader of the request's body fail with this before it reads anything, and `requireJson` as well.
 */
export function refuseBody(request: Request, why: AppError): void {
  refused.set(request, why);
}

/**
 * Fails with unsupported_type unless the header says that the body is JSON, and with the reason for which the
 * body was refused. Without a preflight no page of another site can send JSON (Fetch standard).
 */
export function requireJson(request: Request): void {
  requireType(request, "application/json");
}

/** Fails with the reason for which the request's body was refused, if it was. */
export function throwIfRefused(request: Request): void {
  const why = refused.get(request);
  if (why !== undefined) throw why;
}

/**
 * Fails with unsupported_type unless the header names this type, and with the reason for which the body was
 * refused.
 */
export function requireType(request: Request, type: string | null): void {
  if (type !== null && mediaType(request) !== type) throw wrongType(type);
  throwIfRefused(request);
}

/** The type that the header names, without its parameters. */
export function mediaType(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

/** Bytes of their own, as answers and forms take them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A body's bytes, this many at most. Fails with too_large when there are more, too_slow when they do not come
 * in time.
 */
export async function readBounded(
  request: Request,
  bytesMax: number,
  tooLarge = () => bodyTooLarge(bytesMax),
): Promise<Bytes> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > bytesMax) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  // The server hands on no more than was declared; read in one piece, a body is in memory once instead of
  // twice.
  const isWhole = declared > 0 && !request.headers.has("transfer-encoding");
  return readInTime(
    request,
    bytesMax,
    isWhole ? readWhole(request) : readStream(request.body, bytesMax, tooLarge),
  );
}

/**
 * What is read of a body, which counts as under way unless it is here at once. Fails with too_slow when it
 * does not come in time.
 */
async function readInTime<Read>(request: Request, bytesMax: number, read: Promise<Read>): Promise<Read> {
  let end: (() => void) | undefined;
  try {
    const here = await withinTurn(read);
    if (here !== null) return here;
    end = begins.get(request)?.();
    return await withinSeconds(limits.bodySeconds + Math.ceil(bytesMax / limits.bodyBytesPerSecondMin), read);
  } catch (cause) {
    // A stream fails when the client goes away or breaks the chunked coding: no fault of ours.
    throw cause instanceof AppError ? cause : httpRefusals.brokenOff({ cause });
  } finally {
    end?.();
  }
}

/**
 * A body that came with its head is here in the next turn of the event loop; null for one that is still
 * coming.
 */
function withinTurn<Read>(read: Promise<Read>): Promise<Read | null> {
  return Promise.race([read, nextTurn()]);
}

let turn: Promise<null> | null = null;

/** All bodies of a turn wait for the same next one: a timer for each would cost as much as the reading. */
function nextTurn(): Promise<null> {
  return (turn ??= yieldToEventLoop().then(() => (turn = null)));
}

async function readWhole(request: Request): Promise<Bytes> {
  return new Uint8Array(await request.arrayBuffer());
}

async function readStream(body: Body, bytesMax: number, tooLarge: () => AppError): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(body)) {
    length += piece.byteLength;
    if (length > bytesMax) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

type Body = ReadableStream<Uint8Array>;

/**
 * The pieces of a body as Bun hands them on, mostly one for each chunk: each costs as much of the event loop
 * as some kilobytes do. What is not read can be read by the next reader. Fails with invalid when a body comes
 * in many more pieces than its length explains.
 */
async function* piecesOf(body: Body): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let [count, length] = [0, 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      count += 1;
      length += value.byteLength;
      if (count > limits.bodyPiecesMax + length / limits.bodyPieceBytesMin)
        throw httpRefusals.tooManyPieces();
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** The server limits silence only: a client that sends a byte now and then would never finish. */
function withinSeconds<Read>(seconds: number, read: Promise<Read>): Promise<Read> {
  return within(seconds * 1000, read, () => {
    throw tooSlow(seconds);
  });
}
