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
};
