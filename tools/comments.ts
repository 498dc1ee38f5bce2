/**
 * Where the comments of a source file stand: a scanner that knows strings, templates and regular expressions.
 */

/** A comment that has its lines for itself: from one line to another, counted from 0, both included. */
export type Comment = { readonly first: number; readonly last: number; readonly isBlock: boolean };

const block = /\/\*[^]*?\*\//y;
const line = /\/\/[^\n]*/y;
const text = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const templatePiece = /(?:\\[^]|\$(?!\{)|[^`\\$])*(`|\$\{|$)/y;
const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const word = /[\w$]+/y;
/** A slash behind one of these words begins a regular expression; behind others it divides. */
const beforeRegex = new Set(["return", "typeof", "case", "of", "in", "await", "yield", "void", "else", "do"]);

/** The comments of a file of TypeScript or CSS that share no line with code, in order. */
export function commentsOf(source: string): readonly Comment[] {
  const found: Comment[] = [];
  /** How many braces are open in each `${}` around the place. */
  const substitutions: number[] = [];
  let at = 0;
  let mayBeRegex = true;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const takeTemplate = (): void => {
    if (take(templatePiece)?.[1] === "${") substitutions.push(0);
    mayBeRegex = substitutions.length > 0 && source[at - 1] === "{";
  };
  const takeSign = (): void => {
    const sign = source[at] ?? "";
    at += 1;
    if (sign === "`") return takeTemplate();
    if (sign.trim() === "") return;
    const open = substitutions.at(-1);
    if (open !== undefined && sign === "{") substitutions[substitutions.length - 1] = open + 1;
    if (open !== undefined && sign === "}") {
      substitutions.pop();
      if (open === 0) return takeTemplate();
      substitutions.push(open - 1);
    }
    mayBeRegex = !")]}".includes(sign);
  };

  while (at < source.length) {
    const start = at;
    const isBlock = take(block) !== null;
    if (isBlock || take(line) !== null) {
      const comment = onOwnLines(source, { start, end: at, isBlock });
      if (comment !== null) found.push(comment);
    } else if (take(text) !== null) mayBeRegex = false;
    else if (mayBeRegex && take(regex) !== null) mayBeRegex = false;
    else {
      const name = take(word)?.[0];
      if (name === undefined) takeSign();
      else mayBeRegex = beforeRegex.has(name);
    }
  }
  return found;
}

type Range = { readonly start: number; readonly end: number; readonly isBlock: boolean };

/** Null for a comment with code before or behind it. */
function onOwnLines(source: string, { start, end, isBlock }: Range): Comment | null {
  const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  const behind = /^[^\n]*/.exec(source.slice(end))?.[0] ?? "";
  if (before.trim() !== "" || behind.trim() !== "") return null;
  const first = linesIn(source.slice(0, start));
  return { first, last: first + linesIn(source.slice(start, end)), isBlock };
}

function linesIn(part: string): number {
  return part.split("\n").length - 1;
}
