import type { PlaceMark } from "../../../domain/ports/place-label.ts";
import { type AppError, PlainError } from "../../../kernel/errors.ts";
import type { Sender } from "../../sql/sender.ts";

const secretMark = "secret";

/**
 * The first node leaves the fingerprint of its JWT secret; a node with another secret fails with conflict.
 * Two secrets on one database would refuse each other's sessions and codes.
 */
export async function requireSecret(sender: Sender, fingerprint: string): Promise<void> {
  const kept = (await readMark(sender, secretMark)) ?? (await leaveMark(sender, fingerprint));
  if (kept !== fingerprint) throw otherSecret();
}

/** Fails with conflict where the database was used with another secret. Changes nothing. */
export async function refuseOtherSecret(sender: Sender, fingerprint: string): Promise<void> {
  if (!(await knowsSecret(sender, fingerprint))) throw otherSecret();
}

function otherSecret(): AppError {
  return new PlainError(
    "conflict",
    "JWT_SECRET is another one than that which this database was used with: give every node the same" +
      " (cloakroom secret rotate changes it)",
  );
}

/** Whether the database was used with this secret, or with none yet. Changes nothing. */
export async function knowsSecret(sender: Sender, fingerprint: string): Promise<boolean> {
  const kept = await readMark(sender, secretMark);
  return kept === null || kept === fingerprint;
}

/** Within a transaction: from now on only nodes with the other secret start. */
export async function replaceSecret(session: Sender, fingerprint: string): Promise<void> {
  await session.send("UPDATE marks SET value = $2 WHERE name = $1", [secretMark, fingerprint]);
}

/** Resolves to what is there then: another node may have been faster. */
async function leaveMark(sender: Sender, fingerprint: string): Promise<string> {
  await sender.send("INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    secretMark,
    fingerprint,
  ]);
  return (await readMark(sender, secretMark)) ?? "";
}

/** What the mark of this name holds; null when there is none. */
export async function readMark(sender: Sender, name: string): Promise<string | null> {
  const [row] = await sender.send("SELECT value FROM marks WHERE name = $1", [name]);
  return row === undefined ? null : String(row[0]);
}

const placeName = "place";

/** The id of the place of the textures. A node's sender, or that of a database that is being filled. */
export function placeMark(sender: Sender): PlaceMark {
  const read = () => readMark(sender, placeName);
  return {
    read,
    put: async (id, instead) => {
      await (instead === null
        ? sender.send("INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
            placeName,
            id,
          ])
        : sender.send("UPDATE marks SET value = $2 WHERE name = $1 AND value = $3", [
            placeName,
            id,
            instead,
          ]));
      return read();
    },
  };
}
