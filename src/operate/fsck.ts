import { stat } from "node:fs/promises";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { textureFolder } from "../adapters/blob-fs/texture-folder.ts";
import { openLiveRows } from "../adapters/sqlite/database-copy.ts";
import { compose } from "../boot/compose.ts";
import type { Config } from "../boot/config.ts";
import { dataFolder, type DataFolder } from "../boot/data-folder.ts";
import { readBackup } from "../domain/backup/read-backup.ts";
import type { Progress } from "../domain/backup/write-backup.ts";
import { restoreFile, checkFiles, repairFault, type FileFault } from "../domain/textures/check-files.ts";
import { sweepFiles, sweepRows, sweptParts } from "../domain/textures/sweep.ts";
import { systemClock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { TextureHash } from "../kernel/ids.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";

export type FsckFault = FileFault & {
  /** What was done about it; null: nothing. */
  readonly mended: string | null;
};
export type FsckReport = {
  readonly checked: number;
  readonly faults: readonly FsckFault[];
  /** Parts of the database's schema that the migrations did not make. Only the operator can know whether they are wanted. */
  readonly schemaFaults: readonly string[];
};

/** What to do about a changed schema, in fsck and in doctor. */
export const schemaRemedy =
  "if the change is not yours, restore a backup from before; else take it out with sqlite3 (DROP TRIGGER, VIEW, INDEX or TABLE)";

/** Checks the database's schema and every texture, and repairs what can be repaired if asked to. A server may be running. */
export async function fsck(
  config: Config,
  options: { readonly mend: boolean; readonly backup: string | null; readonly progress: Progress },
): Promise<FsckReport> {
  const data = dataFolder(config.dataDir);
  if (!data.hasDatabase()) throw new AppError("not_found", `${data.path} holds no database`);
  using rows = openLiveRows(data.database);
  const schemaFaults = rows.schemaFaults();
  const place = openTextures(data);
  const looking = { rows, place, blobs: place, clock: systemClock };
  const { checked, faults } = await checkFiles(looking, (done) => options.progress("checking", done, null));
  if (!options.mend)
    return { checked, schemaFaults, faults: faults.map((fault) => ({ ...fault, mended: null })) };

  await using services = await compose(config);
  const deps = { ...services, rows, place };
  const mended: FsckFault[] = [];
  for (const fault of faults) mended.push({ ...fault, mended: await repairFault(deps, fault) });
  for (const part of sweptParts) await sweepRows(services, part);
  for (let place: string | null | undefined; place !== null;)
    place = (await sweepFiles(services, place ?? null)).next;
  if (options.backup === null) return { checked, schemaFaults, faults: mended };
  const back = await restoreFilesFrom(options.backup, mended, (hash, png) => restoreFile(deps, hash, png));
  const isBack = ({ hash }: FsckFault) => hash !== null && back.has(hash);
  return {
    checked,
    schemaFaults,
    faults: mended.map((fault) => (isBack(fault) ? { ...fault, mended: "brought back" } : fault)),
  };
}

/** The texture files on disk. */
export function openTextures(folder: DataFolder): ReturnType<typeof textureFolder> {
  return textureFolder(folder.textures, folder.damagedTextures);
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
      ? new AppError(cause.code, `${backup}: ${cause.message}`, { cause })
      : cause;
  });
  return back;
}
