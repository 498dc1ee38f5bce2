import { AppError } from "../../kernel/errors.ts";
import type { CapeId } from "../../kernel/ids.ts";
import type { Cape } from "../model/texture.ts";
import { system } from "../model/actor.ts";
import type { IncomingTexture, TextureImporter } from "../ports/pictures.ts";
import { dropFiles, releaseTextures, withTextures, type TextureDeps } from "./files.ts";
import { readTexture } from "./stored-file.ts";

/*
 * A cape's wings are taken out of its file when it comes in. Capes from before that was done, and those whose
 * wings a backup could not find, are searched here. A file that is missing or damaged waits for the next
 * start: `fsck` restores it.
 */

/** Capes that are read and searched in one run: large ones take some 100 ms of a thread each. */
const searchedAtOnceMax = 10;

type SeekDeps = TextureDeps & { readonly importer: Pick<TextureImporter, "wings"> };

/**
 * What a run did: how many capes it searched, those whose files it could not read, and the last cape of both.
 */
export type WingsRun = {
  readonly searched: number;
  readonly unreadable: readonly Cape[];
  /** Null: there were no more. */
  readonly last: CapeId | null;
};

/**
 * Searches the files of the next capes after this one that were not searched for wings yet, and keeps their
 * wings.
 */
export async function seekWings(deps: SeekDeps, after: CapeId | null): Promise<WingsRun> {
  const capes = await deps.reads.textures.listUnsearchedCapes(after, searchedAtOnceMax);
  const unreadable: Cape[] = [];
  for (const cape of capes) {
    const wings = await findWings(deps, cape);
    if (wings === "unreadable") unreadable.push(cape);
    else await keepWings(deps, cape, wings);
  }
  return { searched: capes.length - unreadable.length, unreadable, last: capes.at(-1)?.id ?? null };
}

/**
 * Fails with limited where too many textures are being imported, and with unavailable where files are not to
 * be had: the next run tries again.
 */
async function findWings(
  { blobs, importer }: SeekDeps,
  { texture }: Cape,
): Promise<IncomingTexture | "unreadable" | null> {
  const png = await readTexture(blobs, texture).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    return "damaged" as const;
  });
  if (typeof png === "string") return "unreadable";
  return importer.wings({ ...texture, png }, system.name).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === "limited") throw error;
    return "unreadable" as const;
  });
}

async function keepWings(deps: SeekDeps, { id }: Cape, wings: IncomingTexture | null): Promise<void> {
  const hash = wings?.texture.hash ?? null;
  // Staff may have banned the bitmap as a skin: such a cape goes on without wings.
  if (wings === null || hash === null || (await deps.reads.textures.findBan(hash)) !== null) {
    await deps.transact(system, ({ textures }) => textures.setWings(id, null));
    return;
  }
  const freed = await withTextures(deps, system, [wings], async (tx) => {
    const isThere = await tx.textures.setWings(id, hash);
    // The cape was deleted meanwhile.
    return isThere ? [] : releaseTextures(deps, tx, [hash]);
  });
  await dropFiles(deps, freed);
}
