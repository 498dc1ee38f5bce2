/** The mark of a database that a move or a restore is filling. Until it is whole, no node starts on it. */
import type { CopyPosition } from "../../../domain/ports/table-copy.ts";
import { PlainError } from "../../../kernel/errors.ts";
import { readMark } from "../cluster/marks.ts";
import type { Sender } from "../../sql/sender.ts";

/** What is being moved: the source's community, what of it, and how far it is. */
export type Moving = { readonly source: string; readonly position: CopyPosition };

/** Fails with conflict while a database is being filled. */
export async function refuseMoving(sender: Sender): Promise<void> {
  if ((await findMoving(sender)) === null) return;
  throw new PlainError(
    "conflict",
    "a move or restore into this database has not finished: run the same command again, or make an empty database",
  );
}

/** The state of a move that has begun. */
export async function movingOf(sender: Sender): Promise<Moving> {
  const found = await findMoving(sender);
  if (found === null) throw new PlainError("conflict", "the move into this database was ended meanwhile");
  return found;
}

/** Within a transaction: notes the next position. Fails with conflict when another process has moved on. */
export async function moveOn(
  session: Sender,
  { from, to }: { readonly from: CopyPosition; readonly to: CopyPosition },
): Promise<void> {
  const { source } = await movingOf(session);
  const moved = await session.send(
    "UPDATE marks SET value = $1 WHERE name = 'moving' AND value = $2 RETURNING name",
    [movingText({ source, position: to }), movingText({ source, position: from })],
  );
  if (moved.length === 0) throw new PlainError("conflict", "another process is copying into this database");
}

/**
 * Within a transaction: the database is whole, and belongs to the community, whose nodes have this secret's
 * fingerprint.
 */
export async function endMove(
  session: Sender,
  { community, fingerprint }: { readonly community: string; readonly fingerprint: string },
): Promise<void> {
  await session.send("UPDATE marks SET value = $1 WHERE name = 'community'", [community]);
  await session.send(
    "INSERT INTO marks (name, value) VALUES ('secret', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [fingerprint],
  );
  await session.send("DELETE FROM marks WHERE name = 'moving'", []);
}

/** What the mark holds. */
export function movingText(moving: Moving): string {
  return JSON.stringify([moving.source, moving.position.table, moving.position.after]);
}

/** Null for a database that is not being filled. */
export async function findMoving(sender: Sender): Promise<Moving | null> {
  const [there] = await sender.send("SELECT to_regclass('marks') IS NOT NULL", []);
  if (there?.[0] !== true) return null;
  const text = await readMark(sender, "moving");
  if (text === null) return null;
  // Only `movingText` writes it.
  const [source, table, after] = JSON.parse(text) as [string, number, CopyPosition["after"]];
  return { source, position: { table, after } };
}
