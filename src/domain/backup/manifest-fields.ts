/** Fields of a manifest, which may be anything until they were read. All of these fail with invalid. */
import { PlainError } from "../../kernel/errors.ts";
import type { Sum } from "../ports/backup-ports.ts";

/** Longer texts are in no manifest. */
const wordsLengthMax = 256;

/** The fields of JSON. */
export function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return malformed();
  }
}

/** The fields of an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : malformed();
}

/** Sizes and digests by the names of entries. */
export function sums(value: unknown): Readonly<Record<string, Sum>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, one]) => [name, sum(one)]));
}

/** A size and a digest. */
export function sum(value: unknown): Sum {
  const { bytes, sha256 } = fieldsOf(value);
  return { bytes: count(bytes), sha256: words(sha256) };
}

/** A whole number from 0 on. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : malformed();
}

/** A short text. */
export function words(value: unknown): string {
  return typeof value === "string" && value.length <= wordsLengthMax ? value : malformed();
}

/** A short text; null where there is none. */
export function wordsOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : words(value);
}

/** What a manifest without these fields gets. */
export function malformed(): never {
  throw new PlainError("invalid", "its manifest is malformed");
}
