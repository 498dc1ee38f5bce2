/*
 * Compares the database with the files, for what crashes and damaged disks leave behind. A file without a row and a leftover
 * are removed; a row without its file stays, because the same upload or a backup restores the file, and the skin with it.
 */
import type { Clock } from "../../kernel/clock.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { deleteFiles, type TextureDeps } from "./files.ts";
import { sha256Hex } from "./hashes.ts";
import type { FoundFile, TextureFolder, TextureRow, TextureRows } from "../ports/texture-files.ts";

/** A file and its row are read one after the other. More changes in between than this are made on purpose. */
const attemptsMax = 3;

/**
 * `missing`: a row's file does not exist. `damaged`: the file holds other bytes than its row says. `unreadable`: the system
 * refuses to read it. `orphan`: a texture's file has no row. `leftover`: a crash left it half-written. `stranger`: not a
 * file of cloakroom's, and no fault.
 */
export type FileFault = {
  readonly kind: "missing" | "damaged" | "unreadable" | "orphan" | "leftover" | "stranger";
  /** In the textures' folder. */
  readonly path: string;
  readonly hash: TextureHash | null;
  /** How many skins and capes show it. */
  readonly uses: number;
};

type CheckDeps = {
  readonly rows: TextureRows;
  readonly folder: TextureFolder;
  readonly blobs: Pick<BlobStore, "read">;
  readonly clock: Clock;
};

/** Compares every row with its file and every file with its row, while others may be writing. Changes nothing. */
export async function checkFiles(
  deps: CheckDeps,
  sawTexture: (checked: number) => void,
): Promise<{ readonly checked: number; readonly faults: readonly FileFault[] }> {
  const faults: FileFault[] = [];
  let checked = 0;
  for (const row of deps.rows.textures()) {
    const kind = await stateOf(deps, row);
    if (kind !== "sound") faults.push({ kind, ...placeOf(row.hash), uses: deps.rows.countUses(row.hash) });
    sawTexture(++checked);
  }
  for await (const file of deps.folder.files()) {
    const kind = faultOf(deps, file);
    if (kind !== null) faults.push({ kind, path: file.path, hash: file.hash, uses: 0 });
  }
  return { checked, faults };
}

/** A row that is removed during the check is sound. */
async function stateOf(
  { rows, blobs }: Pick<CheckDeps, "rows" | "blobs">,
  { hash, digest }: TextureRow,
): Promise<"sound" | "missing" | "damaged" | "unreadable"> {
  let expected = digest;
  let state: "missing" | "damaged" | "unreadable" = "missing";
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    // A file that cannot be read must not keep the others from being checked.
    const png = await blobs.read(hash).catch(() => "unreadable" as const);
    if (png === "unreadable" || png === null) state = png ?? "missing";
    else if (sha256Hex(png) === expected) return "sound";
    else state = "damaged";
    const now = rows.findTexture(hash);
    if (now === null) return "sound";
    expected = now.digest;
  }
  return state;
}

function faultOf({ rows, clock }: CheckDeps, file: FoundFile): FileFault["kind"] | null {
  if (file.kind === "stranger") return "stranger";
  if (file.changedAt > clock.nowSeconds() - limits.uploadSecondsMax) return null;
  if (file.kind !== "texture") return "leftover";
  return rows.findTexture(file.hash) === null ? "orphan" : null;
}

type RepairDeps = CheckDeps & TextureDeps;

/**
 * Removes an orphan or leftover, and moves a damaged file into quarantine, so that the next upload of the same bitmap stores a
 * sound one. Checks the file again first. Returns what was done; null when nothing can be done.
 */
export async function repairFault(deps: RepairDeps, { kind, path, hash }: FileFault): Promise<string | null> {
  if (kind === "leftover") {
    await deps.folder.removeLeftover(path);
    return "removed";
  }
  if (hash === null) return null;
  if (kind === "orphan") {
    await deleteFiles(deps, [hash]);
    return "removed";
  }
  if (kind !== "damaged") return null;
  const isDamaged = (png: Uint8Array | null) => {
    const row = deps.rows.findTexture(hash);
    return row !== null && png !== null && sha256Hex(png) !== row.digest;
  };
  if (!isDamaged(await deps.blobs.read(hash))) return null;
  const moved = await deps.folder.quarantine(hash, isDamaged);
  return moved === null ? null : `moved to ${moved}`;
}

/** Restores a row's missing file from these bytes. Returns false when the row names other bytes, or has its file. */
export async function restoreFile(deps: RepairDeps, hash: TextureHash, png: Uint8Array): Promise<boolean> {
  if (deps.rows.findTexture(hash)?.digest !== sha256Hex(png) || (await deps.blobs.has(hash))) return false;
  await using staged = await deps.blobs.stage(png);
  await staged.publish(hash);
  return true;
}

function placeOf(hash: TextureHash): { readonly path: string; readonly hash: TextureHash } {
  return { path: `${hash.slice(0, 2)}/${hash}.png`, hash };
}
