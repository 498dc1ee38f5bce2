import { PlainError } from "../../kernel/errors.ts";
import {
  exportedKinds,
  exportedName,
  exportLineBytesMax,
  fitsExported,
  parseExported,
  type ExportEntry,
} from "../model/export-format.ts";
import type { Archives, Chunks, IncomingEntry, Sealing, Sum } from "../ports/backup-ports.ts";
import type { UnpackedExport } from "../ports/export-ports.ts";
import { exportAuthenticatedText, parseExportManifest, type ExportManifest } from "./export-manifest.ts";

/** Receives the content of an export. Each content is read to its end, or the export is refused. */
type ExportVisitor = {
  readonly keep: (entry: ExportEntry, content: Chunks) => Promise<void>;
};

type Found = {
  readonly files: Record<string, Sum>;
  readonly rows: Map<string, number>;
  readonly textures: { count: number; bytes: number; readonly hasher: Bun.CryptoHasher };
};

/**
 * Reads an export from its first entry to its last and compares all of it with its manifest. Fails with
 * invalid for a file that is damaged, incomplete, larger than it says or not an export, and with conflict for
 * one of a newer version.
 */
export async function readExport(
  entries: AsyncIterable<IncomingEntry>,
  visitor: ExportVisitor,
): Promise<ExportManifest> {
  const textures = { count: 0, bytes: 0, hasher: new Bun.CryptoHasher("sha256") };
  const found: Found = { files: {}, rows: new Map(), textures };
  let manifest: ExportManifest | null = null;
  let isFirst = true;
  for await (const entry of entries) {
    const part = parseExported(entry.name);
    if (isFirst && part?.kind !== "readme") return refuse("it is not an export of cloakroom");
    if (part === null) return refuse(`no export has an entry ${JSON.stringify(entry.name)}`);
    if (!fitsExported(part, entry.bytes)) return refuse(`its entry ${entry.name} is too large`);
    if (manifest !== null) return refuse("something follows its manifest");
    if (part.kind === "manifest")
      manifest = parseExportManifest(Buffer.concat(await Array.fromAsync(entry.content)).toString("utf8"));
    else await take(part, entry, { found, visitor });
    isFirst = false;
  }
  if (manifest === null) return refuse("it is incomplete: its manifest is missing");
  compare(manifest, found);
  return manifest;
}

async function take(
  part: ExportEntry,
  entry: IncomingEntry,
  { found, visitor }: { readonly found: Found; readonly visitor: ExportVisitor },
): Promise<void> {
  const name = exportedName(part);
  if (Object.hasOwn(found.files, name)) return refuse(`its entry ${name} comes twice`);
  const hasher = new Bun.CryptoHasher("sha256");
  const lines = { count: 0 };
  await visitor.keep(part, hashed(entry.content, hasher, lines));
  const sum: Sum = { bytes: entry.bytes, sha256: hasher.digest("hex") };
  if (part.kind === "texture") {
    if (sum.sha256 !== part.digest) return refuse(`its entry ${name} is not what its name says`);
    found.textures.count += 1;
    found.textures.bytes += sum.bytes;
    found.textures.hasher.update(`${part.digest}\n`);
    return;
  }
  found.files[name] = sum;
  if (part.kind === "lines") found.rows.set(part.of, lines.count);
}

function compare(manifest: ExportManifest, { files, rows, textures }: Found): void {
  const { count, bytes, sha256 } = manifest.textures;
  const areSame = textures.count === count && textures.bytes === bytes;
  if (!areSame || textures.hasher.digest("hex") !== sha256)
    return refuse("its textures are not what was put in");
  for (const name of new Set([...Object.keys(manifest.files), ...Object.keys(files)])) {
    const [wanted, is] = [manifest.files[name], files[name]];
    if (wanted === undefined || wanted.bytes !== is?.bytes || wanted.sha256 !== is.sha256)
      return refuse(`its entry ${name} is not what was put in`);
  }
  for (const kind of exportedKinds) {
    if (rows.get(kind) !== manifest.counts[kind])
      return refuse(`${kind}.jsonl has not as many lines as its manifest says`);
  }
}

async function* hashed(content: Chunks, hasher: Bun.CryptoHasher, lines: { count: number }): Chunks {
  for await (const chunk of content) {
    hasher.update(chunk);
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) lines.count += 1;
    yield chunk;
  }
}

const lineEnd = 10;

type UnpackDeps = {
  readonly archives: Archives;
  readonly sealing: Sealing;
  /** Opens a place for the content. */
  readonly open: () => UnpackedExport;
  readonly signal: AbortSignal;
};

/** A verified export, and what its manifest says. */
export type OpenedExport = Disposable & {
  readonly manifest: ExportManifest;
  readonly content: UnpackedExport;
  /** The lines of sealed parts, opened one part at a time; null: there is no part of this number. */
  readonly unsealed: (number: number) => Promise<readonly string[] | null>;
};

/** `isForIt`: it was given for this export, which then has to prove that it was made with it. */
export type ExportPassphrase = { readonly passphrase: string | null; readonly isForIt: boolean };

/**
 * Reads the archive at a path once to verify it, and again to unpack it. With its passphrase it is also
 * verified that it was not changed since. Fails as `readExport` does, with invalid when sealed hashes lack
 * their passphrase or the passphrase is another one, and with no_space.
 */
export async function openExport(
  deps: UnpackDeps,
  path: string,
  { passphrase, isForIt }: ExportPassphrase,
): Promise<OpenedExport> {
  let bytes = 0;
  const announced = await readExport(deps.archives.read(path), {
    keep: async (_, chunks) => {
      for await (const chunk of chunks) {
        deps.signal.throwIfAborted();
        bytes += chunk.length;
      }
    },
  });
  await requireAuthentic(deps.sealing, announced, { passphrase, isForIt });
  const content = deps.open();
  try {
    const free = await content.space();
    if (free !== null && bytes > free)
      throw new PlainError("no_space", `unpacked it takes ${bytes} bytes, and ${free} are free`);
    const manifest = await readExport(deps.archives.read(path), {
      keep: (entry, chunks) => unpack(content, entry, chunks),
    });
    if (exportAuthenticatedText(manifest) !== exportAuthenticatedText(announced))
      throw new PlainError("invalid", "it was changed while it was read");
    const unsealed = (number: number) => openPart(deps.sealing, content, { number, passphrase });
    return { manifest, content, unsealed, [Symbol.dispose]: () => content[Symbol.dispose]() };
  } catch (error) {
    content[Symbol.dispose]();
    throw error;
  }
}

async function requireAuthentic(
  sealing: Sealing,
  manifest: ExportManifest,
  { passphrase, isForIt }: ExportPassphrase,
): Promise<void> {
  const { mac, hashes } = manifest;
  const isSealed = hashes === "sealed";
  if (passphrase === null) {
    if (!isSealed) return;
    throw new PlainError(
      "invalid",
      "its hashes of passwords are encrypted: give the passphrase (BACKUP_PASSPHRASE or --passphrase-stdin)",
    );
  }
  if (mac === null) {
    if (!isSealed && !isForIt) return;
    throw new PlainError(
      "invalid",
      "nothing in it shows whether it was changed: it was made without a passphrase, or its code was removed",
    );
  }
  if (await sealing.isAuthentic(exportAuthenticatedText(manifest), mac, passphrase)) return;
  throw new PlainError(
    "invalid",
    "the passphrase is not the one that it was made with, or it was changed since",
  );
}

/** Lines that are written in one step. */
const unpackedLines = 1000;

async function unpack(content: UnpackedExport, entry: ExportEntry, chunks: Chunks): Promise<void> {
  if (entry.kind !== "lines") {
    const bytes = Buffer.concat(await Array.fromAsync(chunks));
    if (!content.putFile(exportedName(entry), bytes))
      return refuse(`its entry ${exportedName(entry)} comes twice`);
    return;
  }
  let lines: string[] = [];
  for await (const line of linesOf(chunks)) {
    lines.push(line);
    if (lines.length < unpackedLines) continue;
    content.putLines(entry.of, lines);
    lines = [];
  }
  content.putLines(entry.of, lines);
}

async function* linesOf(chunks: Chunks): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd, from)) {
      yield rest.toString("utf8", from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
    if (rest.length > exportLineBytesMax) refuse("a line in it is too long");
  }
  if (rest.length > 0) refuse("its last line has no end");
}

async function openPart(
  sealing: Sealing,
  content: UnpackedExport,
  { number, passphrase }: { readonly number: number; readonly passphrase: string | null },
): Promise<readonly string[] | null> {
  const sealed = content.file(exportedName({ kind: "sealed", number }));
  if (sealed === null || passphrase === null) return null;
  const plain = await sealing.open(sealed, passphrase);
  if (plain === null) return refuse("the passphrase does not open its hashes of passwords");
  return Buffer.from(plain).toString("utf8").split("\n").slice(0, -1);
}

function refuse(reason: string): never {
  throw new PlainError("invalid", reason);
}
