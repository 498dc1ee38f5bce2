/*
 * Compares the database with the files, for what crashes and damaged disks leave behind. A file without a row
 * and a leftover are removed; a row without its file stays, because the same upload or a backup restores the
 * file, and the skin with it.
 */
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { hashOfFile, type TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { system } from "../model/actor.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { FoundFile, LiveTextureRows, TexturePlace, TextureRow } from "../ports/texture-files.ts";
import { discardFiles, dropFiles, isSound, replaceFile, type TextureDeps } from "./files.ts";
import { sha256Hex } from "./hashes.ts";
import { readTexture } from "./stored-file.ts";

/** A file and its row are read one after the other. More changes in between than this are made on purpose. */
const attemptsMax = 3;

/**
 * `missing`: a row's file does not exist. `damaged`: the file holds other bytes than its row says.
 * `unreadable`: the system refuses to read it. `orphan`: a texture's file has no row. `leftover`: a crash
 * left it half-written. `stranger`: not a file of cloakroom's, and no fault.
 */
export type FileFault = {
  readonly kind: "missing" | "damaged" | "unreadable" | "orphan" | "leftover" | "stranger";
  /** Where the textures are. */
  readonly path: string;
  readonly hash: TextureHash | null;
  /** How many skins and capes show it. */
  readonly uses: number;
};

type CheckDeps = {
  readonly rows: LiveTextureRows;
  readonly place: TexturePlace;
  readonly blobs: Pick<BlobStore, "read" | "strandedSeconds">;
  readonly clock: Clock;
};

/**
 * Compares every row with its file and every file with its row, while others may be writing. Changes nothing.
 * Fails with unavailable when the store does not answer: all of its files would seem to be missing.
 */
export async function checkFiles(
  deps: CheckDeps,
  sawTexture: (checked: number) => void,
): Promise<{ readonly checked: number; readonly faults: readonly FileFault[] }> {
  const faults: FileFault[] = [];
  let checked = 0;
  for await (const row of deps.rows.textures()) {
    const { kind, file } = await stateOf(deps, row);
    const { hash } = row;
    if (kind !== "sound")
      faults.push({ kind, path: deps.place.pathOf(file), hash, uses: await deps.rows.countUses(hash) });
    sawTexture(++checked);
  }
  for await (const found of deps.place.files()) {
    const kind = await faultOf(deps, found);
    const hash = found.kind === "texture" ? hashOfFile(found.file) : null;
    if (kind !== null) faults.push({ kind, path: found.path, hash, uses: 0 });
  }
  return { checked, faults };
}

type State = TextureRow & { readonly kind: "sound" | "missing" | "damaged" | "unreadable" };

/** A row that is removed during the check is sound. */
async function stateOf({ rows, blobs }: Pick<CheckDeps, "rows" | "blobs">, row: TextureRow): Promise<State> {
  let expected = row;
  let kind: State["kind"] = "missing";
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    // A file that cannot be read must not keep the others from being checked.
    const found = await readTexture(blobs, expected).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === "unavailable") throw error;
      return "unreadable" as const;
    });
    if (typeof found !== "string") return { ...expected, kind: "sound" };
    kind = found;
    const now = await rows.findTexture(row.hash);
    if (now === null) return { ...expected, kind: "sound" };
    expected = now;
  }
  return { ...expected, kind };
}

async function faultOf(
  { rows, clock, blobs }: CheckDeps,
  found: FoundFile,
): Promise<FileFault["kind"] | null> {
  if (found.kind === "stranger") return "stranger";
  const isLeftover = found.kind === "leftover";
  const seconds = isLeftover ? limits.uploadSecondsMax : blobs.strandedSeconds;
  if (found.storedAt > clock.nowSeconds() - seconds) return null;
  if (isLeftover) return "leftover";
  const row = await rows.findTexture(hashOfFile(found.file));
  return row?.file === found.file ? null : "orphan";
}

type RepairDeps = CheckDeps & TextureDeps;

/**
 * Removes a leftover, and moves a damaged file into quarantine where there is one. Checks the file again
 * first. The sweep removes orphans. Returns what was done; null when nothing can be done.
 */
export async function repairFault(deps: RepairDeps, { kind, path, hash }: FileFault): Promise<string | null> {
  if (kind === "leftover") {
    await deps.place.removeLeftover(path);
    return "removed";
  }
  if (kind === "orphan") return "removed";
  const row = kind === "damaged" && hash !== null ? await deps.rows.findTexture(hash) : null;
  if (row === null || (await readTexture(deps.blobs, row)) !== "damaged") return null;
  const moved = await deps.place.quarantine(row.file);
  return moved === null ? null : `moved to ${moved}`;
}

/**
 * Restores a row's file that is missing, damaged or unreadable from these bytes. Returns false when the row
 * names other bytes, or has its file.
 */
export async function restoreFile(deps: RepairDeps, hash: TextureHash, png: Uint8Array): Promise<boolean> {
  const { rows, blobs, transact } = deps;
  const row = await rows.findTexture(hash);
  if (row === null || row.digest !== sha256Hex(png)) return false;
  if (await isSound(blobs, row)) return false;
  const file = await blobs.put(hash, png);
  const replaced = await transact(system, async (tx) => {
    const found = await tx.textures.findTexture(hash);
    return found?.file === row.file ? replaceFile(deps, tx, found, file) : null;
  });
  if (replaced === null) await discardFiles(deps, [file]);
  else await dropFiles(deps, [replaced]);
  return replaced !== null;
}
