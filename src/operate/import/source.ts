import { parseSourceAddress, type SourceAddress } from "../../adapters/sources/address.ts";
import type { SourceGiven } from "../../adapters/sources/given.ts";
import { readNamesFile } from "../../adapters/sources/names-file.ts";
import { sources } from "../../adapters/sources/sources.ts";
import { openForeignFile, openScratch } from "../../adapters/sqlite/foreign-file.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { ImportSource } from "../../domain/ports/import-source.ts";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";
import { openExportFile, type SealedExport } from "../export.ts";

/**
 * Opens the other system. The passphrase is that of an export of a cloakroom, where it was made with one.
 * Fails with a sentence that names cause and cure.
 */
export async function openSource(given: SourceGiven, sealed: SealedExport): Promise<ImportSource> {
  const line = sources[given.system];
  if (line === undefined)
    throw new PlainError("invalid", `--from ${given.system} is not built into this program`);
  const open = await line.load();
  const openExport = (path: string) => openExportFile(path, sealed);
  return open(given, { openFile: openForeignFile, openScratch, openExport });
}

/** The flag of each part of a source. */
const flags: Readonly<Partial<Record<keyof SourceGiven, string>>> = {
  address: "--dsn",
  file: "--file",
  textures: "--textures",
  capes: "--capes-dir",
  launchServer: "--launchserver",
  env: "--env",
};

/** The flags of which a system needs one, where no such flag was given; empty: nothing is missing. */
export function missingFlags(given: SourceGiven): readonly string[] {
  const needs = sources[given.system]?.needs ?? [];
  return needs.some((part) => given[part] !== null) ? [] : needs.map((part) => flags[part] ?? part);
}

/**
 * Reads a source's address. Fails with invalid; the message shows nothing of the address. `isSeen`: other
 * users of the machine see it, so it must hold no password.
 */
export function readAddress(text: string, { isSeen }: { readonly isSeen: boolean }): SourceAddress {
  const address = parseSourceAddress(text);
  if (isSeen && address.engine !== "sqlite" && address.password() !== null)
    throw new PlainError(
      "invalid",
      "must not hold a password, which other users of the machine see: set IMPORT_DSN in the environment, or use --dsn-stdin",
    );
  return address;
}

/** UUIDs by the key of a name, from a file like `usercache.json`. The first one of a name counts. */
export async function readUuids(path: string): Promise<ReadonlyMap<string, Uuid>> {
  const { names } = await readNamesFile(path).catch((cause: unknown) => {
    const reason = systemReasons[codeOf(cause) ?? ""];
    throw reason === undefined ? cause : new PlainError("invalid", `${path}: ${reason}`, { cause });
  });
  const uuids = new Map<string, Uuid>();
  for (const { name, uuid } of names) {
    const key = nameKey(name);
    if (!uuids.has(key)) uuids.set(key, uuid);
  }
  return uuids;
}
