import { statSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { Atomically } from "../../domain/ports/stores.ts";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { singleFlight } from "../../kernel/single-flight.ts";
import type { Database } from "bun:sqlite";

/** SQLite's number for the program that owns a file (`file` shows it): "clok" in ASCII. */
const applicationId = 0x636c6f6b;

/**
 * Writes the application id, which is the same each time: a real write of the first page, to the disk. It
 * waits for its turn like every other write; concurrent calls share one. A file that lost its name still
 * takes writes, which end with this process, so the path is checked first. Fails with not_found then.
 */
export function createWriteProbe(writer: Database, atomically: Atomically): () => Promise<void> {
  const path = writer.filename;
  const opened = statSync(path, { throwIfNoEntry: false });
  const write = async (): Promise<void> => {
    if (!isSameFile(opened, await stat(path).catch(unlessMissing)))
      throw new PlainError("not_found", `${path} is not the file that was opened`);
    await atomically(async () => {
      writer.run(`PRAGMA application_id = ${applicationId}`);
    });
  };
  return singleFlight(write, limits.probeSeconds, "nothing could be written");
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return;
  throw error;
}

/** Windows does not let an open file be moved, and its file numbers say less. */
function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  if (process.platform === "win32") return true;
  return one?.ino === other?.ino && one?.dev === other?.dev;
}
