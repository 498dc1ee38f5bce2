import { AppError } from "../../kernel/errors.ts";
import type { Manifest } from "./manifest.ts";
import { nameOf, type Part } from "./parts.ts";
import type { Archives, Chunks, Sealing, StagedFolder } from "./ports.ts";
import { readBackup } from "./read-backup.ts";
import { openSecretsOf } from "./sealed-secrets.ts";
import { verifyStaged } from "./verify-staged.ts";
import type { Progress } from "./write-backup.ts";

type Deps = {
  readonly archives: Archives;
  readonly staging: StagedFolder;
  readonly sealing: Sealing;
  /** Fails with conflict for a schema that only a newer program knows. */
  readonly checkSchema: (schema: number) => void;
  readonly progress: Progress;
};

/** What is done with the secrets in a backup. */
export type SecretsChoice = {
  /** False: those of the data folder stay. */
  readonly taken: boolean;
  /** Opens sealed ones. */
  readonly passphrase: string | null;
};

/**
 * Unpacks a backup into the staged folder and verifies all of it there: hashes, the whole database, every row against its
 * file. Fails with invalid for a damaged backup and a wrong passphrase, with conflict for one of a newer version, and with
 * no_space. Whatever it fails with, nothing but the staged folder has changed.
 */
export async function unpackBackup(deps: Deps, path: string, secrets: SecretsChoice): Promise<Manifest> {
  let unpacked = 0;
  const manifest = await readBackup(deps.archives.read(path), {
    keep: async (part, content) => {
      deps.progress("unpacking", ++unpacked, null);
      await keepPart(deps, { part, content, secrets });
    },
  });
  deps.checkSchema(manifest.schema);
  await checkStaged(deps, manifest);
  return manifest;
}

async function keepPart(
  { staging, sealing }: Deps,
  {
    part,
    content,
    secrets,
  }: { readonly part: Part; readonly content: Chunks; readonly secrets: SecretsChoice },
): Promise<void> {
  const isSecret = part.kind === "sealed-secrets" || (part.kind === "file" && part.folder === "secrets");
  if (!isSecret || (secrets.taken && part.kind === "file")) return staging.write(nameOf(part), content);
  const sealed = Buffer.concat(await Array.fromAsync(content));
  if (!secrets.taken) return;
  if (secrets.passphrase === null) {
    throw new AppError("invalid", "its secrets are encrypted: give the passphrase, or leave the secrets out");
  }
  for (const { folder, name, content } of await openSecretsOf(sealing, sealed, secrets.passphrase)) {
    await staging.write(nameOf({ kind: "file", folder, name }), oneChunk(content));
  }
}

async function* oneChunk(content: Uint8Array): Chunks {
  yield content;
}

async function checkStaged(deps: Deps, { schema, textures }: Manifest): Promise<void> {
  const found = await verifyStaged(deps, textures.count + textures.lost);
  if (found.schema !== schema)
    throw new AppError("invalid", "its database is of another version than it says");
  if (found.textures.count !== textures.count || found.textures.lost !== textures.lost)
    throw new AppError("invalid", "its textures are not those that its database names");
}
