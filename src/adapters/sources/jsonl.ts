import type { SourceTools } from "./database.ts";
import type { FileRecord } from "./csv-fields.ts";
import { fileLines, lineText } from "./file-lines.ts";
import type { SourceGiven } from "./given.ts";
import { openList, requireFile } from "./list-source.ts";

/** A file with a JSON object on each line, with the fields of `list-record.ts`. */
export function openJsonl(given: SourceGiven, tools: SourceTools) {
  const path = requireFile(given);
  return openList({ system: "jsonl", path, notes: [], records: () => records(path) }, tools);
}

async function* records(path: string): AsyncGenerator<readonly FileRecord[]> {
  for await (const lines of fileLines(path)) {
    yield lines.flatMap((line): FileRecord | readonly [] => {
      const read = lineText(line);
      if (!("text" in read)) return { line: line.number, reason: read.reason };
      return read.text.trim() === "" ? [] : recordOf(line.number, read.text);
    });
  }
}

function recordOf(line: number, text: string): FileRecord {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, reason: "it is no JSON object" };
  const fields: Record<string, string> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === null) continue;
    if (typeof field === "object") return { line, reason: `its ${name.slice(0, 40)} is no single value` };
    fields[name.toLowerCase()] = String(field);
  }
  return { line, fields };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
