import { AppError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { parseTextureName, type SkinModel } from "../model/texture.ts";
import type { Decided } from "../model/import-plan.ts";
import type { IncomingTexture } from "../ports/pictures.ts";
import type { BookTexture } from "../ports/plan-book.ts";
import { downscale } from "../textures/downscale.ts";
import { pagesOf, type Planning } from "./planning.ts";

/** Files that are read and checked at once: as many as the importer takes of small ones. */
const atOnce = 4;
/** Their encoded bitmaps are in memory together. */
const texturesOfPage = 64;
/** The share of the importer's time that an import has is one client's. */
const client = "import";

/** A texture that was read: its files, and what the book keeps of it. */
type Read = {
  readonly files: readonly IncomingTexture[];
  readonly bitmap: NonNullable<BookTexture["bitmap"]>;
};

/**
 * Reads, checks and encodes every texture that comes, once. One that is missing, broken or banned here does
 * not come; its account does.
 */
export async function planTextures(planning: Planning): Promise<{ readonly skipped: number }> {
  const { book, reads, progress } = planning;
  let [done, skipped] = [0, 0];
  for (const page of pagesOf(book.neededTextures, texturesOfPage)) {
    const results = await inParallel(page, (texture) => readTexture(planning, texture));
    const hashes = results.flatMap((result) => (typeof result === "string" ? [] : result.bitmap.hash));
    const banned = await reads.bannedTextures(hashes);
    page.forEach((texture, index) => {
      const result = results[index] ?? missing;
      const reason =
        typeof result === "string" ? result : isBanned(result, banned) ? "it is banned here" : "";
      if (typeof result === "string" || reason !== "") {
        skipped += 1;
        return book.setTexture(texture.n, { state: "skipped", reason });
      }
      for (const file of result.files) book.putBitmap(file);
      book.setTexture(texture.n, {
        bitmap: result.bitmap,
        cape: capeOf(planning, texture, result.bitmap.hash),
      });
    });
    done += page.length;
    await progress("reading textures", done, null);
  }
  for (const page of pagesOf(book.capeTextures)) for (const texture of page) decideCape(planning, texture);
  return { skipped };
}

const missing = "its file is missing";

function isBanned({ files }: Read, banned: ReadonlySet<TextureHash>): boolean {
  return files.some(({ texture }) => banned.has(texture.hash));
}

async function readTexture(planning: Planning, { source: texture }: BookTexture): Promise<Read | string> {
  const { source, importer, rules } = planning;
  try {
    const found = await source.readTexture(texture, rules.settings.bytesMax);
    if (found === null) return missing;
    const file = rules.downscales ? await downscale(found, rules.settings) : found;
    if (texture.kind === "skin") {
      const skin = await readSkin(importer, file, texture.model);
      return { files: [skin], bitmap: bitmapOf(skin, skin.model, null) };
    }
    const cape = await importer.cape(file, client);
    const wings = cape.wings === null ? [] : [cape.wings];
    return { files: [cape, ...wings], bitmap: bitmapOf(cape, null, cape.wings) };
  } catch (cause) {
    if (cause instanceof AppError && isAboutFile(cause)) return cause.message;
    throw cause;
  }
}

function bitmapOf({ texture }: IncomingTexture, model: SkinModel | null, wings: IncomingTexture | null) {
  const { hash, width, height } = texture;
  return { hash, model, wings: wings?.texture.hash ?? null, isLegacy: height < width };
}

/** What is wrong with the file alone; anything else ends the plan. */
function isAboutFile({ kind }: AppError): boolean {
  return kind === "invalid" || kind === "too_large" || kind === "unsupported_type";
}

/** A skin of 64x32 pixels has classic arms, whatever is said of it. */
async function readSkin(importer: Planning["importer"], file: Uint8Array, declared: SkinModel | null) {
  try {
    return await importer.skin(file, declared, client);
  } catch (cause) {
    if (declared !== "slim" || !(cause instanceof AppError) || cause.kind !== "invalid") throw cause;
    return importer.skin(file, "classic", client);
  }
}

/** The cape that a texture becomes: its own, or the one of an earlier texture of the same bitmap. */
function capeOf({ book }: Planning, texture: BookTexture, hash: TextureHash): string | null {
  if (texture.source.kind !== "cape") return null;
  if (texture.source.ownCape !== undefined) return texture.source.key;
  const owner = book.claim("cape", hash, texture.n);
  if (owner === null) return texture.source.key;
  return book.bookTextures([owner])[0]?.source.key ?? texture.source.key;
}

function decideCape(planning: Planning, texture: BookTexture): void {
  const { source, cape } = texture;
  const decided = decisionOf(planning, texture);
  const to = decided.decision === "merge" ? cape : null;
  planning.book.decide({ kind: "cape", source: source.key, from: source.name, to, ...decided });
  if (decided.decision === "create") putCape(planning, texture);
}

function decisionOf(
  { rules }: Planning,
  { bitmap, source, cape, state, reason }: BookTexture,
): Pick<Decided, "decision" | "reason"> {
  if (state === "here") return { decision: "match", reason: "" };
  if (state === "gone") return { decision: "keep", reason: "it was deleted here" };
  if (state === "skipped") return { decision: "skip", reason };
  if (rules.capes === "skip") return { decision: "skip", reason: "left out, as --capes says" };
  if (bitmap === null) return { decision: "skip", reason: "no account that comes has it" };
  if (cape !== source.key) return { decision: "merge", reason: "another cape there has the same picture" };
  return { decision: "create", reason: "" };
}

function putCape({ book, now }: Planning, { bitmap, source }: BookTexture): void {
  if (bitmap === null) return;
  book.putCape({
    key: source.key,
    also: book.capeDoubles(source.key),
    texture: bitmap.hash,
    wings: bitmap.wings,
    name: textureName(source.name) ?? "Cape",
    createdAt: Math.min(source.createdAt ?? now, now),
    ...(source.ownCape && { own: source.ownCape }),
  });
}

/** A name as textures may have one; null where nothing is left of it. */
export function textureName(text: string | null): string | null {
  if (text === null) return null;
  try {
    return parseTextureName(Array.from(text.normalize("NFC").trim()).slice(0, 64).join(""));
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return null;
  }
}

/** The results in the order of the items, some of which are worked on at a time. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
