import type { ProjectFile } from "./project-files.ts";

/** What a file says to people, and where. */
export type Prose = {
  /**
   * As long as the file's text, with blanks for everything else and for line breaks, so that sentences run
   * on.
   */
  readonly text: string;
  readonly lineAt: (index: number) => number;
};

const tokens =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)|(?<=[(,=:[!&|?{};>]\s*|\b(?:return|case)\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*/g;
/** Code, and the titles of tests that claims link to: those are prose of the tests. */
const quotedInDocuments = /```[\s\S]*?```|`[^`\n]*`|\[[^\][]+\]\[[^\][]+\]/g;
const commentMarks = /\n[ \t]*(?:\*(?!\/)|\/\/)?|\/\*\*?|\*\/|\/\//g;

/** Code within a template literal. */
const placeholders = /\$\{[^{}]*\}/g;

const hollow = (placeholder: string) => `\${${" ".repeat(placeholder.length - 3)}}`;
const blank = (text: string) => " ".repeat(text.length);

/**
 * The comments of a code file, with its literals where `withLiterals` asks for them; of a document,
 * everything but code; all of any other file.
 */
export function proseOf({ path, text }: ProjectFile, withLiterals = true): Prose {
  const kept = keptOf(path, text, withLiterals);
  return {
    text: kept.replaceAll(commentMarks, blank).replaceAll("\n", " "),
    lineAt: (index) => text.slice(0, index).split("\n").length,
  };
}

/** Every match of the pattern in what a file says, as `path:line: what`. */
export function proseFaults(
  file: ProjectFile,
  pattern: RegExp,
  what: string,
  withLiterals = true,
): readonly string[] {
  const { text, lineAt } = proseOf(file, withLiterals);
  return [...text.matchAll(pattern)].map(({ index }) => `${file.path}:${lineAt(index)}: ${what}`);
}

function keptOf(path: string, text: string, withLiterals: boolean): string {
  if (path.endsWith(".md")) return text.replaceAll(quotedInDocuments, blank);
  return /\.m?[jt]s$/.test(path) ? spoken(text, withLiterals) : text;
}

function spoken(text: string, withLiterals: boolean): string {
  let result = "";
  let end = 0;
  for (const { index, 0: token, groups } of text.matchAll(tokens)) {
    const isKept = groups?.["comment"] !== undefined || (withLiterals && groups?.["literal"] !== undefined);
    result += " ".repeat(index - end) + (isKept ? token.replaceAll(placeholders, hollow) : blank(token));
    end = index + token.length;
  }
  return result + " ".repeat(text.length - end);
}
