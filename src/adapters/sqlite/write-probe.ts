import type { Transact } from "../../domain/stores.ts";
import type { Db } from "./open.ts";

/** SQLite's number for whose file it is (`file` shows it): "clok" in ASCII. */
const applicationId = 0x636c6f6b;
/** Whoever asks whether the database can be written waits no longer. */
const patienceMs = 2000;

/**
 * Writes the number that says whose file it is, which is the same each time: a real write, up to the disk, of the first page
 * alone. It waits for its turn like every other write; while it waits nobody queues another.
 */
export function createWriteProbe(writer: Db, transact: Transact): () => Promise<void> {
  let underway: Promise<void> | null = null;
  const write = (): Promise<void> =>
    transact(async () => {
      writer.$client.run(`PRAGMA application_id = ${applicationId}`);
    }).finally(() => (underway = null));

  return () => {
    underway ??= write();
    return withPatience(underway);
  };
}

async function withPatience(write: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`nothing could be written within ${patienceMs / 1000} seconds`)),
    patienceMs,
  );
  try {
    await Promise.race([write, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
