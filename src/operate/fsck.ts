import { stat } from "node:fs/promises";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { openLiveRows } from "../adapters/sqlite/database-copy.ts";
import type { DatabaseSetting } from "../boot/config/storage-settings.ts";
import { compose, type Ports } from "../boot/compose.ts";
import type { Config } from "../boot/config.ts";
import { postgresTools } from "../boot/engines.ts";
import { dataFolder, type DataFolder } from "../boot/data-folder.ts";
import { openTextureSource, type TextureSource } from "../boot/textures.ts";
import { readBackup } from "../domain/backup/read-backup.ts";
import type { Progress } from "../domain/backup/progress.ts";
import { restoreFile, checkFiles, repairFault, type FileFault } from "../domain/textures/check-files.ts";
import { refuseOtherPlace } from "../domain/textures/place.ts";
import { sweepFiles, sweepRows, sweptParts } from "../domain/textures/sweep.ts";
import type { LiveTextureRows } from "../domain/ports/texture-files.ts";
import { liveRows } from "../domain/textures/live-rows.ts";
import { systemClock } from "../kernel/clock.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import type { TextureHash } from "../kernel/ids.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";

export type FsckFault = FileFault & {
  /** What was done about it; null: nothing. */
  readonly mended: string | null;
};
export type FsckReport = {
  /** Where the textures are: `textures` in the data folder, or `s3://bucket/prefix`. */
  readonly place: string;
  readonly checked: number;
  readonly faults: readonly FsckFault[];
  /**
   * Parts of the database's schema that the migrations did not make. Only the operator can know whether they
   * are wanted.
   */
  readonly schemaFaults: readonly string[];
};

/** What to do about a changed schema, in fsck and in doctor. */
export const schemaRemedy =
  "if the change is not yours, restore a backup from before; else take it out with sqlite3 (DROP TRIGGER, VIEW, INDEX or TABLE)";

type Options = {
  readonly mend: boolean;
  readonly backup: string | null;
  /** The place of the textures is the database's from now on. */
  readonly takesOver: boolean;
  readonly progress: Progress;
};

/**
 * Checks the database's schema and every texture, and repairs what can be repaired if asked to. A server may
 * be running. Fails with conflict when the textures' place is another database's, and with unavailable when
 * it does not answer.
 */
export async function fsck(config: Config, options: Options): Promise<FsckReport> {
  const data = dataFolder(config.dataDir);
  const { database } = config;
  if (database === null && !data.hasDatabase())
    throw new PlainError("not_found", `${data.path} holds no database`);
  const place = await openTextureSource(config, data);
  await using opened = new AsyncDisposableStack();
  const services = database === null && !options.takesOver ? null : opened.use(await compose(config));
  if (options.takesOver) await services?.texturePlace.takeOver();
  const { rows, schemaFaults, clock, refuseOther } =
    database === null || services === null
      ? opened.use(rowsOfFolder(data, place))
      : { ...services, ...(await rowsOfServices(services, database)) };
  await refuseOther();
  const looking = { rows, place, blobs: place, clock };
  const { checked, faults } = await checkFiles(looking, (done) => options.progress("checking", done, null));
  const found = { place: place.name, checked, schemaFaults };
  if (!options.mend) return { ...found, faults: faults.map((fault) => ({ ...fault, mended: null })) };
  const mending = services ?? opened.use(await compose(config));
  return { ...found, faults: await mend({ ...mending, rows, place }, faults, options) };
}

/** Past the services, which would upgrade an older schema. */
function rowsOfFolder({ database }: DataFolder, place: TextureSource) {
  const rows = openLiveRows(database);
  const deps = {
    place,
    mark: rows.place,
    communityId: rows.community,
    rows: () => rows.textures(),
    isAlone: true,
  };
  return {
    rows,
    refuseOther: () => refuseOtherPlace(deps),
    schemaFaults: rows.schemaFaults(),
    clock: systemClock,
    [Symbol.dispose]: () => rows[Symbol.dispose](),
  };
}

async function rowsOfServices({ reads, texturePlace }: Ports, database: DatabaseSetting) {
  const rows: LiveTextureRows = liveRows(reads.textures);
  const schemaFaults = await (await postgresTools()).readSchemaFaults(database);
  return { rows, schemaFaults, refuseOther: texturePlace.refuseOther };
}

type Mending = Parameters<typeof repairFault>[0];

async function mend(
  deps: Mending,
  faults: readonly FileFault[],
  { backup, progress }: Options,
): Promise<readonly FsckFault[]> {
  const mended: FsckFault[] = [];
  for (const fault of faults) mended.push({ ...fault, mended: await repairFault(deps, fault) });
  for (const part of sweptParts) await sweepRows(deps, part);
  let pages = 0;
  for (let after: string | null | undefined; after !== null;) {
    after = (await sweepFiles(deps, after ?? null)).next;
    progress("sweeping", ++pages, null);
  }
  if (backup === null) return mended;
  const back = await restoreFilesFrom(backup, mended, (hash, png) => restoreFile(deps, hash, png));
  const isBack = ({ hash }: FsckFault) => hash !== null && back.has(hash);
  return mended.map((fault) => (isBack(fault) ? { ...fault, mended: "brought back" } : fault));
}

/** What a backup can bring back. */
const lostKinds: ReadonlySet<FileFault["kind"]> = new Set(["missing", "damaged", "unreadable"]);

/** Restores lost textures from a backup, and returns those that are back. */
async function restoreFilesFrom(
  backup: string,
  faults: readonly FsckFault[],
  restore: (hash: TextureHash, png: Uint8Array) => Promise<boolean>,
): Promise<ReadonlySet<TextureHash>> {
  const wanted = new Set(faults.filter(({ kind }) => lostKinds.has(kind)).map(({ hash }) => hash));
  const back = new Set<TextureHash>();
  requirePlainFile(backup, await stat(backup));
  const reading = readBackup(tarZstd.read(backup), {
    keep: async (part, content) => {
      const png = Buffer.concat(part.kind === "texture" ? await Array.fromAsync(content) : []);
      if (part.kind !== "texture") for await (const _unread of content);
      else if (wanted.has(part.hash) && (await restore(part.hash, png))) back.add(part.hash);
    },
  });
  await reading.catch((cause: unknown) => {
    throw cause instanceof AppError
      ? new PlainError(cause.kind, `${backup}: ${cause.message}`, { cause })
      : cause;
  });
  return back;
}
