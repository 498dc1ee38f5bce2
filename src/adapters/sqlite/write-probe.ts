import type { Transact } from "../../domain/stores.ts";
import { limits } from "../../kernel/limits.ts";
import { askPatiently } from "../../kernel/patience.ts";
import type { Db } from "./open.ts";

/** SQLite's number for whose file it is (`file` shows it): "clok" in ASCII. */
const applicationId = 0x636c6f6b;

/**
 * Writes the number that says whose file it is, which is the same each time: a real write, up to the disk, of the first page
 * alone. It waits for its turn like every other write; while it waits nobody queues another.
 */
export function createWriteProbe(writer: Db, transact: Transact): () => Promise<void> {
  const write = (): Promise<void> =>
    transact(async () => {
      writer.$client.run(`PRAGMA application_id = ${applicationId}`);
    });
  return askPatiently(write, limits.probeSeconds, "nothing could be written");
}
