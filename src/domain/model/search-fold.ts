/**
 * Letters with a case that SQLite's search index, whose tables are older, does not know as such; and the
 * Turkish i without a dot.
 */
const unknownToSqlite =
  /[\u0131\u037f\u0528-\u052e\u13a0-\u1cbf\u2c2f\ua698-\ua69a\ua796-\ua79e\ua7ab-\ua7f5\u{104b0}-\u{1e921}]/u;

/**
 * The form in which texts are searched: case is ignored, letter by letter, as SQLite's search index does it
 * (FTS5, the trigram tokenizer), so that a search finds the same on every engine. No locale has a say, and no
 * letter becomes two.
 */
export function foldForSearch(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, foldLetter).join("");
}

function foldLetter(letter: string): string {
  return unknownToSqlite.test(letter)
    ? letter
    : single(single(letter.toUpperCase(), letter).toLowerCase(), letter);
}

/** Letters that become two in the other case (the German sharp s) stay as they are. */
function single(changed: string, letter: string): string {
  return Array.from(changed).length === 1 ? changed : letter;
}
