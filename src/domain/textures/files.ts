import { refusals } from "../model/refusals.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TextureFile, TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Texture, TextureFacts } from "../model/texture.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { IncomingTexture } from "../ports/pictures.ts";
import type { Reads } from "../ports/stores.ts";
import type { TextureStore } from "../ports/texture-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { readTexture } from "./stored-file.ts";

/*
 * How files and rows stay together: a file is stored, under a name of its own, before the transaction whose
 * row names it, and is deleted after the transaction that removes that row. A name is used once, so whatever
 * comes late concerns no other row. A crash can leave a file without a row, never a row without its file.
 */

/** What changes of textures need: rows and files. */
export type TextureDeps = {
  readonly reads: Pick<Reads, "textures">;
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly clock: Clock;
};

/** How often an upload stores its files, because rows that it found were deleted before its transaction. */
const attemptsMax = 3;

/**
 * Stores the textures' files, then runs the work in a transaction in which the textures have their rows.
 * Every texture comes in here, so a banned bitmap is refused here: with invalid. A bitmap that has a row
 * keeps its file, unless that is missing or damaged. Fails with no_space and unavailable where files cannot
 * be stored, and with conflict when the bitmap is deleted again and again meanwhile.
 */
export async function withTextures<T>(
  deps: TextureDeps,
  actor: Actor,
  incoming: readonly IncomingTexture[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const stored = await storeFiles(deps, incoming);
    const put = stored.flatMap(({ file }) => file ?? []);
    const done = await deps
      .transact(actor, async (tx) => {
        const kept = await keepRows(deps, tx, stored);
        return kept && { ...kept, value: await work(tx) };
      })
      .catch(async (error: unknown) => {
        // After any other fault it is unknown whether the rows are there. The sweep finds out.
        if (error instanceof AppError && error.kind !== "unavailable") await discardFiles(deps, put);
        throw error;
      });
    await discardFiles(
      deps,
      put.filter((file) => done?.named.includes(file) !== true),
    );
    if (done === null) continue;
    await dropFiles(deps, done.replaced);
    return done.value;
  }
  throw refusals.pictureVanishes();
}

/** A texture on its way into the database. */
type StoredTexture = {
  readonly texture: TextureFacts;
  /** The file that was stored for it; null: a row has one. */
  readonly file: TextureFile | null;
  /** When it began to be stored. */
  readonly at: number;
  /**
   * The file of the row that was found, which is missing or damaged; null: there was no row, or its file is
   * sound.
   */
  readonly lost: TextureFile | null;
};

/** Stores them at the same time. When one cannot be stored, the others go again. */
async function storeFiles(
  deps: TextureDeps,
  incoming: readonly IncomingTexture[],
): Promise<readonly StoredTexture[]> {
  const stored = await Promise.allSettled(incoming.map((one) => storeFile(deps, one)));
  const [refusal] = stored.flatMap((one) => (one.status === "rejected" ? [one] : []));
  const done = stored.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (refusal === undefined) return done;
  await discardFiles(
    deps,
    done.flatMap(({ file }) => file ?? []),
  );
  throw refusal.reason;
}

async function storeFile(
  { reads, blobs, clock }: TextureDeps,
  { png, texture }: IncomingTexture,
): Promise<StoredTexture> {
  const at = clock.nowSeconds();
  const known = await reads.textures.findTexture(texture.hash);
  // An earlier release encoded the same picture as other bytes. Its file stays.
  const isKept = known !== null && (known.digest !== texture.digest || (await isSound(blobs, known)));
  if (isKept) return { texture, file: null, at, lost: null };
  const file = await blobs.put(texture.hash, png);
  return { texture, file, at, lost: known?.file ?? null };
}

/** Whether the row's file is there and whole. Fails with unavailable where that cannot be found out. */
export async function isSound(
  blobs: Pick<BlobStore, "read">,
  texture: Pick<Texture, "file" | "digest">,
): Promise<boolean> {
  const found = await readTexture(blobs, texture).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    return "unreadable" as const;
  });
  return typeof found !== "string";
}

/** Files that rows name now, and files that rows named until now. */
type KeptRows = { readonly named: readonly TextureFile[]; readonly replaced: readonly TextureFile[] };

/**
 * Within the transaction: another process's ban is committed before it or after it, never in between. Null,
 * with nothing changed, when a row has gone that was there before, and when a file waited for so long that a
 * sweep may have removed it.
 */
async function keepRows(
  deps: TextureDeps,
  tx: Tx,
  stored: readonly StoredTexture[],
): Promise<KeptRows | null> {
  const { textures, now } = tx;
  for (const { texture, file, at } of stored) {
    const { hash } = texture;
    if ((await textures.findBan(hash)) !== null) throw refusals.pictureBanned();
    const isGone = file === null && (await textures.findTexture(hash)) === null;
    if (isGone || now - at > limits.uploadSecondsMax / 2) return null;
  }
  const named: TextureFile[] = [];
  const replaced: TextureFile[] = [];
  for (const { texture, file, lost } of stored) {
    if (file === null) continue;
    const row = await textures.findTexture(texture.hash);
    if (row === null) await textures.insertTexture({ ...texture, file, createdAt: now });
    else if (row.file === lost) replaced.push(await replaceFile(deps, tx, row, file));
    else continue;
    named.push(file);
  }
  return { named, replaced };
}

/**
 * Within a transaction: makes the row name this file, which holds the same bytes, and returns the one that it
 * named.
 */
export async function replaceFile(
  deps: StoreDeps,
  tx: Tx,
  row: Texture,
  file: TextureFile,
): Promise<TextureFile> {
  await tx.textures.setTextureFile(row.hash, file);
  await queueFiles(deps, tx, [row.file]);
  return row.file;
}

type StoreDeps = Pick<TextureDeps, "blobs">;

/**
 * Within a transaction: removes those of these rows that nothing refers to any more, and returns their files,
 * for `dropFiles` after the commit.
 */
export async function releaseTextures(
  deps: StoreDeps,
  tx: Pick<Tx, "now"> & { readonly textures: TextureStore },
  hashes: readonly TextureHash[],
): Promise<readonly TextureFile[]> {
  const freed: TextureFile[] = [];
  for (const hash of new Set(hashes)) {
    const file = await tx.textures.deleteTextureIfUnused(hash);
    if (file !== null) freed.push(file);
  }
  await queueFiles(deps, tx, freed);
  return freed;
}

/** Within a transaction: keeps the names of files that stay for a while. */
async function queueFiles(
  { blobs: { lingerSeconds } }: StoreDeps,
  { textures, now }: Parameters<typeof releaseTextures>[1],
  files: readonly TextureFile[],
): Promise<void> {
  if (lingerSeconds > 0) await textures.insertDroppedFiles(files, now);
}

/**
 * After that transaction: removes the files, unless the store lets them linger. It never fails, because the
 * change is committed and its answer must say so: the sweep removes what cannot be removed now, or reports
 * it.
 */
export async function dropFiles(deps: StoreDeps, files: readonly TextureFile[]): Promise<void> {
  if (deps.blobs.lingerSeconds === 0) await discardFiles(deps, files);
}

/** Removes files that no row names. Those that cannot be removed now wait for the sweep. */
export async function discardFiles({ blobs }: StoreDeps, files: readonly TextureFile[]): Promise<void> {
  await Promise.allSettled(files.map((file) => blobs.delete(file)));
}
