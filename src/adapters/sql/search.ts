import type { SQL } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";

/**
 * Finds the rows of one kind whose text holds another one, in any case. Each engine has an index of its own
 * for it.
 */
export type Search = {
  /** Their numbers in the order of the list, as many as the page has. */
  readonly find: (search: string, page: Omit<ListPage, "search">) => Promise<readonly number[]>;
  /** How many they are, up to `most`. */
  readonly count: (search: string, most?: number) => Promise<number>;
  /** Whether this row is one of them. */
  readonly holds: (search: string, id: number) => Promise<boolean>;
};

/** What an engine finds by texts. */
export type Searches = {
  readonly of: (kind: "user" | "skin" | "cape" | "audit") => Search;
  /** The condition for entries of the audit that a search finds, without an index. */
  readonly heldByEntry: (search: string) => SQL;
};
