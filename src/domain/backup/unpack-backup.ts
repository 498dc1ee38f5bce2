import { PlainError } from "../../kernel/errors.ts";
import { authenticatedText, type Manifest } from "./manifest.ts";
import { nameOf, type BackupEntry } from "../model/backup-entries.ts";
import type { Archives, Chunks, Sealing, StagedFolder } from "../ports/backup-ports.ts";
import { readBackup } from "./read-backup.ts";
import { measureRoom, verifyStaged } from "./staged-folder.ts";
import { openSecretsOf } from "./sealed-secrets.ts";
import type { Progress } from "./progress.ts";

type Deps = {
  readonly archives: Archives;
  readonly staging: StagedFolder;
  readonly sealing: Sealing;
  /** Fails with conflict for a schema that only a newer program knows. */
  readonly checkSchema: (schema: number) => void;
  readonly progress: Progress;
  /** Stops the work, with its reason. */
  readonly signal: AbortSignal;
};

/** How a backup is unpacked. */
export type UnpackChoice = {
  /** False: the data folder's own secrets stay. */
  readonly takesSecrets: boolean;
  /** Decrypts sealed secrets, and shows whether the backup was changed since it was made. */
  readonly passphrase: string | null;
  /** Accepts a backup without a code although there is a passphrase. */
  readonly allowUnauthenticated: boolean;
};

/**
 * `authentic`: its code proves that it is unchanged. `unchecked`: it has a code, but no passphrase was given.
 * `none`: it has no code.
 */
export type Authenticity = "authentic" | "unchecked" | "none";

/**
 * Unpacks a backup into the staged folder. First it reads the complete backup and checks its hashes, its code
 * against the passphrase, and whether there is enough space. Then it writes, and verifies the complete
 * database and every row against its file. Fails with invalid for a damaged or changed backup and for a wrong
 * passphrase, with conflict for a backup of a newer version, and with no_space. A failure changes nothing but
 * the staged folder.
 */
export async function unpackBackup(
  deps: Deps,
  path: string,
  choice: UnpackChoice,
): Promise<{ readonly manifest: Manifest; readonly authenticity: Authenticity }> {
  const announced = await readThrough(deps, path);
  deps.checkSchema(announced.schema);
  const authenticity = await authenticityOf(deps.sealing, announced, choice);
  let unpacked = 0;
  const manifest = await readBackup(deps.archives.read(path), {
    keep: async (part, content) => {
      deps.progress("unpacking", ++unpacked, null);
      await keepPart(deps, { part, content, choice });
    },
  });
  if (authenticatedText(manifest) !== authenticatedText(announced))
    throw new PlainError("invalid", "it was changed while it was read");
  await checkStaged(deps, manifest);
  return { manifest, authenticity };
}

/**
 * Compares the complete backup with its manifest, and the needed space with the free space. Writes nothing.
 */
async function readThrough({ archives, staging, progress, signal }: Deps, path: string): Promise<Manifest> {
  const room = await measureRoom(staging);
  let read = 0;
  const manifest = await readBackup(archives.read(path), {
    announce: room.add,
    keep: async (_, content) => {
      progress("reading", ++read, null);
      for await (const _chunk of content) signal.throwIfAborted();
    },
  });
  room.refuseTooLittle();
  return manifest;
}

/**
 * Fails with invalid when the passphrase proves that the backup was changed, and when there is a passphrase
 * but no code to check.
 */
async function authenticityOf(
  sealing: Sealing,
  manifest: Manifest,
  { passphrase, allowUnauthenticated }: UnpackChoice,
): Promise<Authenticity> {
  const { mac } = manifest;
  if (mac === null && (passphrase === null || allowUnauthenticated)) return "none";
  if (passphrase === null) return "unchecked";
  if (mac === null) {
    throw new PlainError(
      "invalid",
      "nothing in it shows whether it was changed: it was made without a passphrase or by a version before 0.2, or its code was" +
        " removed. If you know where it comes from, use --allow-unauthenticated",
    );
  }
  if (await sealing.isAuthentic(authenticatedText(manifest), mac, passphrase)) return "authentic";
  throw new PlainError(
    "invalid",
    "the passphrase is not the one that it was made with, or it was changed since",
  );
}

async function keepPart(
  { staging, sealing }: Deps,
  {
    part,
    content,
    choice,
  }: { readonly part: BackupEntry; readonly content: Chunks; readonly choice: UnpackChoice },
): Promise<void> {
  const isSecret = part.kind === "sealed-secrets" || (part.kind === "file" && part.folder === "secrets");
  if (!isSecret || (choice.takesSecrets && part.kind === "file")) return staging.write(nameOf(part), content);
  const sealed = Buffer.concat(await Array.fromAsync(content));
  if (!choice.takesSecrets) return;
  if (choice.passphrase === null) {
    throw new PlainError(
      "invalid",
      "its secrets are encrypted: give the passphrase, or leave the secrets out",
    );
  }
  for (const { folder, name, content } of await openSecretsOf(sealing, sealed, choice.passphrase)) {
    await staging.write(nameOf({ kind: "file", folder, name }), oneChunk(content));
  }
}

async function* oneChunk(content: Uint8Array): Chunks {
  yield content;
}

async function checkStaged(deps: Deps, { schema, textures }: Manifest): Promise<void> {
  const found = await verifyStaged(deps, textures.count + textures.lost);
  if (found.schema !== schema)
    throw new PlainError("invalid", "its database is of another version than it says");
  if (found.textures.count !== textures.count || found.textures.lost !== textures.lost)
    throw new PlainError("invalid", "its textures are not those that its database names");
}
