import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openBlobFolder } from "../adapters/blob-fs/blob-store.ts";
import { freeSpaceOf } from "../adapters/blob-fs/free-space.ts";
import { holdsTextures } from "../adapters/blob-fs/texture-folder.ts";
import { loadDefaultSkins } from "../adapters/default-skins/default-skins.ts";
import { isSwapInterrupted } from "../adapters/data-folder/swap.ts";
import { argon2Hasher } from "../adapters/passwords/argon2-hasher.ts";
import {
  migrateDatabase,
  openDatabase,
  planMigration,
  type DatabaseSizes,
  type MigrationReport,
} from "../adapters/sqlite/database.ts";
import type { Rerun } from "../adapters/sqlite/transact.ts";
import {
  createPictureRenderer,
  timePictures,
  type PictureTimes,
} from "../adapters/texture-threads/picture-renderer.ts";
import { createTextureIntake } from "../adapters/texture-threads/texture-intake.ts";
import { openThreadPool, type ThreadPoolOptions } from "../adapters/texture-threads/thread-pool.ts";
import { createRateLimits, type RateLimits } from "../domain/limits/rate-limits.ts";
import type { OnMailDue } from "../domain/ports/outbox-store.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { TextureIntake } from "../domain/ports/pictures.ts";
import type { PasswordHasher } from "../domain/ports/password-hasher.ts";
import type { StorageProbe } from "../domain/ports/storage-probe.ts";
import { trackSessionActivity, type SessionActivity } from "../domain/sessions/activity.ts";
import type { Reads } from "../domain/ports/stores.ts";
import type { Transact } from "../domain/ports/unit-of-work.ts";
import { createTransact } from "../domain/sessions/transact.ts";
import { createPurge, type PurgeBanned } from "../domain/textures/ban-texture.ts";
import type { DefaultSkins } from "../domain/textures/default-skin.ts";
import { fileDropper, type DropFiles } from "../domain/textures/files.ts";
import type { TextureRules } from "../domain/textures/intake.ts";
import { createPictures, type Pictures } from "../domain/textures/pictures.ts";
import { systemClock, type Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Config } from "./config.ts";
import { databasePath, enterDataFolder, texturesPath } from "./data-folder.ts";

/** Everything that use cases ask for, over one data folder. Disposing of it closes the database and the threads. */
export type Services = AsyncDisposable & {
  /** What was done to the database when it was opened. */
  readonly migrated: MigrationReport;
  readonly reads: Reads;
  readonly transact: Transact;
  readonly changes: ChangeFeed;
  readonly onMailDue: OnMailDue;
  readonly blobs: BlobStore;
  readonly dropFiles: DropFiles;
  readonly purgeBanned: PurgeBanned;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly defaults: DefaultSkins;
  readonly intake: TextureIntake;
  readonly pictures: Pictures;
  readonly pictureTimes: () => readonly PictureTimes[];
  readonly databaseSizes: () => DatabaseSizes;
  readonly storage: StorageProbe;
  readonly usernamePattern: RegExp;
  /** How long a freed name is kept for its former owner. */
  readonly nameHoldSeconds: number;
  /** How long a player waits from one rename by its owner to the next. */
  readonly renameSeconds: number;
  /** Whether known and unknown mail addresses are answered alike. */
  readonly uniformAnswers: boolean;
  readonly limits: RateLimits;
  readonly activity: SessionActivity;
  readonly rules: TextureRules & { readonly wardrobeMax: number };
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Services, "clock" | "hasher">> & {
  readonly threads?: Partial<ThreadPoolOptions>;
  readonly rerun?: Rerun;
};

/** Brings the data folder's database up to date. Makes the folder when there is none. */
export async function migrate(config: Config): Promise<MigrationReport> {
  using _entered = await enterDataFolder(config);
  refuseLostDatabase(config);
  return migrateDatabase(databasePath(config));
}

/** Tells what `migrate` would do. Makes no folder. */
export async function planMigrate(config: Config): Promise<MigrationReport> {
  using _entered = existsSync(config.dataDir) ? await enterDataFolder(config) : null;
  return planMigration(databasePath(config));
}

/** Fails with not_found where there is no database, nor one that waits to be moved in. */
export function refuseEmptyFolder(config: Config): void {
  const { dataDir } = config;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  // What is no folder is told as such when it is opened.
  if (folder !== undefined && !folder.isDirectory()) return;
  if (existsSync(databasePath(config)) || isSwapInterrupted(dataDir)) return;
  throw new AppError("not_found", `${dataDir} holds no database: is --data-dir (or DATA_DIR) right?`);
}

/** Beside textures a new, empty database would be a community lost: its next `fsck --mend` would take the textures, too. */
function refuseLostDatabase(config: Config): void {
  if (existsSync(databasePath(config)) || !holdsTextures(texturesPath(config))) return;
  throw new AppError(
    "conflict",
    `${config.dataDir} holds textures but no database: is a disk missing? Restore a backup` +
      " or, to begin anew, move the folder textures away",
  );
}

/** Whether the database names skins or capes and not one texture is on the disk. */
export async function hasLostTextures(config: Config, { reads }: Pick<Services, "reads">): Promise<boolean> {
  if (holdsTextures(texturesPath(config))) return false;
  return (await reads.textures.countAllSkins(null)) + (await reads.textures.countAllCapes(null)) > 0;
}

/** Opens what works on the data folder, migrating its database first. */
export async function openServices(
  config: Config,
  { threads, rerun, ...overrides }: Overrides = {},
): Promise<Services> {
  await using opened = new AsyncDisposableStack();
  opened.use(await enterDataFolder(config));
  refuseLostDatabase(config);
  const migrated = migrateDatabase(databasePath(config));
  const database = opened.use(openDatabase(databasePath(config), rerun === undefined ? {} : { rerun }));
  const pictureThreads = opened.use(openThreadPool("pictures", threads));
  const intakeThread = opened.use(openThreadPool("intake", threads));
  const blobs = await openBlobFolder(texturesPath(config));
  const defaults = await loadDefaultSkins(join(config.dataDir, "default-skins"));
  const { reads, atomically, changes, onMailDue } = database;
  const clock = overrides.clock ?? systemClock;
  const transact = createTransact({ atomically, clock });
  const dropFiles = fileDropper({ reads, blobs });
  const timed = timePictures(createPictureRenderer(pictureThreads));
  const closing = opened.move();

  return {
    migrated,
    reads,
    transact,
    changes,
    onMailDue,
    blobs,
    dropFiles,
    purgeBanned: createPurge({ transact, dropFiles }),
    hasher: argon2Hasher,
    clock,
    defaults,
    intake: createTextureIntake(intakeThread, config.textures),
    pictures: createPictures({
      blobs,
      render: timed.render,
      cacheBytes: config.renderCacheBytes,
    }),
    pictureTimes: timed.times,
    databaseSizes: database.sizes,
    storage: { write: database.probe, freeSpace: () => freeSpaceOf(config.dataDir, texturesPath(config)) },
    usernamePattern: config.usernamePattern,
    nameHoldSeconds: config.nameHoldSeconds,
    renameSeconds: config.renameSeconds,
    uniformAnswers: config.uniformAnswers,
    limits: createRateLimits({ factor: config.rateLimitFactor, clock }),
    activity: trackSessionActivity({ transact }),
    rules: config.textures,
    ...overrides,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
