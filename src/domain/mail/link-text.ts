/** A piece of a text: a web address, or what stands between two. */
export type TextPiece = { readonly text: string; readonly isLink: boolean };

const addressPattern = /https?:\/\/[^\s<>"\u201c\u201d\u00ab\u00bb]+/gi;
const sentenceEnd = /[.,;:!?\u2026'\u2019*]/;

/**
 * Splits a text at its web addresses (`http` and `https` alone); the pieces together are the text. What ends a sentence
 * belongs to no address, nor does a closing bracket that was opened before it.
 */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(addressPattern)) {
    const address = found.slice(0, addressEnd(found));
    if (!URL.canParse(address)) continue;
    pieces.push({ text: text.slice(at, index), isLink: false }, { text: address, isLink: true });
    at = index + address.length;
  }
  pieces.push({ text: text.slice(at), isLink: false });
  return pieces.filter((piece) => piece.text !== "");
}

function addressEnd(found: string): number {
  let end = found.length;
  while (end > 0 && isBeyond(found, found[end - 1] ?? "")) end -= 1;
  return end;
}

function isBeyond(found: string, last: string): boolean {
  if (last === ")") return !found.includes("(");
  if (last === "]") return !found.includes("[");
  return sentenceEnd.test(last);
}
