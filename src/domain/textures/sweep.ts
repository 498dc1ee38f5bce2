import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import { system } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import { deleteFiles, releaseTextures, type TextureDeps } from "./files.ts";

type Deps = TextureDeps & { readonly reads: Reads; readonly clock: Clock };

/** A file of a running upload, which no row names yet, is minutes old at most. */
export const restSeconds = 60 * 60;
/** All textures in 256 parts, by the first two digits of their hashes; a part has some 4,000 of a million textures. */
export const sweptParts: readonly string[] = Array.from({ length: 256 }, (_, part) =>
  part.toString(16).padStart(2, "0"),
);
/** Rows that are removed in one transaction; the next sweep goes on. */
const removedAtOnceMax = 500;
/** Files that are compared with their rows before others have the event loop, some microseconds each. */
const comparedAtOnce = 100;

/**
 * Removes what is left of a part of the textures: rows that neither skin nor cape refers to, with their files, and files that
 * are older than an hour and have no row, as a killed process leaves them. Deletions remove both by themselves; the sweep is
 * the net below them. Returns the number of textures that it removed. Fails when a file cannot be removed.
 */
export async function sweepTextures(deps: Deps, part: string): Promise<number> {
  const { textures } = deps.reads;
  // First, because the mark of a killed upload holds its file.
  await deps.blobs.removeLeftovers();
  const unused = await textures.listUnusedTextures(part, removedAtOnceMax);
  const freed =
    unused.length === 0 ? [] : await deps.transact(system, (tx) => releaseTextures(tx.textures, unused));
  const orphans = await listOrphans(deps, part);
  const removed = [...new Set([...freed, ...orphans])];
  await deleteFiles(deps, removed);
  return removed.length;
}

async function listOrphans({ reads, blobs, clock }: Deps, part: string) {
  const orphans = [];
  for (const [index, hash] of (await blobs.list(part)).entries()) {
    if (index % comparedAtOnce === comparedAtOnce - 1) await yieldToEventLoop();
    if ((await reads.textures.findTexture(hash)) !== null) continue;
    const publishedAt = await blobs.publishedAt(hash);
    if (publishedAt !== null && publishedAt <= clock.nowSeconds() - restSeconds) orphans.push(hash);
  }
  return orphans;
}
