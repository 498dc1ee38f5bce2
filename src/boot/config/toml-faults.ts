/** What is wrong with a text that is no TOML, in words that contain no value of it: values may be secrets. */
import { isSetting } from "./settings.ts";

/** Longer texts are refused without a line: each line costs one more reading of the text before it. */
const linesMax = 1000;
const lengthMax = 32 * 1024;

/** The quotes that text programs and web pages make of straight ones. */
const roundQuotes = /[“”„‟«»‘’‚‛]/;

/** `message`: the parser's. `parses`: whether the parser takes a text. */
export function tomlFault(text: string, message: string, parses: (text: string) => boolean): string {
  // Read as UTF-8, its mark is two bytes without a meaning, and every second byte of a plain text is zero.
  if (text.startsWith("\uFFFD\uFFFD") || text.slice(0, 100).includes("\0"))
    return "is in UTF-16, as some editors and PowerShell's > write it: save it as UTF-8";
  const lines = text.split("\n");
  const twice = /redefine key/i.test(message) ? settingsTwice(lines) : [];
  if (twice.length > 0) return `sets ${twice.join(", and ")}: keep one of them`;
  const line = faultyLine(text, lines, parses);
  const place = line === null ? "" : ` (line ${line})`;
  if (hasRoundQuotes(lines, line))
    return `has round quotes${place}, such as “ or ”, around a value: write straight ones, " or '`;
  return `cannot be read: ${reasonOf(message)}${place}`;
}

/** The parser quotes the value that it cannot read. */
function reasonOf(message: string): string {
  const plain = message.replace(/^TOML Parse error: /, "");
  const [, start = plain, value] = /^(?<start>[^"]*?)(?:: "(?<value>[\s\S]*)")?$/.exec(plain) ?? [];
  return value === undefined && start.includes('"') ? "it is no TOML" : start;
}

/**
 * The line on which the statement begins that the parser does not take: the one after the longest part that
 * it takes. Null: not looked for.
 */
function faultyLine(
  text: string,
  lines: readonly string[],
  parses: (text: string) => boolean,
): number | null {
  if (lines.length > linesMax || text.length > lengthMax) return null;
  for (let count = lines.length - 1; count > 0; count--)
    if (parses(`${lines.slice(0, count).join("\n")}\n`)) return count + 1;
  return 1;
}

function hasRoundQuotes(lines: readonly string[], line: number | null): boolean {
  const value = line === null ? "" : (lines[line - 1] ?? "").replace(/^[^=]*=/, "").trim();
  return roundQuotes.test(value.at(0) ?? "") || roundQuotes.test(value.at(-1) ?? "");
}

/** `community_name twice (lines 2 and 25)` for each setting that is. */
function settingsTwice(lines: readonly string[]): readonly string[] {
  const first = new Map<string, number>();
  const twice = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const name = /^\s*(?<quote>["']?)(?<name>\w{1,64})\k<quote>\s*=/.exec(line)?.groups?.["name"] ?? "";
    if (!isSetting(name.toUpperCase()) || twice.has(name)) continue;
    const before = first.get(name);
    if (before === undefined) first.set(name, index + 1);
    else twice.set(name, `${name} twice (lines ${before} and ${index + 1})`);
  }
  return [...twice.values()];
}
