/**
 * Breaks the comments whose lines have more than 110 characters: `bun tools/wrap-comments.ts`, a part of
 * `bun run format`. A paragraph with a line that is too long is filled again, others stay as they are. Fenced
 * and indented code, tables, tags and directives stay.
 */
import { join } from "node:path";
import { commentsOf, type Comment } from "./comments.ts";

/** The files that the tool and `test/tidy/comment-width.test.ts` look at. */
export const wrappedFiles = /^(?!src\/web\/api\/types\.ts$)(?:src|test|tools)\/.*\.tsx?$/;

const lineMax = 110;
const directive = /^\/\/(?! |$)|^\/\/ (?:oxlint-|@ts-|#)/;

/** The file's text with its comments broken. Breaking it again changes nothing. */
export function wrapComments(source: string): string {
  const lines = source.split("\n");
  const comments = runsOf(lines, commentsOf(source));
  // From the end, so that earlier comments stay where they are.
  for (const { first, last, isBlock } of comments.toReversed()) {
    const old = lines.slice(first, last + 1);
    if (old.every((line) => line.length <= lineMax)) continue;
    lines.splice(first, old.length, ...(isBlock ? wrapBlock(old) : wrapLines(old)));
  }
  return lines.join("\n");
}

/** Line comments that follow each other are one text; a directive belongs to none. */
function runsOf(lines: readonly string[], comments: readonly Comment[]): readonly Comment[] {
  const runs: Comment[] = [];
  for (const comment of comments) {
    const line = lines[comment.first] ?? "";
    if (!comment.isBlock && directive.test(line.trim())) continue;
    const before = runs.at(-1);
    const goesOn =
      before?.last === comment.first - 1 &&
      !before.isBlock &&
      !comment.isBlock &&
      indentOf(lines[before.last] ?? "") === indentOf(line);
    if (goesOn) runs[runs.length - 1] = { ...before, last: comment.last };
    else runs.push(comment);
  }
  return runs;
}

function wrapLines(old: readonly string[]): readonly string[] {
  const indent = indentOf(old[0] ?? "");
  const texts = old.map((line) => line.trim().replace(/^\/\/ ?/, ""));
  const prefix = `${indent}// `;
  return fill(texts, lineMax - prefix.length).map((text) => (prefix + text).trimEnd());
}

function wrapBlock(old: readonly string[]): readonly string[] {
  const indent = indentOf(old[0] ?? "");
  const whole = old.join("\n").trim();
  const [opening = ""] = /^\/\*+/.exec(whole) ?? [];
  const inner = whole.slice(opening.length, -2).trimEnd().split("\n");
  if (inner.slice(1).some((line) => !/^\s*\*/.test(line))) return old;
  const texts = inner.map((line, index) => (index === 0 ? line.trim() : line.replace(/^\s*\* ?/, "")));
  if (texts[0] === "") texts.shift();
  const prefix = `${indent} * `;
  const filled = fill(texts, lineMax - prefix.length).map((text) => (prefix + text).trimEnd());
  return [indent + opening, ...filled, `${indent} */`];
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

type Paragraph = { readonly marker: string; readonly lines: string[] };

/** Breaks the paragraphs and items of lists that have a line of more than `width` characters. */
function fill(texts: readonly string[], width: number): readonly string[] {
  const filled: string[] = [];
  let open: Paragraph | null = null;
  let isFenced = false;
  const close = (): void => {
    if (open !== null) filled.push(...fillParagraph(open, width));
    open = null;
  };
  for (const text of texts) {
    if (text.startsWith("```")) isFenced = !isFenced;
    const hang: number = open === null ? 0 : open.marker.length;
    const [marker] = /^\s*(?:[-*+]|\d+\.)\s+(?=\S)/.exec(text) ?? [""];
    if (isFenced || /^(?:```|\||@|\s*$)/.test(text)) {
      close();
      filled.push(text);
    } else if (marker !== "") {
      close();
      open = { marker, lines: [text] };
    } else if (open !== null && indentOf(text).length === hang) open.lines.push(text);
    else {
      close();
      if (indentOf(text) === "") open = { marker: "", lines: [text] };
      else filled.push(text);
    }
  }
  close();
  return filled;
}

function fillParagraph({ marker, lines }: Paragraph, width: number): readonly string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  const hang = " ".repeat(marker.length);
  const filled: string[] = [];
  let line = marker;
  for (const word of wordsOf(lines.join(" ").slice(marker.length))) {
    const isEmpty = line.trim() === marker.trim();
    if (!isEmpty && line.length + 1 + word.length > width) {
      filled.push(line);
      line = hang + word;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...filled, line];
}

/**
 * Code in backticks is one word, and a line begins with nothing that would be the mark of a list, a table or
 * a tag.
 */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:[^\s`]|`[^`]*`)+|\S+/g)) {
    if (words.length > 0 && /^(?:[-*+|]|\d+\.|[@|].*|```.*)$/.test(word))
      words.push(`${words.pop()} ${word}`);
    else words.push(word);
  }
  return words;
}

if (import.meta.main) {
  const root = join(import.meta.dir, "..");
  for (const path of new Bun.Glob("{src,test,tools}/**/*.{ts,tsx}").scanSync(root)) {
    if (!wrappedFiles.test(path)) continue;
    const file = Bun.file(join(root, path));
    const old = await file.text();
    const wrapped = wrapComments(old);
    if (wrapped !== old) await file.write(wrapped);
  }
}
