import { limits } from "../kernel/limits.ts";
import {
  fileTooLarge,
  jsonReader,
  mediaType,
  notNull,
  readBounded,
  requireType,
  throwIfRefused,
  wrongType,
  type Bytes,
} from "./body.ts";
import { refuseInheritedName } from "./json-text.ts";
import { httpRefusals } from "./refusals.ts";
import type { ReadBody } from "./routing/route.ts";

/** Readers of multipart forms, as uploads are. What a form's part claims of itself proves nothing. */

/** The bounds of a form beside its file: headings and text parts. */
type BesidesFile = { readonly bytesMax: number; readonly partsMax: number };

const besidesFile: BesidesFile = {
  bytesMax: limits.multipartOverheadBytes,
  partsMax: limits.formPartsMax,
};

/** Reads multipart forms with one file of this size at most. */
export function formReader(fileBytesMax: number, besides = besidesFile): ReadBody {
  return async (request) => {
    requireType(request, "multipart/form-data");
    return readForm(request, fileBytesMax, besides);
  };
}

/** Reads forms as `formReader` does, and JSON of 64 KiB at most, by what the request's header says. */
export function formOrJsonReader(fileBytesMax: number): ReadBody {
  const readJson = jsonReader({ bytesMax: limits.protocolJsonBytesMax });
  return async (request) => {
    const type = mediaType(request);
    if (type === "application/json") return notNull(await readJson(request));
    if (type !== "multipart/form-data") throw wrongType("multipart/form-data or application/json");
    throwIfRefused(request);
    return readForm(request, fileBytesMax, besidesFile);
  };
}

async function readForm(
  request: Request,
  fileBytesMax: number,
  { bytesMax, partsMax }: BesidesFile,
): Promise<unknown> {
  const bytes = await readBounded(request, fileBytesMax + bytesMax, () => fileTooLarge(fileBytesMax));
  return parseForm(request, bytes, partsMax);
}

/**
 * A part that comes once is its value; one that comes more often is an array, which a schema for one value
 * refuses.
 */
async function parseForm(request: Request, bytes: Bytes, partsMax: number): Promise<unknown> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw httpRefusals.notAForm({ cause });
  });
  const parts = new Map<string, unknown[]>();
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > partsMax) throw httpRefusals.tooManyParts(partsMax);
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
