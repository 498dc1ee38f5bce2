import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { foldForSearch } from "../../src/domain/model/search-fold.ts";

/** Every character that has another case. */
const cased = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter);

test("each character is folded as SQLite's search index folds it", () => {
  using database = new Database(":memory:");
  database.run("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram')");
  database.run("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')");
  const insert = database.query<never, [number, string]>("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  database.transaction(() => {
    for (const [index, letter] of cased.entries()) insert.run(index + 1, `1${letter}2`);
  })();
  const terms = database.query<{ term: string; doc: number }, []>("SELECT term, doc FROM terms").all();
  const folded = new Map(terms.map(({ term, doc }) => [doc, term]));
  expect(cased.length).toBeGreaterThan(2_500);
  expect(cased.filter((letter, index) => folded.get(index + 1) !== `1${foldForSearch(letter)}2`)).toEqual([]);
});

test.each([
  ["Istanbul İSTANBUL ISTANBUL ısparta", "istanbul İstanbul istanbul ısparta"],
  ["Straße STRASSE GROẞ", "straße strasse groß"],
  ["ΟΔΥΣΣΕΥΣ Οδυσσευς", "οδυσσευσ οδυσσευσ"],
  ["ALICE@Example.org", "alice@example.org"],
  ["%_\\ 100%", "%_\\ 100%"],
  ["🦊 𐐀", "🦊 𐐨"],
])("%s", (text, folded) => {
  expect(foldForSearch(text)).toBe(folded);
  expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
});
