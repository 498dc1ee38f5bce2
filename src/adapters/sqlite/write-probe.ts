import { statSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { Atomically } from "../../domain/ports/stores.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { singleFlight } from "../../kernel/single-flight.ts";
import type { Db } from "./open.ts";

/** SQLite's number for whose file it is (`file` shows it): "clok" in ASCII. */
const applicationId = 0x636c6f6b;

/**
 * Writes the number that says whose file it is, which is the same each time: a real write, up to the disk, of the first page
 * alone. It waits for its turn like every other write; while it waits nobody queues another. A file that lost its name takes
 * writes as before, and they end with this process; hence it is asked for by its path first. Fails with not_found then.
 */
export function createWriteProbe(writer: Db, atomically: Atomically): () => Promise<void> {
  const path = writer.$client.filename;
  const opened = statSync(path, { throwIfNoEntry: false });
  const write = async (): Promise<void> => {
    if (!isSameFile(opened, await stat(path).catch(unlessMissing)))
      throw new AppError("not_found", `${path} is not the file that was opened`);
    await atomically(async () => {
      writer.$client.run(`PRAGMA application_id = ${applicationId}`);
    });
  };
  return singleFlight(write, limits.probeSeconds, "nothing could be written");
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return;
  throw error;
}

/** Windows lets nobody move a file that is open, and its numbers of files say less. */
function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  if (process.platform === "win32") return true;
  return one?.ino === other?.ino && one?.dev === other?.dev;
}
