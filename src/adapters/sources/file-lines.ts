/** Lines of a file that may be larger than memory. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { requirePlainFile } from "../../kernel/plain-files.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";

/** A record of an account has some hundred bytes. */
const lineBytesMax = 64 * 1024;
const chunkBytes = 256 * 1024;

/** A line without its end; null: it is longer than any record is. */
export type FileLine = { readonly number: number; readonly bytes: Uint8Array | null };

/**
 * The lines of a plain file from the first on, without a byte order mark. Fails with not_found or invalid,
 * naming the file.
 */
export async function* fileLines(path: string): AsyncGenerator<readonly FileLine[]> {
  await using file = await opened(path);
  const state = { number: 0, kept: [] as Uint8Array[], size: 0 };
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) break;
    yield linesOf(state, buffer.subarray(0, bytesRead));
  }
  if (state.size > 0) yield [ended(state, new Uint8Array())];
}

type Unended = { number: number; kept: Uint8Array[]; size: number };

function linesOf(state: Unended, chunk: Uint8Array): readonly FileLine[] {
  const lines: FileLine[] = [];
  let start = 0;
  for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
    lines.push(ended(state, chunk.subarray(start, end)));
    start = end + 1;
  }
  const rest = chunk.subarray(start);
  state.size += rest.length;
  // Of a line that is too long nothing is kept.
  if (rest.length > 0) state.kept = state.size > lineBytesMax ? [] : [...state.kept, rest];
  return lines;
}

function ended(state: Unended, last: Uint8Array): FileLine {
  const isTooLong = state.size + last.length > lineBytesMax;
  const whole = state.kept.length === 0 ? last : Buffer.concat([...state.kept, last]);
  state.number += 1;
  [state.kept, state.size] = [[], 0];
  const bytes = state.number === 1 ? withoutMark(whole) : whole;
  return { number: state.number, bytes: isTooLong ? null : withoutReturn(bytes) };
}

function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
}

async function opened(path: string) {
  try {
    // A pipe would never begin, so it is not waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      requirePlainFile(path, await file.stat());
    } catch (cause) {
      await file.close();
      throw cause;
    }
    return file;
  } catch (cause) {
    if (cause instanceof PlainError) throw cause;
    const code = codeOf(cause) ?? "";
    const reason = systemReasons[code] ?? "it cannot be read";
    throw new PlainError(code === "ENOENT" ? "not_found" : "invalid", `${path}: ${reason}`, { cause });
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What `lineText` says of other encodings. */
export const notUtf8 = "it is not UTF-8";

/** The text of a line; a sentence about what is wrong with it. */
export function lineText({ bytes }: FileLine): { readonly text: string } | { readonly reason: string } {
  if (bytes === null) return { reason: `it has more than ${lineBytesMax} bytes` };
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { reason: notUtf8 };
  }
}
