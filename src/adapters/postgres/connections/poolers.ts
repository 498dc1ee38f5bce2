import type { Sender } from "../../sql/sender.ts";

/** What is wrong with prepared statements behind a pooler in transaction mode, and what helps. */
export const poolerWords =
  "a pooler in transaction mode stands before the database, and statements are prepared: those of different clients may be mixed up";
export const poolerRemedy =
  "set DATABASE_PREPARED=false on every node, or let nodes reach PostgreSQL past the pooler";

/**
 * Whether a pooler gives each transaction another of its connections: then two of ours, one after the other,
 * share one.
 */
export async function sharesConnections(one: Sender, other: Sender): Promise<boolean> {
  const tries = 5;
  for (let count = 0; count < tries; count++) {
    const [first] = await one.send("SELECT pg_backend_pid()", []);
    const [second] = await other.send("SELECT pg_backend_pid()", []);
    if (first?.[0] === second?.[0]) return true;
  }
  return false;
}
