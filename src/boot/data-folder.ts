/** Where things are in the data folder, and who may work in it at once. */
import { constants, existsSync, statSync } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftStaging } from "../adapters/data-folder/staging.ts";
import { isSwapInterrupted, waitingPath } from "../adapters/data-folder/swap.ts";
import { serveFolder, useFolder } from "../adapters/sqlite/folder-lock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Config } from "./config.ts";

type Folder = Pick<Config, "dataDir">;

export function databasePath({ dataDir }: Folder): string {
  return join(dataDir, "cloakroom.db");
}

export function texturesPath({ dataDir }: Folder): string {
  return join(dataDir, "textures");
}

/** The system does not let us make the data folder, or work in it; why is the cause. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";

  constructor(dataDir: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the data folder ${dataDir} cannot be used: ${reason}`, { cause });
  }
}

/**
 * The umask counts where the folder was there before, open to all: what is made in it is its owner's alone. Throws
 * `DataFolderError`; fails with conflict for root in a folder that is another's.
 */
export async function makeDataFolder(config: Folder): Promise<void> {
  const { dataDir } = config;
  refuseForeignRoot(config);
  process.umask(0o077);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // SQLite would only say that it cannot open its file.
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new DataFolderError(dataDir, cause);
  }
}

/** What root makes in a folder of somebody else's the server cannot read: a skin added so is one that nobody sees. */
function refuseForeignRoot(config: Folder): void {
  const database = databasePath(config);
  const owner = existsSync(database) ? statSync(database).uid : 0;
  if (owner === 0 || process.getuid?.() !== 0) return;
  throw new AppError(
    "conflict",
    `the data folder ${config.dataDir} is user ${owner}'s, and root's files in it would be of no use to that user: ` +
      "run this as that user (runuser -u NAME -- cloakroom …)",
  );
}

/**
 * Makes the folder when there is none, keeps a restore out of it until disposed of, and removes what a killed one unpacked.
 * Fails with conflict during one, and where one was cut off.
 */
export async function enterDataFolder(config: Folder): Promise<Disposable> {
  await makeDataFolder(config);
  using entered = new DisposableStack();
  entered.use(useFolder(config.dataDir));
  if (isSwapInterrupted(config.dataDir)) throw restoreCutOff(config);
  await removeLeftStaging(config.dataDir);
  return entered.move();
}

/** Makes the folder when there is none, and keeps other servers out of it until disposed of. Fails with conflict while one is there. */
export async function serveDataFolder(config: Folder): Promise<Disposable> {
  await makeDataFolder(config);
  return serveFolder(config.dataDir);
}

/** Neither a new, empty database nor another backup may take the place of the one that waits to be moved in. */
export function restoreCutOff({ dataDir }: Folder, cause: unknown = null): AppError {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  const command = `cloakroom restore '${waitingPath(dataDir)}'`;
  const message = `a restore into ${dataDir} was cut off${reason}; this finishes it: ${command}`;
  return new AppError("conflict", message, { cause });
}
