import { openReadOnly } from "../../adapters/sqlite/read-only.ts";
import type { Config } from "../../boot/config.ts";
import { dataFolder, interruptedRestore, unfinishedMove } from "../../boot/data-folder.ts";
import { postgresTools } from "../../boot/engines.ts";
import type { ImportReads } from "../../domain/ports/import-store.ts";
import { AppError, PlainError } from "../../kernel/errors.ts";

/** What a plan asks of the community, while not one byte of it is written. */
export type DryTarget = AsyncDisposable & { readonly reads: ImportReads };

/**
 * Opens the community to be asked alone: nothing is made, migrated or locked. A community that is not there
 * yet has no people in it. Fails with conflict for one that another version wrote.
 */
export async function openDryTarget({ dataDir, database }: Config): Promise<DryTarget> {
  if (database !== null) return openServer(database);
  const folder = dataFolder(dataDir);
  if (folder.isRestoreInterrupted()) throw interruptedRestore(folder);
  if (folder.isMoveUnfinished()) throw unfinishedMove(folder);
  if (!folder.hasDatabase()) return emptyTarget;
  const { reads, pending, [Symbol.dispose]: close } = openReadOnly(folder.database);
  if (pending !== 0) {
    close();
    throw otherVersion(`the database in ${dataDir}`, pending);
  }
  return { reads, [Symbol.asyncDispose]: async () => close() };
}

async function openServer(database: NonNullable<Config["database"]>): Promise<DryTarget> {
  try {
    return await (await postgresTools()).openDryReads(database);
  } catch (cause) {
    if (cause instanceof AppError && cause.kind === "not_found") return emptyTarget;
    throw cause;
  }
}

function otherVersion(name: string, pending: number): PlainError {
  const message =
    pending > 0
      ? `${name} was written by an older version, and a dry run changes nothing: bring it up to date first (cloakroom migrate)`
      : `${name} was written by a newer version: use the program of that version`;
  return new PlainError("conflict", message);
}

/** The answers of a community that is not there yet. */
export const nobodyHere: ImportReads = {
  findRun: async () => null,
  links: async () => new Map(),
  players: async () => [],
  playersById: async () => [],
  accountsHere: async () => [],
  takenNames: async () => [],
  takenMails: async () => [],
  takenUuids: async () => [],
  bannedTextures: async () => new Set(),
  takenIdentities: async () => [],
  textures: async () => [],
};

const emptyTarget: DryTarget = { reads: nobodyHere, [Symbol.asyncDispose]: async () => undefined };
