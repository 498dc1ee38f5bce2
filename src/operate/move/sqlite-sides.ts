import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readKeptFiles } from "../../adapters/data-folder/kept-files.ts";
import { takeFolder } from "../../adapters/sqlite/folder-lock.ts";
import { openTableSource, openTableTarget } from "../../adapters/sqlite/table-copy.ts";
import { interruptedRestore, makeDataFolder, movingPath, type DataFolder } from "../../boot/data-folder.ts";
import { keysOfFolder } from "../../boot/engines.ts";
import { findJwtSecret, keepJwtSecret, type Secret } from "../../boot/secrets.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { SourceSide, TargetSide } from "./sides.ts";

/** A data folder that is moved. No other process works in it meanwhile. */
export async function sqliteSource(folder: DataFolder, given: Secret | null): Promise<SourceSide> {
  if (!folder.hasDatabase())
    throw new PlainError("not_found", `${folder.path} holds no database: is --data-dir (or DATA_DIR) right?`);
  if (folder.isRestoreInterrupted()) throw interruptedRestore(folder);
  await using opening = new AsyncDisposableStack();
  opening.use(takeFolder(folder.path));
  const tables = opening.use(openTableSource(folder.database));
  const keys = keysOfFolder(folder.path);
  const jwt = given ?? (await findJwtSecret(keys));
  if (jwt === null)
    throw new PlainError(
      "not_found",
      `${folder.secrets} holds no JWT secret: set JWT_SECRET to the one that was in use`,
    );
  const opened = opening.move();
  return {
    name: folder.path,
    tables,
    keys,
    jwt,
    // The lock is held: nothing can begin.
    refuseUse: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * A data folder to be filled. The database gets its name last; until then the folder holds textures at most,
 * which no server takes for a community. `from` is the folder whose default skins and mail texts go along.
 */
export function sqliteTarget(folder: DataFolder, from: string): TargetSide {
  const waiting = movingPath(folder.path);
  const opened = new AsyncDisposableStack();
  const noted = join(waiting, "community");
  let tables: ReturnType<typeof openTableTarget> | null = null;
  const check = async (community: string): Promise<void> => {
    if (folder.hasDatabase() || folder.isRestoreInterrupted())
      throw new PlainError("conflict", `${folder.path} holds a community already: name another folder`);
    const begun = existsSync(noted) ? await Bun.file(noted).text() : null;
    if (begun === community) return;
    if (begun !== null)
      throw new PlainError(
        "conflict",
        `${folder.path} holds the unfinished move of another community: name another folder`,
      );
    if (folder.hasTextures() || existsSync(folder.secrets))
      throw new PlainError("conflict", `${folder.path} holds textures or secrets: name an empty folder`);
  };
  return {
    name: folder.path,
    check,
    begin: async (community) => {
      await makeDataFolder(folder);
      opened.use(takeFolder(folder.path));
      await check(community);
      const isContinued = existsSync(noted);
      await makeFolder(waiting);
      if (!isContinued) await writeNew(noted, community);
      tables = opened.use(openTableTarget(join(waiting, "cloakroom.db"), community));
      return { tables, isContinued };
    },
    keys: () => Promise.resolve(keysOfFolder(folder.path)),
    finish: async (_, jwt) => {
      if (tables === null) throw new Error("the move has not begun");
      await keepJwtSecret(keysOfFolder(folder.path), jwt);
      if (from !== folder.path) await copyKept(from, folder.path);
      tables.finish();
      tables[Symbol.dispose]();
      await moveInto(join(waiting, "cloakroom.db"), folder.database);
      await rm(waiting, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The operator's files. Existing ones stay. */
export async function copyKept(from: string, to: string): Promise<void> {
  const { files } = await readKeptFiles(from);
  for (const { folder, name, content } of files) {
    const path = join(to, folder, name);
    if (folder === "secrets" || existsSync(path)) continue;
    await makeFolder(join(to, folder));
    await writeNew(path, content);
  }
}
