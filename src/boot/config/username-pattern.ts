/**
 * Reads the pattern that usernames must match, and refuses one that is not safe to run on any input.
 *
 * A backtracking engine can need exponential time if it can split a text in many ways. So the pattern may use
 * classes, literals, alternatives and quantifiers, but none that multiply without bound: no repeated groups,
 * no look-around, no references back, and the number of ways to split a name is limited.
 */
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";

/** Three unlimited quantifiers on a name of full length: about a millisecond. */
const waysMax = 300_000;
const patternLengthMax = 256;

/** Throws `invalid` with what the pattern must be. */
export function parseUsernamePattern(source: string): RegExp {
  if (source.length > patternLengthMax) refuse(`must have at most ${patternLengthMax} characters`);
  const pattern = compile(source);
  if (waysToMatch(source) > waysMax)
    refuse("must have fewer open-ended parts or alternatives (+, *, |): it may run too long");
  return pattern;
}

/** Characters that no name may contain, but that patterns match by mistake. */
const neverInNames = [" ", "\u00a0", "\t", "\u200b"];

/**
 * Whether the pattern matches names that are refused anyway: with blanks or invisible characters, or reserved
 * for the audit.
 */
export function takesRefusedNames(pattern: RegExp): boolean {
  const names = neverInNames.flatMap((one) => [`ab${one}cd`, `${one}abc`, `abc${one}`, one.repeat(4)]);
  return [...names, "service:x", "service:shop"].some((name) => pattern.test(name));
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlainError("invalid", `must be a regular expression (${reason})`, { cause });
  }
}

/**
 * One piece of a pattern that compiles: an escape, a class, the opening of a group, a quantifier, or one
 * character.
 */
const piece =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\\\]])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{[\d,]+\}\??|[*+?]\??|./gsu;

function waysToMatch(source: string): number {
  const pieces = source.match(piece) ?? [];
  if (pieces[0] !== "^" || pieces.at(-1) !== "$") refuse("must begin with ^ and end with $");
  let ways = 1;
  let depth = 0;
  pieces.forEach((text, index) => {
    if (/^\(\?(?:=|!|<=|<!)/.test(text)) refuse("must do without look-around: (?=, (?!, (?<= and (?<!");
    if (/^\\(?:[1-9]|k<)/.test(text)) refuse("must do without references back to a group");
    if (text === "^" && index > 0) refuse("must have no ^ but the first");
    if (text === "$" && index < pieces.length - 1) refuse("must have no $ but the last");
    if (text.startsWith("(")) depth++;
    if (text === ")") depth--;
    if (text === "|" && depth === 0) refuse("must have its alternatives in parentheses, as in ^(?:a|b)$");
    if (text === "|") ways *= 2;
    const repeats = repeatsOf(text);
    if (repeats === null) return;
    if (pieces[index - 1] === ")" && repeats.most > 1) refuse("must not repeat a group");
    ways *= repeats.most - repeats.least + 1;
  });
  return ways;
}

/**
 * How often a quantifier repeats its piece, limited by the length of a name; null if the text is no
 * quantifier.
 */
function repeatsOf(text: string): { least: number; most: number } | null {
  const longest = limits.usernameLengthMax;
  if (/^\*\??$/.test(text)) return { least: 0, most: longest };
  if (/^\+\??$/.test(text)) return { least: 1, most: longest };
  if (/^\?\??$/.test(text)) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(text) ?? [];
  if (least === undefined) return null;
  const from = Math.min(Number(least), longest);
  if (comma === "") return { least: from, most: from };
  return { least: from, most: most === "" ? longest : Math.min(Number(most), longest) };
}

function refuse(rule: string): never {
  throw new PlainError("invalid", rule);
}
