import { refusals } from "./refusals.ts";
import { parseRowNumber } from "../../kernel/ids.ts";

/** No control characters: a NUL would end the query of a search index in the middle. */
export const searchPattern = /^\P{Cc}*$/u;

/** One page of a long list, by the number of the row that the page before ended with. */
export type ListPage = {
  /** The number of the last row seen; null: from the list's beginning. */
  readonly after: number | null;
  /** How many rows at most. */
  readonly rows: number;
  /** What to look for; null: everything. Never empty. */
  readonly search: string | null;
  /** Whether the list begins with its newest row; the audit always does. */
  readonly isNewestFirst?: boolean;
};

/** Characters of a text that an index of every three in a row finds. */
const indexedLengthMin = 3;
/** Two characters of these scripts are a word. */
const wordLengthMin = 2;
const wordScripts = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]+$/u;

/** Whether an index of every three characters in a row finds the text. */
export function isIndexed(search: string): boolean {
  return Array.from(search).length >= indexedLengthMin;
}

/**
 * Whether a text is looked for in names and addresses: it has three characters, or two that are Chinese,
 * Japanese or Korean.
 */
export function isSearchable(search: string): boolean {
  return isIndexed(search) || (Array.from(search).length >= wordLengthMin && wordScripts.test(search));
}

/**
 * Fails with invalid when a text that is too short for a search found nothing: an empty list would look like
 * an answer. Ids, UUIDs and whole usernames are found at any length. `found` counts the rows of all pages.
 */
export function refuseShortSearch(name: string, search: string | null, found: number): void {
  if (search === null || found > 0 || isSearchable(search) || parseRowNumber(search) !== null) return;
  throw refusals.searchTooShort(indexedLengthMin, wordLengthMin, { field: name });
}
