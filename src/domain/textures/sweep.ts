/** Removes what deletions leave for later, and what killed processes and faults left. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { hashOfFile, type TextureFile } from "../../kernel/ids.ts";
import { system } from "../model/actor.ts";
import type { ListedBlob } from "../ports/blob-store.ts";
import { releaseTextures, type TextureDeps } from "./files.ts";

/**
 * All textures in 256 parts, by the first two digits of their hashes; a part has some 4,000 of a million
 * textures.
 */
export const sweptParts: readonly string[] = Array.from({ length: 256 }, (_, part) =>
  part.toString(16).padStart(2, "0"),
);
/**
 * Rows that are removed in one transaction, and files that are deleted one after the other. The next sweep
 * continues.
 */
const removedAtOnceMax = 500;
/** Files that are compared with their rows by one statement. */
const comparedAtOnce = 100;

/**
 * Removes rows of a part that neither skin nor cape refers to, with their files. Returns how many they were.
 * Fails when a file cannot be removed.
 */
export async function sweepRows(deps: TextureDeps, part: string): Promise<number> {
  const unused = await deps.reads.textures.listUnusedTextures(part, removedAtOnceMax);
  if (unused.length === 0) return 0;
  const freed = await deps.transact(system, (tx) => releaseTextures(deps, tx, unused));
  if (deps.blobs.lingerSeconds === 0) for (const file of freed) await deps.blobs.delete(file);
  return freed.length;
}

/** What a step through the files did, and where the next one begins; null: it was the last one. */
export type FileSweep = { readonly removed: number; readonly next: string | null };

/**
 * Removes the files of one page that no row names and that are older than any upload takes. Fails when one
 * cannot be removed, and with unavailable.
 */
export async function sweepFiles(deps: TextureDeps, after: string | null): Promise<FileSweep> {
  const { files, next } = await deps.blobs.list(after);
  let removed = 0;
  for (let start = 0; start < files.length; start += comparedAtOnce) {
    const some = files.slice(start, start + comparedAtOnce);
    for (const { file } of await listStranded(deps, some)) {
      await deps.blobs.delete(file);
      removed += 1;
    }
    await yieldToEventLoop();
  }
  return { removed, next };
}

async function listStranded(
  { reads, blobs, clock }: TextureDeps,
  files: readonly ListedBlob[],
): Promise<readonly ListedBlob[]> {
  const named = await namesAmong(
    reads,
    files.map(({ file }) => file),
  );
  const latest = clock.nowSeconds() - blobs.strandedSeconds;
  const stranded: ListedBlob[] = [];
  for (const one of files) {
    if (named.has(one.file)) continue;
    const storedAt = await one.storedAt();
    if (storedAt !== null && storedAt <= latest) stranded.push(one);
  }
  return stranded;
}

/**
 * Deletes files whose rows have been gone for as long as the store lets files linger. Returns how many they
 * were.
 */
export async function deleteDropped(deps: TextureDeps): Promise<number> {
  const { reads, blobs, clock, transact } = deps;
  const until = clock.nowSeconds() - blobs.lingerSeconds;
  const due = await reads.textures.listDroppedFiles(until, removedAtOnceMax);
  if (due.length === 0) return 0;
  const named = await namesAmong(reads, due);
  for (const file of due) if (!named.has(file)) await blobs.delete(file);
  await transact(system, ({ textures }) => textures.deleteDroppedFiles(due));
  return due.length;
}

/** Those of the files that a row names. */
async function namesAmong(
  { textures }: TextureDeps["reads"],
  files: readonly TextureFile[],
): Promise<ReadonlySet<TextureFile>> {
  return new Set(await textures.listTextureFiles(files.map(hashOfFile)));
}
