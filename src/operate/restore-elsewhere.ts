/** Restores where the settings name PostgreSQL, a bucket or both. */
import { rm } from "node:fs/promises";
import { openCopy } from "../adapters/sqlite/database-copy.ts";
import { migrateDatabase } from "../adapters/sqlite/migrate.ts";
import { inspectDatabase } from "../adapters/sqlite/inspect.ts";
import type { Config, LoadedConfig } from "../boot/config.ts";
import type { DatabaseSetting } from "../boot/config/storage-settings.ts";
import { dataFolder, type DataFolder } from "../boot/data-folder.ts";
import { openTextures, openTextureSource, type OpenedTextures } from "../boot/textures.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import { targetId } from "../domain/textures/place.ts";
import { readTexture } from "../domain/textures/stored-file.ts";
import { fill } from "./move/move.ts";
import { postgresTarget } from "./move/postgres-sides.ts";
import { copyKept, sqliteSource } from "./move/sqlite-sides.ts";
import type { RestoreOptions } from "./restore.ts";

/**
 * Moves the content of a verified, unpacked folder into an empty database, and its textures where the
 * settings put them. Begun again with the same backup after it was killed, it goes on.
 */
export async function restoreElsewhere(
  { config }: LoadedConfig,
  setting: DatabaseSetting,
  { staged, options }: { readonly staged: string; readonly options: RestoreOptions },
): Promise<void> {
  const own = dataFolder(config.dataDir);
  const unpacked = dataFolder(staged);
  migrateDatabase(unpacked.database);
  await using source = await sqliteSource(unpacked, setting.jwtSecret);
  await using target = await postgresTarget(setting, setting.jwtSecret);
  const community = await source.tables.community();
  await target.check(community);
  const { before, after } = await sidesOf(config, { unpacked, own, community });
  const { takesSecrets: carriesKeys } = options.choice;
  await fill(target, source, { ...options, before, after, carriesKeys });
  await copyKept(staged, own.path);
}

/**
 * Puts the textures of a verified, unpacked folder into the bucket of the settings, and names their files in
 * its database. Resolves to what labels the bucket as the database's. Fails with conflict where another
 * database has the bucket's prefix.
 */
export async function storeTextures(
  { config }: LoadedConfig,
  staged: string,
  { progress, signal, takesOver }: Pick<RestoreOptions, "progress" | "signal" | "takesOver">,
): Promise<() => Promise<void>> {
  const unpacked = dataFolder(staged);
  const own = dataFolder(config.dataDir);
  migrateDatabase(unpacked.database);
  const { community } = lookInto(unpacked);
  const { before, after } = await sidesOf(config, { unpacked, own, community });
  const { place, blobs } = after;
  const replaced = own.hasDatabase() ? lookInto(own).place : null;
  const { id, isLeft } = await targetId({ place, community, own: null, replaced, takesOver });
  {
    using database = openCopy(unpacked.database);
    database.setPlace(id);
    let done = 0;
    for (const row of database.textures()) {
      signal.throwIfAborted();
      const bytes = await readTexture(before, row);
      if (typeof bytes !== "string") database.setFile(row.hash, await blobs.put(row.hash, bytes));
      progress("storing textures", ++done, null);
    }
  }
  await rm(unpacked.textures, { recursive: true, force: true });
  return () => (isLeft ? Promise.resolve() : place.replaceLabel(id, community));
}

/** Where the textures of an unpacked backup are, and where they go. */
async function sidesOf(
  config: Config,
  { unpacked, own, community }: { unpacked: DataFolder; own: DataFolder; community: string },
): Promise<{ readonly before: Pick<BlobStore, "read">; readonly after: OpenedTextures }> {
  return {
    before: await openTextureSource({ blobs: null }, unpacked),
    after: await openTextures(config, own, { communityId: () => Promise.resolve(community) }),
  };
}

/** Facts of a possibly damaged database: its community, and the id of its textures' place. */
function lookInto({ database }: DataFolder): { readonly community: string; readonly place: string | null } {
  try {
    using inspection = inspectDatabase(database);
    return { community: inspection?.community() ?? "", place: inspection?.place() ?? null };
  } catch {
    return { community: "", place: null };
  }
}
