import { PlainError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { checkMark, parseManifest, textureHasher, type Manifest } from "./manifest.ts";
import { type Sum } from "../ports/backup-ports.ts";
import { fits, nameOf, parsePart, type BackupEntry } from "../model/backup-entries.ts";
import type { Chunks, IncomingEntry } from "../ports/backup-ports.ts";

/** Receives the content of a backup. Each content is read to its end, or the backup is refused. */
export type BackupVisitor = {
  /** Called with the size of a listed part before its content is read. */
  readonly announce?: (bytes: number) => void;
  /** Gets a part that the manifest lists. An error that it throws ends the reading. */
  readonly keep: (part: BackupEntry, content: Chunks) => Promise<void>;
  /** Gets every texture's hash and hex SHA-256, after its content was read. */
  readonly sawTexture?: (hash: TextureHash, sha256: string) => void;
};

/** What was read, for the comparison with the manifest. */
type Found = {
  database: Sum | null;
  readonly files: Record<string, Sum>;
  readonly textures: { count: number; bytes: number; readonly hasher: ReturnType<typeof textureHasher> };
  lastHash: string;
};

/**
 * Reads a backup from its first entry to its last and compares all of it with its manifest. Fails with
 * invalid for a file that is damaged, incomplete or not a backup, and with conflict for a backup of a newer
 * version. Textures come in ascending order, so no texture can come twice.
 */
export async function readBackup(
  entries: AsyncIterable<IncomingEntry>,
  visitor: BackupVisitor,
): Promise<Manifest> {
  const textures = { count: 0, bytes: 0, hasher: textureHasher() };
  const found: Found = { database: null, files: {}, textures, lastHash: "" };
  let manifest: Manifest | null = null;
  let isFirst = true;
  for await (const entry of entries) {
    const part = parsePart(entry.name);
    if (isFirst !== (part?.kind === "mark")) return refuse("it is not a backup of cloakroom");
    if (part === null) return refuse(`no backup has an entry ${JSON.stringify(entry.name)}`);
    if (!fits(part, entry.bytes)) return refuse(`its entry ${entry.name} is too large`);
    if (manifest !== null) return refuse("something follows its manifest");
    if (part.kind === "mark") checkMark(await textOf(entry.content));
    else if (part.kind === "manifest") manifest = parseManifest(await textOf(entry.content));
    else await take(part, entry, { found, visitor });
    isFirst = false;
  }
  if (manifest === null) return refuse("it is incomplete: its manifest is missing");
  compare(manifest, found);
  return manifest;
}

async function take(
  part: BackupEntry,
  entry: IncomingEntry,
  { found, visitor }: { readonly found: Found; readonly visitor: BackupVisitor },
): Promise<void> {
  const name = nameOf(part);
  const before =
    part.kind === "texture" ? name <= found.lastHash : part.kind === "database" && found.database !== null;
  if (before || Object.hasOwn(found.files, name))
    return refuse(`its entry ${name} comes twice or out of order`);
  visitor.announce?.(entry.bytes);
  const hasher = new Bun.CryptoHasher("sha256");
  await visitor.keep(part, hashed(entry.content, hasher));
  const sum: Sum = { bytes: entry.bytes, sha256: hasher.digest("hex") };
  if (part.kind === "database") found.database = sum;
  else if (part.kind !== "texture") found.files[name] = sum;
  else {
    found.lastHash = name;
    found.textures.count += 1;
    found.textures.bytes += sum.bytes;
    found.textures.hasher.add(part.hash, sum.sha256);
    visitor.sawTexture?.(part.hash, sum.sha256);
  }
}

function compare(manifest: Manifest, { database, files, textures }: Found): void {
  const { count, bytes, sha256 } = manifest.textures;
  if (database === null || !isSame(manifest.database, database))
    return refuse("its database is not what was put in");
  const areSame = sha256 === null || textures.hasher.digest() === sha256;
  if (textures.count !== count || textures.bytes !== bytes || !areSame)
    return refuse("its textures are not what was put in");
  for (const name of new Set([...Object.keys(manifest.files), ...Object.keys(files)])) {
    if (!isSame(manifest.files[name], files[name])) return refuse(`its entry ${name} is not what was put in`);
  }
}

function isSame(a: Sum | undefined, b: Sum | undefined): boolean {
  return a !== undefined && a.bytes === b?.bytes && a.sha256 === b.sha256;
}

async function* hashed(content: Chunks, hasher: Bun.CryptoHasher): Chunks {
  for await (const chunk of content) {
    hasher.update(chunk);
    yield chunk;
  }
}

/** Resolves to all of a small content. */
async function textOf(content: Chunks): Promise<string> {
  return Buffer.concat(await Array.fromAsync(content)).toString("utf8");
}

function refuse(reason: string): never {
  throw new PlainError("invalid", reason);
}
