import { openTextureSource, type TextureSource } from "../../boot/textures.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import { readTexture } from "../../domain/textures/stored-file.ts";
import { AppError } from "../../kernel/errors.ts";
import { inDatabase, type RowReads } from "./database.ts";
import { ok, problem, reasonOf } from "./finding.ts";
import { checkPlace } from "./place.ts";

/** As many files are read in a second or two, also from a bucket. Up to here all are looked at. */
const sampleMax = 200;
/** Up to here all rows are read for a sample, in some hundredths of a second. */
const shuffledMax = 20_000;

/**
 * Whether the textures are in their place, and some as their rows say. It finds nothing while their bucket
 * does not answer: `checkBucket` says why.
 */
export const checkTextures = inDatabase(async (inspection, { config, folder }) => {
  const textures = await openTextureSource(config, folder);
  const elsewhere = await checkPlace(inspection, textures, config);
  if (elsewhere !== null) return elsewhere;
  const { rows, total } = await sampleTextures(inspection, sampleMax);
  const looked = await lostOf(textures, rows, inspection);
  if (looked === "away") return [];
  const { lost, unreadable } = looked;
  const whole = rows.length < total ? `a sample of ${rows.length} of ${total}` : `${rows.length}`;
  if (lost === 0) return [ok(`${whole} textures checked, all in order`)];
  const message = `${lost} of ${whole} textures are missing or damaged`;
  const remedy = "cloakroom fsck lists and repairs them";
  return unreadable === null
    ? [problem(message, remedy)]
    : [problem(`${message}; ${unreadable}`, `check who owns it; ${remedy}`)];
});

type TextureReads = Pick<RowReads, "countTextures" | "shuffledTextures" | "textureFrom">;

/** Random textures, each once, and how many there are: all of them if they are no more than `most`. */
export async function sampleTextures(
  reads: TextureReads,
  most: number,
): Promise<{ readonly rows: readonly TextureRow[]; readonly total: number }> {
  const total = await reads.countTextures();
  if (total <= shuffledMax) {
    const rows = await reads.shuffledTextures(most);
    // A server may be writing.
    return { rows, total: rows.length < most ? rows.length : Math.max(total, rows.length) };
  }
  const found = new Map<string, TextureRow>();
  // With this many, repeats are unlikely.
  for (let tries = 0; tries < 2 * most && found.size < most; tries++) {
    const row = await textureFrom(reads, randomHash());
    if (row !== null) found.set(row.hash, row);
  }
  return { rows: [...found.values()], total };
}

/** Some textures, one after the other by their hashes, from a random one on: cheap however many there are. */
export async function* nextTextures(
  reads: Pick<TextureReads, "textureFrom">,
  most: number,
): AsyncIterable<TextureRow> {
  let from = randomHash();
  for (let count = 0; count < most; count++) {
    const row = await textureFrom(reads, from);
    if (row === null) return;
    yield row;
    from = `${row.hash}0`;
  }
}

function randomHash(): string {
  return crypto.getRandomValues(Buffer.alloc(32)).toString("hex");
}

/** After the last hash comes the first. */
async function textureFrom(
  reads: Pick<TextureReads, "textureFrom">,
  hash: string,
): Promise<TextureRow | null> {
  return (await reads.textureFrom(hash)) ?? (await reads.textureFrom(""));
}

/**
 * How many textures are lost, and why the first unreadable one cannot be read; `away`: the bucket does not
 * answer.
 */
async function lostOf(
  textures: Pick<TextureSource, "read">,
  rows: readonly TextureRow[],
  reads: TextureReads,
): Promise<{ readonly lost: number; readonly unreadable: string | null } | "away"> {
  let lost = 0;
  let unreadable: string | null = null;
  for (const row of rows) {
    const found = await readTexture(textures, row).catch((cause: unknown) => {
      if (cause instanceof AppError && cause.kind === "unavailable") return "away" as const;
      unreadable ??= reasonOf(cause);
      return "missing" as const;
    });
    if (found === "away") return found;
    // A server may have deleted it meanwhile.
    if (typeof found === "string" && (await reads.textureFrom(row.hash))?.file === row.file) lost += 1;
  }
  return { lost, unreadable };
}
