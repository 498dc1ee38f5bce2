import { AppError, PlainError } from "../../kernel/errors.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { sha256Hex } from "../textures/hashes.ts";
import { readTexture } from "../textures/stored-file.ts";
import { authenticatedText, backupFormat, markText, textureHasher, type Manifest } from "./manifest.ts";
import { type Sum } from "../ports/backup-ports.ts";
import { nameOf, type BackupEntry } from "../model/backup-entries.ts";
import type { LiveTextureRows, TextureRow } from "../ports/texture-files.ts";
import type { Archives, DatabaseCopy, KeptFile, OutgoingEntry } from "../ports/backup-ports.ts";
import { readBackup } from "./read-backup.ts";

/**
 * A file and its row are read one after the other. More changes in between than this happen only on purpose.
 */
const attemptsMax = 3;

/** Reports the progress of a long operation. `total` is null when it is unknown. */
export type Progress = (step: string, done: number, total: number | null) => void;

type Deps = {
  /** A fresh copy, made while others wrote to the live database. */
  readonly copy: DatabaseCopy;
  /** The live database's current rows. */
  readonly live: Pick<LiveTextureRows, "findTexture">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly archives: Archives;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/** What a backup contains besides the database and its textures. */
export type BackupContent = {
  readonly program: string;
  /** ISO 8601. */
  readonly created: string;
  /** Secrets among them are not encrypted. */
  readonly files: readonly KeptFile[];
  readonly sealedSecrets: Uint8Array | null;
  /** Makes the manifest's code from its text; null: the manifest gets no code. */
  readonly authenticate: ((text: string) => Promise<string>) | null;
};

/**
 * Writes a backup, then reads it again and verifies every hash, every texture against its row and the
 * complete database. Fails with internal when the database is damaged, with no_space, and with the signal's
 * reason.
 */
export async function writeBackup(deps: Deps, path: string, content: BackupContent): Promise<Manifest> {
  const [fault] = deps.copy.faults();
  if (fault !== undefined)
    throw new PlainError("internal", `the database is damaged (${fault}): no backup was made`);
  await deps.archives.write(path, backupEntries(deps, content));
  return verifyBackup(deps, path);
}

async function verifyBackup({ copy, archives, progress, signal }: Deps, path: string): Promise<Manifest> {
  let seen = 0;
  return await readBackup(archives.read(path), {
    keep: async (_, chunks) => {
      for await (const _chunk of chunks) signal.throwIfAborted();
    },
    sawTexture: (hash, sha256) => {
      if (copy.findTexture(hash)?.digest !== sha256) {
        throw new PlainError("internal", `the backup was damaged while it was written (texture ${hash})`);
      }
      progress("verifying", ++seen, null);
    },
  });
}

async function* backupEntries(deps: Deps, content: BackupContent): AsyncGenerator<OutgoingEntry> {
  const { copy } = deps;
  const textures = { count: 0, bytes: 0, lost: 0 };
  const hasher = textureHasher();
  const files: Record<string, Sum> = {};
  yield entryOf({ kind: "mark" }, Buffer.from(markText()));
  for (const [part, bytes] of smallParts(content)) {
    files[nameOf(part)] = { bytes: bytes.length, sha256: sha256Hex(bytes) };
    yield entryOf(part, bytes);
  }
  for await (const { hash, digest, png } of soundTextures(deps)) {
    textures.count += 1;
    textures.bytes += png.length;
    hasher.add(hash, digest);
    yield entryOf({ kind: "texture", hash }, png);
  }
  textures.lost = lostRows(copy, textures.count);
  copy.nameFilesByHash();
  const database = await copy.sum();
  yield { name: nameOf({ kind: "database" }), bytes: database.bytes, content: copy.content() };
  const { program, created } = content;
  const manifest: Manifest = {
    format: backupFormat,
    program,
    schema: copy.schema,
    created,
    database,
    textures: { ...textures, sha256: hasher.digest() },
    files,
    mac: null,
  };
  const mac = (await content.authenticate?.(authenticatedText(manifest))) ?? null;
  yield entryOf({ kind: "manifest" }, Buffer.from(`${JSON.stringify({ ...manifest, mac }, null, 2)}\n`));
}

async function* soundTextures(deps: Deps) {
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
  { copy, live, blobs }: Deps,
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
function lostRows(copy: DatabaseCopy, sound: number): number {
  let rows = 0;
  for (const _ of copy.textures()) rows += 1;
  return rows - sound;
}

function smallParts({
  files,
  sealedSecrets,
}: BackupContent): readonly (readonly [BackupEntry, Uint8Array])[] {
  const kept = files.map(({ folder, name, content }) => [{ kind: "file", folder, name }, content] as const);
  return sealedSecrets === null ? kept : [...kept, [{ kind: "sealed-secrets" }, sealedSecrets]];
}

function entryOf(part: BackupEntry, content: Uint8Array): OutgoingEntry {
  return { name: nameOf(part), bytes: content.length, content };
}
