import { PlainError } from "../../kernel/errors.ts";
import { sha256Hex } from "../textures/hashes.ts";
import { authenticatedText, backupFormat, markText, textureHasher, type Manifest } from "./manifest.ts";
import { type Sum } from "../ports/backup-ports.ts";
import { nameOf, type BackupEntry } from "../model/backup-entries.ts";
import type { Archives, KeptFile, OutgoingEntry } from "../ports/backup-ports.ts";
import { lostRows, soundTextures, type CopiedTextures } from "./copied-textures.ts";
import { readBackup } from "./read-backup.ts";

type Deps = CopiedTextures & { readonly archives: Archives };

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
