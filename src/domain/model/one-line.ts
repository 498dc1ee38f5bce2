import { limits } from "../../kernel/limits.ts";
import { refusals } from "./refusals.ts";

/** One line without control characters, with something to be seen. */
export const linePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}][^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/**
 * A text of one line in NFC, blanks at the ends cut off: 1 to this many characters. Fails with invalid,
 * naming the field.
 */
export function parseLine(field: string, text: string, lengthMax: number): string {
  // The raw length is looked at first: normalising a long text is work for an attacker.
  const line = (text.length > lengthMax * 8 ? text : text.normalize("NFC")).trim();
  if (isReadable(line, lengthMax) && linePattern.test(line)) return line;
  throw refusals.badLine(lengthMax, { field });
}

/** Whether a text has something to be seen, whole characters, and this many of them at most. */
export function isReadable(text: string, lengthMax: number): boolean {
  return text.isWellFormed() && Array.from(text).length <= lengthMax && /[^\p{C}\p{Z}]/u.test(text);
}

/**
 * Why staff did something: one line of `limits.reasonLengthMax` characters at most, or empty for no reason.
 * Fails with invalid, naming the field.
 */
export function parseReason(text: string, field = "reason"): string {
  return text.trim() === "" ? "" : parseLine(field, text, limits.reasonLengthMax);
}
