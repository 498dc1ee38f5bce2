import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { parseTextureFile, type TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { system } from "../model/actor.ts";
import type { TextureFacts } from "../model/texture.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { IncomingTexture } from "../ports/pictures.ts";
import type { Reads } from "../ports/stores.ts";
import type { TextureStore } from "../ports/texture-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";

/*
 * How files and rows stay together: a file is on disk, and held, before the transaction that names it begins, and it is deleted
 * after its row. No process deletes a file that is held or named. A crash can leave a file without a row, never a row without
 * its file.
 */

/** What changes of textures need: rows and files. */
export type TextureDeps = {
  readonly reads: Pick<Reads, "textures">;
  readonly transact: Transact;
  readonly blobs: BlobStore;
};

/**
 * Stores the textures' files, then runs the work in a transaction in which the textures have their rows. Every texture comes
 * in here, so a banned bitmap is refused here: with invalid. When the transaction fails, files that no row names are removed.
 */
export async function withTextures<T>(
  deps: TextureDeps,
  actor: Actor,
  incoming: readonly IncomingTexture[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    await using held = new AsyncDisposableStack();
    const stored: StoredTexture[] = [];
    for (const one of incoming) stored.push(await storeFile(deps, one, held));
    return await deps.transact(actor, async (tx) => {
      for (const one of stored) await keepRow(tx, one);
      return work(tx);
    });
  } finally {
    // The transaction failed, or a deletion left a file because it was held.
    await dropFiles(
      deps,
      incoming.map(({ texture }) => texture.hash),
    );
  }
}

/** A texture whose file is held. */
type StoredTexture = {
  readonly texture: TextureFacts;
  /** Whether a row names the same picture stored as other bytes, by an earlier release. That file was kept. */
  readonly isNamed: boolean;
};

async function storeFile(
  { reads, blobs }: TextureDeps,
  { png, texture }: IncomingTexture,
  held: AsyncDisposableStack,
): Promise<StoredTexture> {
  const { hash, digest } = texture;
  const staged = held.use(await blobs.stage(png));
  const known = await reads.textures.findTexture(hash);
  const isNamed = known !== null && known.digest !== digest;
  await (isNamed ? staged.hold(hash) : staged.publish(hash));
  return { texture, isNamed };
}

/** Within the transaction: another process's ban is committed before it or after it, never in between. */
async function keepRow({ textures, now }: Tx, { texture, isNamed }: StoredTexture): Promise<void> {
  const { hash } = texture;
  if ((await textures.findBan(hash)) !== null)
    throw new AppError("invalid", "this picture is banned here; choose another one");
  if ((await textures.findTexture(hash)) !== null) return;
  if (isNamed) throw new AppError("conflict", "this picture has just been deleted; send it again");
  const file = parseTextureFile(hash);
  if (file !== null) await textures.insertTexture({ ...texture, file, createdAt: now });
}

/** Within a transaction: removes those of these rows that nothing refers to any more, and returns their hashes. */
export async function releaseTextures(
  textures: TextureStore,
  hashes: readonly TextureHash[],
): Promise<readonly TextureHash[]> {
  const freed: TextureHash[] = [];
  for (const hash of new Set(hashes)) {
    if ((await textures.deleteTextureIfUnused(hash)) !== null) freed.push(hash);
  }
  return freed;
}

/**
 * After that transaction: removes the files of these textures, as `deleteFiles` does. It never fails, because the change is
 * committed and its answer must say so: the sweep removes what cannot be removed now, or reports it.
 */
export async function dropFiles(deps: TextureDeps, hashes: readonly TextureHash[]): Promise<void> {
  await deleteFiles(deps, hashes).catch(() => undefined);
}

/**
 * Removes the files of these textures, except those that a row names or an upload holds. It needs no right: the change may
 * have ended the right of the person who made it.
 */
export async function deleteFiles(
  { reads, blobs, transact }: TextureDeps,
  hashes: readonly TextureHash[],
): Promise<void> {
  for (const hash of hashes) {
    if ((await reads.textures.findTexture(hash)) !== null) continue;
    // A transaction sees what other processes have committed, which the readers' snapshot may not. It also resolves only when
    // all earlier commits are on disk: a power cut must not bring a row back without its file.
    await blobs.delete(hash, () =>
      transact(system, async ({ textures }) => (await textures.findTexture(hash)) !== null),
    );
  }
}

type SweepDeps = TextureDeps & { readonly reads: Reads; readonly clock: Clock };

/** All textures in 256 parts, by the first two digits of their hashes; a part has some 4,000 of a million textures. */
export const sweptParts: readonly string[] = Array.from({ length: 256 }, (_, part) =>
  part.toString(16).padStart(2, "0"),
);
/** Rows that are removed in one transaction. The next sweep continues. */
const removedAtOnceMax = 500;
/** Files that are compared with their rows before the sweep yields to the event loop, some microseconds each. */
const comparedAtOnce = 100;

/**
 * Removes what is left of a part of the textures: rows that neither skin nor cape refers to, with their files, and files that
 * are older than an hour and have no row. Deletions remove both themselves; the sweep removes what killed processes and faults
 * left. Returns the number of textures that it removed. Fails when a file cannot be removed.
 */
export async function sweepTextures(deps: SweepDeps, part: string): Promise<number> {
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

async function listOrphans({ reads, blobs, clock }: SweepDeps, part: string) {
  const orphans = [];
  for (const [index, hash] of (await blobs.list(part)).entries()) {
    if (index % comparedAtOnce === comparedAtOnce - 1) await yieldToEventLoop();
    if ((await reads.textures.findTexture(hash)) !== null) continue;
    const publishedAt = await blobs.publishedAt(hash);
    if (publishedAt !== null && publishedAt <= clock.nowSeconds() - limits.uploadSecondsMax)
      orphans.push(hash);
  }
  return orphans;
}
