import { AppError } from "../kernel/errors.ts";

/** A text of one line, blanks at the ends cut off: 1 to this many characters. Fails with invalid, naming the field. */
export function parseLine(field: string, text: string, lengthMax: number): string {
  const line = text.trim();
  if (isReadable(line, lengthMax) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return line;
  const rule = `must be one line of 1 to ${lengthMax} characters, none of them a control character`;
  throw new AppError("invalid", `${field}: ${rule}`);
}

/** Whether a text has something to be seen, whole characters, and this many of them at most. */
export function isReadable(text: string, lengthMax: number): boolean {
  return text.isWellFormed() && Array.from(text).length <= lengthMax && /[^\p{C}\p{Z}]/u.test(text);
}
