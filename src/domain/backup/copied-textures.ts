import { AppError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import type { DatabaseCopy } from "../ports/backup-ports.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { LiveTextureRows, TextureRow } from "../ports/texture-files.ts";
import { readTexture } from "../textures/stored-file.ts";
import type { Progress } from "./progress.ts";

/** What the textures of a copy are read with. */
export type CopiedTextures = {
  /** A fresh copy, made while others wrote to the live database. */
  readonly copy: DatabaseCopy;
  /** The live database's current rows. */
  readonly live: Pick<LiveTextureRows, "findTexture">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/**
 * A file and its row are read one after the other. More changes in between than this happen only on purpose.
 */
const attemptsMax = 3;

/**
 * The textures of a copy with their files, by hash, read while others change the live community. What is
 * deleted meanwhile is deleted in the copy, too. Fails with unavailable when the store does not answer.
 */
export async function* soundTextures(
  deps: CopiedTextures,
): AsyncGenerator<{ readonly hash: TextureHash; readonly digest: string; readonly png: Uint8Array }> {
  let read = 0;
  for (const row of deps.copy.textures()) {
    deps.signal.throwIfAborted();
    const texture = await soundTexture(deps, row);
    deps.progress("reading", ++read, null);
    if (texture !== null) yield { hash: row.hash, ...texture };
  }
}

/**
 * Resolves to the file of the copy's row and its SHA-256; null when there is no sound file. A skin or cape
 * that is deleted meanwhile takes its file with it: it is then deleted in the copy too, as if the backup had
 * been made a moment later. The same bitmap may return meanwhile as other bytes: the copy's row then gets
 * their digest. Fails with unavailable when the store does not answer: a backup without its textures is none.
 */
async function soundTexture(
  { copy, live, blobs }: CopiedTextures,
  row: TextureRow,
): Promise<{ readonly png: Uint8Array; readonly digest: string } | null> {
  const { hash, digest } = row;
  let expected = row;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    // An unreadable file counts as lost like a missing one: neither prevents the backup of the others.
    const png = await readTexture(blobs, expected).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === "unavailable") throw error;
      return "unreadable" as const;
    });
    if (typeof png !== "string") {
      if (expected.digest !== digest) copy.setDigest(hash, expected.digest);
      return { png, digest: expected.digest };
    }
    const now = await live.findTexture(hash);
    if (now === null) {
      copy.forgetTexture(hash);
      return null;
    }
    expected = now;
  }
  return null;
}

/** Counts the rows without a sound file. They stay in the backup as they are. */
export function lostRows(copy: DatabaseCopy, sound: number): number {
  let rows = 0;
  for (const _ of copy.textures()) rows += 1;
  return rows - sound;
}
