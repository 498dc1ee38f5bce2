import type { SQL } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";

/** What an engine's search finds of the audit: entries whose actor or action holds a text, in any case. */
export type AuditSearch = {
  /** Their numbers in the order of the list, as many as the page has; null where the text is too short to search for. */
  readonly find: (search: string, page: Omit<ListPage, "search">) => Promise<readonly number[] | null>;
  /** How many they are, up to `most`. */
  readonly count: (search: string, most: number) => Promise<number>;
  /** The condition for them, without an index; null where the text is too short to search for. */
  readonly holds: (search: string) => SQL | null;
};
