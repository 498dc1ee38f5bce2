import { AppError } from "../../kernel/errors.ts";
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

/** Characters that a part of a text has at least: the index is over every three in a row. */
export const searchLengthMin = 3;

/**
 * Fails with invalid when a text that is too short for a search found nothing: an empty list would look like an answer.
 * Ids, UUIDs and whole usernames are found at any length. `found` counts the rows of all pages.
 */
export function refuseShortSearch(name: string, search: string | null, found: number): void {
  if (search === null || found > 0 || Array.from(search).length >= searchLengthMin) return;
  if (parseRowNumber(search) !== null) return;
  throw new AppError(
    "invalid",
    `must have ${searchLengthMin} characters or more, unless it is a whole id, UUID or username`,
    { field: name },
  );
}
