import { PlainError } from "../../kernel/errors.ts";
import {
  exportedKinds,
  exportedName,
  exportFormat,
  exportLineBytesMax,
  exportReadme,
  exportVersion,
  type ExportEntry,
} from "../model/export-format.ts";
import type { Archives, Chunks, OutgoingEntry, Sum } from "../ports/backup-ports.ts";
import type { ExportRows } from "../ports/export-ports.ts";
import { sha256Hex } from "../textures/hashes.ts";
import { lostRows, soundTextures, type CopiedTextures } from "./copied-textures.ts";
import { countsOf, exportAuthenticatedText, type ExportManifest } from "./export-manifest.ts";
import { readExport } from "./read-export.ts";

type Deps = CopiedTextures & {
  readonly archives: Archives;
  /** Opens the rows of the copy, from which textures that are gone were removed. */
  readonly openRows: () => ExportRows;
};

/** What an export says of itself, and how it holds hashes of passwords. */
export type ExportContent = {
  readonly program: string;
  /** ISO 8601. */
  readonly created: string;
  readonly withHashes: boolean;
  /** Seals hashes, and makes the manifest's code; null: hashes are not sealed, and there is no code. */
  readonly passphrase: null | {
    readonly seal: (plain: Uint8Array) => Promise<Uint8Array>;
    readonly authenticate: (text: string) => Promise<string>;
  };
};

/**
 * Hashes that are sealed together: some megabytes. To derive the key for each part takes a third of a second.
 */
const sealedLines = 25_000;

/**
 * Writes an export of a copy, then reads it again and compares all of it with its manifest. It takes little
 * memory, however large the community is. Fails with no_space, and with the signal's reason.
 */
export async function writeExport(deps: Deps, path: string, content: ExportContent): Promise<ExportManifest> {
  await deps.archives.write(path, exportEntries(deps, content));
  let seen = 0;
  return await readExport(deps.archives.read(path), {
    keep: async (_, chunks) => {
      deps.progress("verifying", ++seen, null);
      for await (const _chunk of chunks) deps.signal.throwIfAborted();
    },
  });
}

async function* exportEntries(deps: Deps, content: ExportContent): AsyncGenerator<OutgoingEntry> {
  const files: Record<string, Sum> = {};
  const add = (entry: ExportEntry, bytes: Uint8Array): OutgoingEntry => {
    const name = exportedName(entry);
    files[name] = { bytes: bytes.length, sha256: sha256Hex(bytes) };
    return { name, bytes: bytes.length, content: bytes };
  };
  yield add({ kind: "readme" }, Buffer.from(exportReadme()));
  const textures = { count: 0, bytes: 0, lost: 0 };
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const { digest, png } of soundTextures(deps)) {
    textures.count += 1;
    textures.bytes += png.length;
    hasher.update(`${digest}\n`);
    yield { name: exportedName({ kind: "texture", digest }), bytes: png.length, content: png };
  }
  textures.lost = lostRows(deps.copy, textures.count);
  using rows = deps.openRows();
  const counted = new Map<string, number>();
  const isClear = content.withHashes && content.passphrase === null;
  for (const of of isClear ? [...exportedKinds, "passwords" as const] : exportedKinds) {
    const measured = measure(deps, rows, of);
    counted.set(of, measured.rows);
    const name = exportedName({ kind: "lines", of });
    files[name] = measured.sum;
    yield { name, bytes: measured.sum.bytes, content: written(deps, rows, of) };
  }
  if (content.withHashes && content.passphrase !== null)
    for await (const [number, sealed] of sealedParts(rows, content.passphrase.seal))
      yield add({ kind: "sealed", number }, sealed);
  const manifest: ExportManifest = {
    format: exportFormat,
    version: exportVersion,
    program: content.program,
    created: content.created,
    community: sha256Hex(Buffer.from(rows.community)),
    hashes: hashesIn(content),
    counts: countsOf((kind) => counted.get(kind) ?? 0),
    textures: { ...textures, sha256: hasher.digest("hex") },
    files,
    mac: null,
  };
  const mac = (await content.passphrase?.authenticate(exportAuthenticatedText(manifest))) ?? null;
  const text = `${JSON.stringify({ ...manifest, mac }, null, 2)}\n`;
  const name = exportedName({ kind: "manifest" });
  yield { name, bytes: Buffer.byteLength(text), content: Buffer.from(text) };
}

function hashesIn({ withHashes, passphrase }: ExportContent): ExportManifest["hashes"] {
  if (!withHashes) return "none";
  return passphrase === null ? "clear" : "sealed";
}

type Lines = Parameters<ExportRows["lines"]>[0];

/**
 * The size of a file comes before it in an archive. The rows are those of a copy, so they can be read twice,
 * which takes less than a file in between.
 */
function measure({ progress, signal }: Deps, rows: ExportRows, of: Lines) {
  const hasher = new Bun.CryptoHasher("sha256");
  const sum = { bytes: 0, rows: 0 };
  for (const page of rows.lines(of)) {
    signal.throwIfAborted();
    const text = textOf(page);
    hasher.update(text);
    sum.bytes += text.length;
    sum.rows += page.length;
    progress(of, sum.rows, null);
  }
  return { rows: sum.rows, sum: { bytes: sum.bytes, sha256: hasher.digest("hex") } };
}

async function* written({ signal }: Deps, rows: ExportRows, of: Lines): Chunks {
  for (const page of rows.lines(of)) {
    signal.throwIfAborted();
    yield textOf(page);
  }
}

function textOf(lines: readonly string[]): Buffer {
  const long = lines.find((line) => line.length > exportLineBytesMax);
  if (long !== undefined)
    throw new PlainError("too_large", `a record is too long for an export: ${long.slice(0, 100)}`);
  return Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf8");
}

async function* sealedParts(
  rows: ExportRows,
  seal: (plain: Uint8Array) => Promise<Uint8Array>,
): AsyncGenerator<readonly [number, Uint8Array]> {
  let number = 0;
  let lines: string[] = [];
  for (const page of rows.lines("passwords")) {
    lines.push(...page);
    if (lines.length < sealedLines) continue;
    yield [++number, await seal(textOf(lines))];
    lines = [];
  }
  if (lines.length > 0) yield [++number, await seal(textOf(lines))];
}
