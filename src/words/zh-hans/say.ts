/**
 * Writes values into Chinese text, with the blank that stands between Chinese and other letters: a template
 * that has no blanks of its own around them.
 */
export function say(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((before, text, at) => join(join(before, values[at - 1] ?? ""), text));
}

function join(left: string, right: string): string {
  const [before = "", after = ""] = [Array.from(left).at(-1), Array.from(right).at(0)];
  const needsBlank = (isChinese(before) && isForeign(after)) || (isForeign(before) && isChinese(after));
  return needsBlank ? `${left} ${right}` : left + right;
}

function isChinese(character: string): boolean {
  return /\p{Script=Han}/u.test(character);
}

/** A letter or digit, or the edge of a placeholder (`replace-texts.ts`). */
function isForeign(character: string): boolean {
  return /[\p{L}\p{N}_{}]/u.test(character) && !isChinese(character);
}
