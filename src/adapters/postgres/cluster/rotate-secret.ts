import { sealAgain } from "./key-rows.ts";
import { replaceSecret } from "./marks.ts";
import { refuseLiveNodes } from "./nodes.ts";
import { openWorkSession, type NotedDatabase } from "../connections/work-session.ts";

/**
 * Seals every key for another JWT secret and makes that the database's, in one transaction. Resolves to the
 * names of the keys. Fails with conflict while a node runs, and with internal for a key that the former
 * secret does not open; then nothing has changed.
 */
export async function rotateSecret(
  database: NotedDatabase,
  secrets: { readonly from: string; readonly to: string; readonly fingerprint: string },
): Promise<readonly string[]> {
  await using session = await openWorkSession(database);
  await session.command("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
    await refuseLiveNodes(session);
    const names = await sealAgain(session, secrets);
    await replaceSecret(session, secrets.fingerprint);
    await session.command("COMMIT");
    return names;
  } catch (error) {
    await session.command("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
