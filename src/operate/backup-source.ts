/** The content of a backup, for every engine and store. */
import { readKeptFiles } from "../adapters/data-folder/kept-files.ts";
import { copyDatabase, openLiveRows } from "../adapters/sqlite/database-copy.ts";
import { useFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Config } from "../boot/config.ts";
import { dataFolder, type DataFolder } from "../boot/data-folder.ts";
import { openTextureSource, type TextureSource } from "../boot/textures.ts";
import type { Progress } from "../domain/backup/progress.ts";
import type { KeptFile } from "../domain/ports/backup-ports.ts";
import type { LiveTextureRows } from "../domain/ports/texture-files.ts";
import { refuseOtherPlace, type PlaceDeps } from "../domain/textures/place.ts";
import { PlainError } from "../kernel/errors.ts";

export type BackupSource = AsyncDisposable & {
  /** What says whether the place of the textures is the database's. */
  readonly own: Pick<PlaceDeps, "mark" | "communityId" | "rows">;
  readonly hasAccounts: () => Promise<boolean>;
  /** Writes an SQLite database with all rows as of one moment. Resolves to descriptions of what it lacks. */
  readonly copyTo: (path: string, options: CopyOptions) => Promise<readonly string[]>;
  /** The rows as they are now. */
  readonly live: Pick<LiveTextureRows, "findTexture">;
  readonly blobs: TextureSource;
  /** Keys and the operator's files, and the names of files that no backup contains. */
  readonly readFiles: () => Promise<{
    readonly files: readonly KeptFile[];
    readonly leftOut: readonly string[];
  }>;
};

export type CopyOptions = { readonly progress: Progress; readonly signal: AbortSignal };

/**
 * Opens what the settings name, which servers may be changing meanwhile. Fails with not_found where there is
 * no database, and with conflict where the textures' place is another database's.
 */
export async function openBackupSource(config: Config): Promise<BackupSource> {
  await using opening = new AsyncDisposableStack();
  const source = opening.use(await openDatabase(config));
  // Without it all textures would count as lost, and the backup as done.
  await refuseOtherPlace({
    ...source.own,
    place: source.blobs,
    isAlone: config.database === null,
    allowsLost: true,
  });
  opening.move();
  return source;
}

async function openDatabase(config: Config): Promise<BackupSource> {
  const folder = dataFolder(config.dataDir);
  if (config.database === null) return openFolder(config, folder);
  const { postgresBackupSource } = await import("./postgres-backup-source.ts");
  return postgresBackupSource(config.database, {
    blobs: await openTextureSource(config, folder),
    folder,
  });
}

async function openFolder(config: Config, folder: DataFolder): Promise<BackupSource> {
  if (!folder.hasDatabase())
    throw new PlainError("not_found", `${folder.path} holds no database: there is nothing to back up`);
  await using opening = new AsyncDisposableStack();
  opening.use(useFolder(folder.path));
  const live = opening.use(openLiveRows(folder.database));
  const blobs = await openTextureSource(config, folder);
  const opened = opening.move();
  return {
    own: { mark: live.place, communityId: live.community, rows: () => live.textures() },
    hasAccounts: () => Promise.resolve(live.hasAccounts()),
    copyTo: async (path) => {
      copyDatabase(folder.database, path);
      return [];
    },
    live,
    blobs,
    readFiles: () => readKeptFiles(folder.path),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
