import type { TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Texture } from "../model/texture.ts";
import type { PlannedImport } from "../ports/planned-import.ts";
import { discardFiles } from "../textures/files.ts";
import type { ImportDeps } from "./run.ts";

/** A bitmap whose file is stored, and when it was (Unix seconds). No row names it yet. */
type StagedFile = { readonly texture: Texture; readonly at: number };

/** Files that were stored for a transaction, by their bitmaps. */
export type Staged = ReadonlyMap<TextureHash, StagedFile>;

type StageDeps = Pick<ImportDeps, "blobs" | "reads" | "clock">;

/**
 * Stores the files of bitmaps that have no row, a few at the same time. `coming` get their rows from a
 * transaction under way. When one cannot be stored, the others go again; fails with no_space and unavailable.
 */
export async function stageFiles(
  deps: StageDeps,
  planned: Pick<PlannedImport, "texture">,
  hashes: ReadonlySet<TextureHash>,
  coming: ReadonlySet<TextureHash> = new Set(),
): Promise<Staged> {
  const asked = [...hashes].filter((hash) => !coming.has(hash));
  if (asked.length === 0) return new Map();
  const known = new Set((await deps.reads.imports.textures(asked)).map(({ hash }) => hash));
  const missing = asked.filter((hash) => !known.has(hash)).values();
  const staged = new Map<TextureHash, StagedFile>();
  const storeSome = async (): Promise<void> => {
    for (const hash of missing) {
      const { texture, png } = planned.texture(hash);
      const at = deps.clock.nowSeconds();
      staged.set(hash, { texture: { ...texture, file: await deps.blobs.put(hash, png) }, at });
    }
  };
  const lanes = Array.from({ length: limits.importFilesAtOnce }, storeSome);
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed === undefined) return staged;
  await discardStaged(deps, staged);
  throw failed.reason;
}

/** Whether no sweep may have taken one of these files for one that was left behind. */
export function areFresh(staged: Iterable<StagedFile>, now: number): boolean {
  return [...staged].every(({ at }) => now - at <= limits.uploadSecondsMax / 2);
}

/** Removes the files that no row has got. */
export async function discardStaged(
  deps: Pick<StageDeps, "blobs">,
  staged: Staged,
  named: ReadonlySet<TextureHash> = new Set(),
): Promise<void> {
  const unnamed = [...staged.values()].filter(({ texture }) => !named.has(texture.hash));
  await discardFiles(
    deps,
    unnamed.map(({ texture }) => texture.file),
  );
}
