import { PlainError } from "../../kernel/errors.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";

/**
 * Minecraft keeps 1,000 names in `usercache.json`. A list of 500,000 lines, each a uuid and a name of 16
 * characters, has 27 MB.
 */
const bytesMax = 32 * 1024 * 1024;
/** A line has a uuid, a name and, in lists of other programs, a date or two. */
const lineLengthMax = 1000;
/** No name is longer, and no field that holds one. */
const nameLengthMax = 64;

/** A player's name and its uuid. */
export type NamedUuid = { readonly at: string; readonly name: string; readonly uuid: Uuid };

/** Names with their uuids, each uuid once, and the entries that cannot be read. */
export type NamesFile = {
  readonly names: readonly NamedUuid[];
  readonly problems: readonly { readonly at: string; readonly reason: string }[];
};

/** An entry before it is checked: what might be the name, and what might be the uuid. */
type Entry =
  | { readonly at: string; readonly fields: readonly unknown[] }
  | { readonly at: string; readonly problem: string };

/**
 * Reads names and uuids from `usercache.json`, `whitelist.json` or another list of `{name, uuid}`, or from
 * lines of a uuid and a name in either order, divided by a comma, a semicolon or a tab, with or without a
 * heading. Of entries with one uuid the first counts: `usercache.json` has the newest name first. Fails with
 * not_found, invalid or too_large, naming the file.
 */
export async function readNamesFile(path: string): Promise<NamesFile> {
  const bytes = await readPlainFile(path, bytesMax);
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const content = bytes.subarray(start);
  return check(isJson(content) ? entriesOfJson(path, content) : entriesOfLines(content));
}

function check(entries: Iterable<Entry>): NamesFile {
  const names: NamedUuid[] = [];
  const problems: { at: string; reason: string }[] = [];
  const first = new Map<Uuid, string>();
  for (const entry of entries) {
    const read = "problem" in entry ? entry.problem : readEntry(entry.fields);
    if (typeof read === "string") {
      problems.push({ at: entry.at, reason: read });
      continue;
    }
    const earlier = first.get(read.uuid);
    if (earlier === undefined) {
      first.set(read.uuid, entry.at);
      names.push({ at: entry.at, ...read });
    } else problems.push({ at: entry.at, reason: `${earlier} has the same uuid` });
  }
  return { names, problems };
}

/** Two fields in either order; a sentence about what is wrong with them. */
function readEntry(fields: readonly unknown[]): { name: string; uuid: Uuid } | string {
  const texts = fields.slice(0, 2).map((field) => (typeof field === "string" ? field.trim() : ""));
  const at = texts.findIndex((text) => parseUuid(text) !== null);
  if (at === -1) return "it has no uuid";
  const uuid = parseUuid(texts[at] ?? "");
  const name = texts[1 - at] ?? "";
  if (uuid === null || name === "") return "it has no name";
  return name.length > nameLengthMax ? `its name has more than ${nameLengthMax} characters` : { name, uuid };
}

function isJson(content: Uint8Array): boolean {
  const first = content.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x5b || first === 0x7b;
}

function* entriesOfJson(path: string, content: Uint8Array): Generator<Entry> {
  const list = parseJson(path, content);
  if (!Array.isArray(list)) throw new PlainError("invalid", `${path}: it is no list of names and uuids`);
  for (const [index, item] of list.entries()) {
    const at = `entry:${index + 1}`;
    yield isNamed(item) ? { at, fields: [item.uuid, item.name] } : { at, problem: "it has no name and uuid" };
  }
}

function isNamed(item: unknown): item is { readonly name: unknown; readonly uuid: unknown } {
  return typeof item === "object" && item !== null && "name" in item && "uuid" in item;
}

function parseJson(path: string, content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch (cause) {
    throw new PlainError("invalid", `${path}: it is no JSON in UTF-8`, { cause });
  }
}

function* entriesOfLines(content: Uint8Array): Generator<Entry> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  for (let start = 0; start < content.length;) {
    const found = content.indexOf(0x0a, start);
    const end = found === -1 ? content.length : found;
    const line = content.subarray(start, end);
    start = end + 1;
    number += 1;
    const entry = entryOfLine(`line:${number}`, line, decoder);
    if (entry !== null) yield entry;
  }
}

/** Null for an empty line, and for a heading. */
function entryOfLine(at: string, line: Uint8Array, decoder: TextDecoder): Entry | null {
  if (line.length > lineLengthMax) return { at, problem: `it has more than ${lineLengthMax} bytes` };
  const text = decode(line, decoder);
  if (text === null) return { at, problem: "it is not UTF-8" };
  if (text.trim() === "") return null;
  const fields = text.split(/[,;\t]/).map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
  const isHeading = at === "line:1" && fields.some((field) => /^(?:uuid|id)$/i.test(field));
  return isHeading ? null : { at, fields };
}

function decode(line: Uint8Array, decoder: TextDecoder): string | null {
  try {
    return decoder.decode(line);
  } catch {
    return null;
  }
}
