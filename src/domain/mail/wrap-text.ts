/**
 * Terminal mail programs show this many columns without their own line breaks. A Chinese character takes two.
 */
const columns = 72;

const ideograph = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const opening = "（「『“《【〔";
const closing = "，。、：；！？）」』”》】〕";
/**
 * What a line break does not divide: an ideograph or a word of another script, with the punctuation that
 * belongs to it.
 */
const pieces = `[${opening}]*(?:[${ideograph}]|[^${ideograph}${opening}${closing}]+)[${closing}]*|[${opening}${closing}]+`;

/**
 * Breaks a text into lines of 72 columns: at blanks, and between ideographs. Web addresses are never broken.
 */
export function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    let joint = " ";
    for (const piece of piecesOf(word)) {
      const line = lines.at(-1);
      const longer = line === undefined ? null : `${line}${joint}${piece}`;
      if (longer === null || Bun.stringWidth(longer) > columns) lines.push(piece);
      else lines[lines.length - 1] = longer;
      joint = "";
    }
  }
  return lines;
}

/** A line as wide as the text, where it fits. */
export function underline(text: string): string {
  return "=".repeat(Math.min(columns, Bun.stringWidth(text)));
}

function piecesOf(word: string): readonly string[] {
  return /^https?:/i.test(word) ? [word] : (word.match(new RegExp(pieces, "gu")) ?? [word]);
}
