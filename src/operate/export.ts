import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { openWorkFolder } from "../adapters/data-folder/backup-folder.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { openCopy } from "../adapters/sqlite/database-copy.ts";
import { openExportRows } from "../adapters/sqlite/export-rows.ts";
import { openUnpackedExport } from "../adapters/sqlite/unpacked-export.ts";
import type { Ports } from "../boot/compose.ts";
import type { Config } from "../boot/config.ts";
import type { Secret } from "../boot/secrets.ts";
import { version } from "../boot/version.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import type { ExportManifest } from "../domain/backup/export-manifest.ts";
import { openExport, type ExportPassphrase, type OpenedExport } from "../domain/backup/read-export.ts";
import { writeExport, type ExportContent } from "../domain/backup/write-export.ts";
import type { Progress } from "../domain/backup/progress.ts";
import { archiveOf } from "../domain/members/own-export.ts";
import { usernameOf } from "../domain/model/account.ts";
import { AppError, codeOf, PlainError } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";
import { systemReasons } from "../kernel/system-reasons.ts";
import { freePath, looksLikeArchive, looksLikeZip, moveToPlace, type FilePlace } from "./archive-place.ts";
import { backupLock } from "./backup.ts";
import { openBackupSource } from "./backup-source.ts";

export type ExportOptions = {
  readonly withHashes: boolean;
  /** Seals the hashes, and lets an import see whether the export was changed. Null: neither. */
  readonly passphrase: Secret | null;
  readonly progress: Progress;
  /** Stops it, with its reason. */
  readonly signal: AbortSignal;
};

export type ExportReport = {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: ExportManifest;
};

/** Makes a verified export at the place (docs/export.md). Servers may be writing meanwhile. */
export async function exportTo(
  config: Config,
  place: FilePlace,
  options: ExportOptions,
): Promise<ExportReport> {
  const path = await freePath(place, { is: "export", looksRight: looksLikeArchive });
  await using source = await openBackupSource(config);
  await using work = await openWorkFolder(dirname(path), backupLock);
  const copyPath = join(work.path, "cloakroom.db");
  await source.copyTo(copyPath, options);
  using copy = openCopy(copyPath);
  const { live, blobs } = source;
  const openRows = () => openExportRows(copyPath);
  const archive = join(work.path, "archive");
  const deps = { ...options, copy, live, blobs, archives: tarZstd, openRows };
  const manifest = await writeExport(deps, archive, contentOf(options));
  await moveToPlace(archive, { path, replaces: place.replaces });
  return { path, bytes: Bun.file(path).size, manifest };
}

function contentOf({ withHashes, passphrase }: ExportOptions): ExportContent {
  const words = passphrase?.reveal();
  return {
    program: version,
    created: new Date().toISOString(),
    withHashes,
    passphrase:
      words === undefined
        ? null
        : {
            seal: async (plain) => {
              const sealed = await passphraseSealing.seal(plain, words);
              // To derive a key takes 128 MiB, which the runtime would let pile up.
              Bun.gc(true);
              return sealed;
            },
            authenticate: (text) => passphraseSealing.authenticate(text, words),
          },
  };
}

/** Writes everything about one account as its owner gets it by `GET /api/home/export`. */
export async function exportUserTo(
  services: Ports,
  identifier: string,
  { place, signal }: { readonly place: FilePlace; readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly bytes: number; readonly name: string }> {
  const member = await findMember(services.reads.accounts, identifier);
  const path = await freePath(place, { is: "export", looksRight: looksLikeZip });
  await using work = await openWorkFolder(dirname(path), backupLock);
  const archive = join(work.path, "archive");
  {
    await using file = await open(archive, "wx", 0o600);
    const check = async () => signal.throwIfAborted();
    for await (const piece of archiveOf(services, member, check)) await file.write(piece);
    await file.sync();
  }
  await moveToPlace(archive, { path, replaces: place.replaces });
  return { path, bytes: Bun.file(path).size, name: usernameOf(member) };
}

/** What opens an export's sealed part (`ExportPassphrase`), and what stops that. */
export type SealedExport = Pick<ExportPassphrase, "isForIt"> & {
  readonly passphrase: Secret | null;
  readonly signal: AbortSignal;
};

/**
 * Verifies an export and unpacks it outside of the data folder, for an import. Fails with a sentence that
 * names the file.
 */
export async function openExportFile(
  path: string,
  { passphrase, isForIt, signal }: SealedExport,
): Promise<OpenedExport> {
  const deps = { archives: tarZstd, sealing: passphraseSealing, open: openUnpackedExport, signal };
  const found = await stat(path).catch((cause: unknown) => {
    throw new PlainError("not_found", `${path}: ${reasonOf(cause)}`, { cause });
  });
  requirePlainFile(path, found);
  if (!(await looksLikeArchive(path).catch(() => true)))
    throw new PlainError("invalid", `${path}: it is not an export of cloakroom`);
  const words = { passphrase: passphrase?.reveal() ?? null, isForIt };
  return await openExport(deps, path, words).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    if (cause instanceof AppError) throw new PlainError(cause.kind, `${path}: ${cause.message}`, { cause });
    if (codeOf(cause) === "SQLITE_FULL")
      throw new PlainError(
        "no_space",
        "no space is left for the content of the export: set TMPDIR to a larger disk",
        { cause },
      );
    if (codeOf(cause) === null) throw cause;
    throw new PlainError("invalid", `${path}: ${reasonOf(cause)}`, { cause });
  });
}

function reasonOf(cause: unknown): string {
  const words = codeOf(cause);
  return (words !== null && systemReasons[words]) || "it cannot be read";
}
