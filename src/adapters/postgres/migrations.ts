import { statements } from "./migrations/statements.ts";

/** A step of the schema: statements that are run in turn, each in a transaction of its own. */
export type Migration = { readonly name: string; readonly statements: readonly string[] };

/**
 * Every migration, oldest first. The mark `schema` counts how many of them a database has seen, so the order never changes and
 * no entry is removed. A migration only adds what the release before ignores; what it no longer needs goes with the next one.
 */
export const migrations: readonly Migration[] = Object.entries(statements).map(([name, text]) => ({
  name,
  statements: text.split("--> statement-breakpoint").map((statement) => statement.trim()),
}));
