/*
 * Reads `bun.lock`: the locked packages and their hashes. The file is JSON with trailing commas.
 */
import { resolve } from "node:path";

/** An entry of the file: name and version first, the hash of the package's archive last. */
export type LockedPackage = readonly [nameAndVersion: string, ...rest: readonly unknown[]];

const lockFile = resolve(import.meta.dir, "../bun.lock");

/** Every package of the lock file, those for other platforms included, by `name@version`. */
export async function readLock(): Promise<ReadonlyMap<string, LockedPackage>> {
  // The boundary: Bun writes the file, and installing would have failed if it were malformed.
  const { packages } = Bun.JSONC.parse(await Bun.file(lockFile).text()) as {
    readonly packages: Record<string, LockedPackage>;
  };
  return new Map(Object.values(packages).map((entry) => [entry[0], entry]));
}

/**
 * Returns the SHA-512 of a package's archive in hexadecimal. Throws for a package that is not locked by one.
 */
export function sha512Of(lock: ReadonlyMap<string, LockedPackage>, nameAndVersion: string): string {
  const integrity = lock.get(nameAndVersion)?.at(-1);
  if (typeof integrity !== "string" || !integrity.startsWith("sha512-")) {
    throw new Error(`${nameAndVersion} has no SHA-512 in bun.lock`);
  }
  return Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
}
