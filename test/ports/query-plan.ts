import type { Database } from "bun:sqlite";

type PlanRow = { readonly detail: string };

/** How SQLite goes about each statement that is prepared while the work is done. */
export async function stepsOf(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<readonly string[]> {
  const client = database;
  const statements = new Set<string>();
  const { prepare, query } = client;
  const noting = (make: typeof prepare) =>
    ((statement: string) => {
      statements.add(statement);
      return make.call(client, statement);
    }) as typeof prepare;
  Object.assign(client, { prepare: noting(prepare), query: noting(query) });
  try {
    await work(database);
  } finally {
    Object.assign(client, { prepare, query });
  }
  return [...statements].flatMap((statement) =>
    client
      .prepare<PlanRow, []>(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
      .map(({ detail }) => detail),
  );
}

/**
 * A step that reads all of a table, or sorts what it has read. A search table is read by its index alone, and
 * what a subquery found is no longer than a page.
 */
export function isLong(step: string): boolean {
  return /^SCAN (?!\(subquery|CONSTANT ROW|.* VIRTUAL TABLE INDEX \d+:=?M)|TEMP B-TREE/.test(step);
}
