/** Restores where the settings name PostgreSQL, a bucket or both. */
import { rm } from "node:fs/promises";
import { openCopy } from "../adapters/sqlite/database-copy.ts";
import { migrateDatabase } from "../adapters/sqlite/database.ts";
import type { LoadedConfig } from "../boot/config.ts";
import type { DatabaseSetting } from "../boot/config/storage-settings.ts";
import { dataFolder } from "../boot/data-folder.ts";
import { openBlobs } from "../boot/engines.ts";
import { readTexture } from "../domain/textures/stored-file.ts";
import { fill } from "./move/move.ts";
import { postgresTarget } from "./move/postgres-sides.ts";
import { copyKept, sqliteSource } from "./move/sqlite-sides.ts";
import type { RestoreOptions } from "./restore.ts";

/**
 * Moves the content of a verified, unpacked folder into an empty database, and its textures where the settings put them. Begun again
 * with the same backup after it was killed, it goes on.
 */
export async function restoreElsewhere(
  { config }: LoadedConfig,
  { address, jwtSecret }: DatabaseSetting,
  { staged, options }: { readonly staged: string; readonly options: RestoreOptions },
): Promise<void> {
  const own = dataFolder(config.dataDir);
  const unpacked = dataFolder(staged);
  migrateDatabase(unpacked.database);
  await using source = await sqliteSource(unpacked, jwtSecret);
  await using target = await postgresTarget(address, jwtSecret);
  await target.check(await source.tables.community());
  const before = await openBlobs({ ...config, blobs: null }, unpacked);
  const after = await openBlobs(config, own);
  const { takesSecrets: carriesKeys } = options.choice;
  await fill(target, source, { ...options, before, after, carriesKeys });
  await copyKept(staged, own.path);
}

/** Puts the textures of a verified, unpacked folder into the bucket of the settings, and names their files in its database. */
export async function storeTextures(
  { config }: LoadedConfig,
  staged: string,
  { progress, signal }: Pick<RestoreOptions, "progress" | "signal">,
): Promise<void> {
  const unpacked = dataFolder(staged);
  const before = await openBlobs({ ...config, blobs: null }, unpacked);
  const after = await openBlobs(config, dataFolder(config.dataDir));
  {
    migrateDatabase(unpacked.database);
    using database = openCopy(unpacked.database);
    let done = 0;
    for (const row of database.textures()) {
      signal.throwIfAborted();
      const bytes = await readTexture(before, row);
      if (typeof bytes !== "string") database.setFile(row.hash, await after.put(row.hash, bytes));
      progress("storing textures", ++done, null);
    }
  }
  await rm(unpacked.textures, { recursive: true, force: true });
}
