/** A whole community goes to another engine, another store of files, or both. */
import type { Config, LoadedConfig } from "../../boot/config.ts";
import { timelineFile, type MoveTarget } from "../../boot/config/storage-settings.ts";
import { dataFolder, type DataFolder } from "../../boot/data-folder.ts";
import { carriedKeys, type Secret } from "../../boot/secrets.ts";
import { openTextures, openTextureSource, type OpenedTextures } from "../../boot/textures.ts";
import { compareTables, copyTables, type Comparison } from "../../domain/backup/copy-tables.ts";
import { checkTextures, textureCarrier, textureRows } from "../../domain/backup/carry-textures.ts";
import type { Progress } from "../../domain/backup/progress.ts";
import type { TableSource, TableTarget } from "../../domain/ports/table-copy.ts";
import { refuseOtherPlace, targetId } from "../../domain/textures/place.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { BlobStore } from "../../domain/ports/blob-store.ts";
import type { KeyKind, KeyStore } from "../../domain/ports/key-store.ts";
import { unusableFiles } from "../start-files.ts";
import { sqliteSource, sqliteTarget } from "./sqlite-sides.ts";
import type { SourceSide, TargetSide } from "./sides.ts";

export type MoveOptions = {
  readonly to: MoveTarget;
  /** Where files of textures go; null: they stay where they are, or go into the folder. */
  readonly blobs: Config["blobs"] | "files" | null;
  readonly isDry: boolean;
  /** Whether no other database uses the place that textures go to. */
  readonly takesOver: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

export type MoveReport = {
  readonly from: string;
  readonly to: string;
  /** Rows by table. */
  readonly tables: Comparison["tables"];
  readonly chainFault: Comparison["chainFault"];
  readonly textures: { readonly count: number; readonly lost: number };
  /** Whether files of textures were copied; false: they stayed. */
  readonly copiesFiles: boolean;
  readonly isContinued: boolean;
};

/**
 * Copies every row, file and key, compares both sides, and only then marks the target as whole. Begun again,
 * it goes on where it was ended. The source is not changed. Fails with conflict while the source is served,
 * and for a target that holds anything else.
 */
export async function move(loaded: LoadedConfig, options: MoveOptions): Promise<MoveReport> {
  const { config } = loaded;
  await using source = await openSource(loaded);
  await using target = await openTarget(config, options.to, source.jwt);
  const community = await source.tables.community();
  await target.check(community);
  const before = await openTextureSource(config, dataFolder(config.dataDir));
  await refuseOtherPlace({
    place: before,
    mark: source.tables.place,
    communityId: () => community,
    rows: () => textureRows(source.tables),
    isAlone: config.database === null,
  });
  await refuseUnusable(loaded);
  const place = filesPlace(config, options);
  const about = { from: source.name, to: target.name, copiesFiles: place !== null };
  if (options.isDry) return { ...about, ...(await planned(source)) };
  const after =
    place && (await openTextures(place, place.folder, { communityId: () => Promise.resolve(community) }));
  return { ...about, ...(await fill(target, source, { ...options, before, after, carriesKeys: true })) };
}

type Filling = Pick<MoveOptions, "progress" | "signal" | "takesOver"> & {
  /** Where the source's files are. */
  readonly before: Pick<BlobStore, "read">;
  /** Where they go; null: they stay. */
  readonly after: OpenedTextures | null;
  readonly carriesKeys: boolean;
};

/**
 * Copies everything into the target, compares both sides, and marks the target as whole. Fails with conflict
 * where another database has the place that textures go to.
 */
export async function fill(
  target: TargetSide,
  source: SourceSide,
  { before, after: opened, carriesKeys, takesOver, ...options }: Filling,
): Promise<Pick<MoveReport, "tables" | "chainFault" | "textures" | "isContinued">> {
  const community = await source.tables.community();
  const keys = carriesKeys ? await keysOf(source.keys) : [];
  const { tables, isContinued } = await target.begin(community);
  await keepPlace(tables, source.tables, { opened, takesOver });
  const after = opened && opened.blobs;
  const deps = { ...options, source: source.tables, target: tables };
  await copyTables({ ...deps, carry: textureCarrier(before, after) });
  await tables.complete(await source.tables.lastNumbers(), (step, done) =>
    options.progress(step, done, null),
  );
  if (keys.length > 0) await keepKeys(keys, await target.keys());
  const compared = await compareTables(deps, after === null ? [] : ["textures.file"]);
  const textures = await checkTextures({
    ...options,
    tables,
    blobs: after ?? before,
    before: { tables: source.tables, blobs: before },
  });
  await refuseFaults(tables);
  await source.refuseUse();
  await target.finish(community, source.jwt);
  return { ...compared, textures, isContinued };
}

/** The target's database gets the id of its files' place: the source's id if the files stay. */
async function keepPlace(
  tables: TableTarget,
  source: TableSource,
  { opened, takesOver }: { readonly opened: OpenedTextures | null; readonly takesOver: boolean },
): Promise<void> {
  const own = await tables.place.read();
  if (opened === null) {
    const kept = await source.place.read();
    // An older release gave none: the first start on the target does.
    if (kept === null || (await tables.place.put(kept, own)) === kept) return;
  } else {
    const { place, prepare } = opened;
    const community = await source.community();
    const { id, isLeft } = await targetId({ place, community, own, replaced: null, takesOver });
    if ((await tables.place.put(id, own)) === id) {
      if (!isLeft) await place.replaceLabel(id, community);
      return prepare();
    }
  }
  throw new PlainError("conflict", "another process is copying into this database");
}

async function openSource({ config, jwtSecret }: LoadedConfig): Promise<SourceSide> {
  const { database } = config;
  if (database === null) return sqliteSource(dataFolder(config.dataDir), jwtSecret);
  const { postgresSource } = await import("./postgres-sides.ts");
  return postgresSource(database, database.jwtSecret);
}

async function openTarget(config: Config, to: MoveTarget, jwt: Secret): Promise<TargetSide> {
  if (to.kind === "folder") return sqliteTarget(dataFolder(to.path), config.dataDir);
  const { postgresTarget } = await import("./postgres-sides.ts");
  return postgresTarget({ ...to, timelineFile: timelineFile(config.dataDir) }, jwt);
}

/** Another place for files of textures. */
type FilesPlace = { readonly blobs: Config["blobs"]; readonly folder: DataFolder };

/** Where files go; null: they stay. */
function filesPlace(config: Config, { to, blobs }: MoveOptions): FilesPlace | null {
  const folder = dataFolder(to.kind === "folder" ? to.path : config.dataDir);
  const wanted = blobs ?? (to.kind === "folder" ? "files" : (config.blobs ?? "files"));
  if (isSamePlace(config, folder, wanted)) return null;
  return { blobs: wanted === "files" ? null : wanted, folder };
}

/** Whether files stay where they are. */
function isSamePlace(config: Config, folder: DataFolder, wanted: NonNullable<MoveOptions["blobs"]>): boolean {
  if (wanted === "files") return config.blobs === null && folder.path === config.dataDir;
  const { blobs } = config;
  return (
    blobs !== null &&
    [blobs.endpoint, blobs.bucket, blobs.prefix].join() ===
      [wanted.endpoint, wanted.bucket, wanted.prefix].join()
  );
}

/** The keys that go along, read before anything is copied: a damaged one fails as it does at a start. */
async function keysOf(from: KeyStore): Promise<readonly KeyKind[]> {
  const found: KeyKind[] = [];
  for (const kind of carriedKeys) {
    const text = await from.find(kind);
    if (text !== null) found.push({ ...kind, make: () => text });
  }
  return found;
}

async function keepKeys(keys: readonly KeyKind[], to: KeyStore): Promise<void> {
  for (const kind of keys) await to.findOrMake(kind);
}

/**
 * Reads the default skins and mail texts, which go along. Fails with invalid, in a start's words, for one
 * that no server takes.
 */
async function refuseUnusable(loaded: LoadedConfig): Promise<void> {
  const { dataDir } = loaded.config;
  const first = (await unusableFiles(dataDir, loaded)).find(({ isSecret }) => !isSecret);
  if (first !== undefined) throw new PlainError("invalid", `${dataDir}: ${first.message}`);
}

/** What a dry run finds: nothing is read but the numbers of rows, and the keys. */
async function planned(source: SourceSide) {
  await keysOf(source.keys);
  const tables: { readonly name: string; readonly rows: number }[] = [];
  for (const table of source.tables.tables)
    tables.push({ name: table.name, rows: await source.tables.count(table) });
  const count = tables.find(({ name }) => name === "textures")?.rows ?? 0;
  return { tables, chainFault: null, textures: { count, lost: 0 }, isContinued: false };
}

async function refuseFaults(tables: TableTarget): Promise<void> {
  const [fault] = await tables.faults();
  if (fault !== undefined) throw new PlainError("internal", `the target is not what it has to be: ${fault}`);
}
