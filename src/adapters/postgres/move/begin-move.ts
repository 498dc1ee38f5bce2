import { PlainError } from "../../../kernel/errors.ts";
import type { ServerSession } from "../connections/connection.ts";
import { makeFirstTables, migrateMoved } from "../migrate.ts";
import { findMoving, movingOf, movingText, type Moving } from "./moving.ts";
import { readPosition } from "../schema-mark.ts";
import type { Sender } from "../../sql/sender.ts";

/**
 * Prepares an empty database to be filled from this source, or continues with one that was being filled from
 * it. `source` names it wherever it is read. Fails with conflict for a database that holds anything else.
 */
export async function beginMove(
  session: ServerSession,
  source: string,
): Promise<{ readonly isContinued: boolean }> {
  const found = await checkEmpty(session, source);
  if (found === null) {
    await makeFirstTables(session);
    await session.send("INSERT INTO marks (name, value) VALUES ('moving', $1) ON CONFLICT DO NOTHING", [
      movingText({ source, position: { table: 0, after: null } }),
    ]);
  }
  await migrateMoved(session);
  // What the migrations put there themselves.
  const { table, after } = (await movingOf(session)).position;
  if (table === 0 && after === null) await session.send("DELETE FROM row_counts", []);
  return { isContinued: found !== null };
}

/**
 * Resolves to the unfinished move of this source; null for an empty database. Fails with conflict for one
 * that holds anything else.
 */
export async function checkEmpty(session: Sender, source: string): Promise<Moving | null> {
  const found = await findMoving(session);
  if (found === null && (await readPosition(session)) !== null)
    throw new PlainError("conflict", "the database holds a community already: make an empty one");
  if (found === null || found.source === source) return found;
  throw new PlainError(
    "conflict",
    "the database holds the unfinished move of another community: make an empty one",
  );
}
