/** Comma-separated values (RFC 4180), with the separators and line ends that spreadsheets write. */
import { PlainError } from "../../kernel/errors.ts";
import { fileLines, lineText, notUtf8, type FileLine } from "./file-lines.ts";

/** A record of a file, with the number of its first line. */
export type FileRecord =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly reason: string };

/** The names of columns, in lower case, and what stands between fields. */
export type Heading = { readonly names: readonly string[]; readonly separator: string };

/** Reads the heading of a file; null for an empty file. Fails with invalid for bytes that are no text. */
export async function readHeading(path: string): Promise<Heading | null> {
  for await (const [first] of fileLines(path)) {
    const read = first === undefined ? null : lineText(first);
    if (read === null) return null;
    if ("reason" in read) throw new PlainError("invalid", `${path}: ${headingFault(read.reason)}`);
    const separator = separatorOf(read.text);
    const fields = fieldsOf(read.text, separator);
    return fields === null ? null : { separator, names: fields.map((name) => name.trim().toLowerCase()) };
  }
  return null;
}

function headingFault(reason: string): string {
  return reason === notUtf8
    ? "line 1 is not UTF-8: save the list as CSV in UTF-8"
    : reason.replace(/^it/, "line 1");
}

/**
 * The one of these that stands in the heading most often: spreadsheets of some countries write semicolons.
 */
function separatorOf(heading: string): string {
  const countOf = (separator: string) => heading.split(separator).length;
  return [",", ";", "\t"].toSorted((one, other) => countOf(other) - countOf(one))[0] ?? ",";
}

/** The records after the heading, some at a time. A broken one does not hide those after its line. */
export async function* csvRecords(
  path: string,
  { names, separator }: Heading,
): AsyncGenerator<readonly FileRecord[]> {
  let open: FileLine[] = [];
  let isHeading = true;
  for await (const lines of fileLines(path)) {
    const records: FileRecord[] = [];
    for (const line of lines) {
      if (isHeading) {
        isHeading = false;
        continue;
      }
      open = recordsOf([...open, line], records, names, separator);
    }
    yield records;
  }
  const rest: FileRecord[] = [];
  while (open.length > 0) {
    rest.push({ line: open[0]?.number ?? 0, reason: "a quote in it is not closed" });
    open = again(open.slice(1), rest, names, separator);
  }
  yield rest;
}

/** Lines of one record: a field may hold line ends, but none that is sensible here holds many. */
const linesOfRecordMax = 20;

/** Adds the record that these lines make. Returns the lines of a record that is not complete yet. */
function recordsOf(
  lines: readonly FileLine[],
  records: FileRecord[],
  names: readonly string[],
  separator: string,
): FileLine[] {
  const [first] = lines;
  if (first === undefined) return [];
  const texts: string[] = [];
  for (const line of lines) {
    const read = lineText(line);
    if ("text" in read) {
      texts.push(read.text);
      continue;
    }
    records.push({
      line: first.number,
      reason: lines.length === 1 ? read.reason : "a quote in it is not closed",
    });
    return lines.length === 1 ? [] : again(lines.slice(1), records, names, separator);
  }
  const fields = fieldsOf(texts.join("\n"), separator);
  if (fields === null) {
    if (lines.length < linesOfRecordMax) return [...lines];
    records.push({ line: first.number, reason: "a quote in it is not closed" });
    return again(lines.slice(1), records, names, separator);
  }
  const record = recordOf(first.number, fields, names);
  if (record !== null) records.push(record);
  return [];
}

/** Reads lines again, one after the other, after the one that began a broken record. */
function again(
  lines: readonly FileLine[],
  records: FileRecord[],
  names: readonly string[],
  separator: string,
): FileLine[] {
  let open: FileLine[] = [];
  for (const line of lines) open = recordsOf([...open, line], records, names, separator);
  return open;
}

function recordOf(line: number, fields: readonly string[], names: readonly string[]): FileRecord | null {
  if (fields.length === 1 && fields[0]?.trim() === "") return null;
  if (fields.length !== names.length)
    return { line, reason: `it has ${fields.length} fields, and the heading has ${names.length}` };
  return { line, fields: Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ""])) };
}

/** The fields of a record; null while a quote is open. */
function fieldsOf(text: string, separator: string): readonly string[] | null {
  if (!text.includes('"')) return text.split(separator);
  const fields: string[] = [];
  for (let at = 0; ;) {
    let field = "";
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) return null;
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const next = text.indexOf(separator, at);
    const stop = next < 0 ? text.length : next;
    fields.push(field + text.slice(at, stop));
    if (next < 0) return fields;
    at = next + separator.length;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
