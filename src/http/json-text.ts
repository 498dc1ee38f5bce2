import { rules } from "./rules.ts";
import { httpRefusals } from "./refusals.ts";
import { limits } from "../kernel/limits.ts";

/**
 * JSON as clients send it: checked before it is parsed, because parsing is what costs
 * (docs/decisions/http.md).
 */

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The value that a JSON text in UTF-8 stands for. Fails with invalid, also for a field that hides an
 * inherited one.
 */
export function parseJson(bytes: Uint8Array, reviver?: Reviver): unknown {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes), reviver);
  } catch (cause) {
    throw httpRefusals.notJson({ cause });
  }
  refuseInheritedNames(body);
  return body;
}

/**
 * Ids of social providers come as integers beyond the range of a double: those become the text that they are
 * written as (ECMAScript, JSON.parse source text access). Too long ones become NaN, which no field takes. A
 * bigint would not do: Elysia cannot print one when it reports another field. A reviver takes ten times as
 * long as the parsing, so only few routes have one.
 */
export function exactIntegers(names: readonly string[]): Reviver {
  return (name, value, { source = "" } = {}) => {
    if (!names.includes(name) || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    return /^\d{1,255}$/.test(source) ? source : NaN;
  };
}

/** A field that hides an inherited one ("toString") breaks code that prints the object. */
function refuseInheritedNames(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) Object.keys(value).forEach(refuseInheritedName);
  Object.values(value).forEach(refuseInheritedNames);
}

/** Fails with invalid for a field's name that every object inherits. */
export function refuseInheritedName(name: string): void {
  if (name in Object.prototype) throw rules.notAField({ field: name });
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that is deeper or wider than a body of ours can be, by its brackets, commas and colons. It
 * takes a millisecond for a megabyte; parsing takes thirty times as long for arrays in arrays or for fields
 * of many names. The parser decides afterwards whether it is JSON at all. Fails with invalid.
 */
export function checkJsonShape(bytes: Uint8Array, valuesMax: number): void {
  const { jsonLevelsMax, jsonFieldsMax } = limits;
  const fields = new Uint32Array(jsonLevelsMax + 1);
  let level = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) values += 1;
    else if (byte === colon) {
      fields[level] = (fields[level] ?? 0) + 1;
      if ((fields[level] ?? 0) > jsonFieldsMax) throw httpRefusals.tooManyFields(jsonFieldsMax);
    } else if (byte === openList || byte === openObject) {
      values += 1;
      level += 1;
      if (level > jsonLevelsMax) throw httpRefusals.tooDeep(jsonLevelsMax);
      fields[level] = 0;
    } else if ((byte === closeList || byte === closeObject) && level > 0) level -= 1;
  }
  if (values > valuesMax) throw httpRefusals.tooManyValues(valuesMax);
}

/** Where the text that begins here ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
