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
 * Writes the file's application id, which is the same each time: a real write of the first page, up to the disk. It waits for
 * its turn like every other write; calls meanwhile share it. A file that was moved away still accepts writes, which are lost
 * with this process, so the path is checked first. Fails with not_found if it names no file or another one.
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

/** On Windows an open file cannot be moved, and file numbers are less reliable. */
function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  if (process.platform === "win32") return true;
  return one?.ino === other?.ino && one?.dev === other?.dev;
}
