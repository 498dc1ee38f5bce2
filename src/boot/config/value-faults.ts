/** Faults of settings that are valid alone: together, or because of the files and folders that they name. */
import { join, relative, sep } from "node:path";
import { readLaunchKey } from "../../adapters/launch-key/launch-key.ts";
import { AppError } from "../../kernel/errors.ts";
import { readLogo } from "../logo-file.ts";
import { readTlsPair } from "../tls-files.ts";
import { tlsOf } from "./config-by-noun.ts";
import type { SettingName, SettingValues } from "./settings.ts";

/** Settings that are valid alone, but not together. */
export function faultsTogether(
  values: Partial<SettingValues>,
  isGiven: (name: SettingName) => boolean,
): readonly string[] {
  const { PROTOCOLS: protocols } = values;
  const faults: string[] = [];
  if (!isGiven("LISTEN_UNIX") && isOnOnePort(values))
    faults.push("METRICS_PORT must not be PORT: metrics have an address of their own");
  if (protocols?.includes("aurora") === true && !isGiven("AURORA_SECRET")) {
    faults.push("AURORA_SECRET must be given with PROTOCOLS that name aurora");
  }
  if (isGiven("TLS_CERT") && !isGiven("TLS_KEY")) faults.push("TLS_KEY must be given with TLS_CERT");
  if (isGiven("TLS_KEY") && !isGiven("TLS_CERT")) faults.push("TLS_CERT must be given with TLS_KEY");
  if (!isGiven("LISTEN_UNIX")) return faults;
  if (!isGiven("PUBLIC_URL")) {
    faults.push("PUBLIC_URL must be given with LISTEN_UNIX: a socket file has no address for browsers");
  }
  if (isGiven("TLS_CERT")) {
    faults.push("TLS_CERT must not be given with LISTEN_UNIX: there the proxy speaks https");
  }
  return faults;
}

/** Addresses that stand for all of a machine. */
const allAddresses: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function isOnOnePort(values: Partial<SettingValues>): boolean {
  const { HOST: host, PORT: port, METRICS_HOST: metricsHost, METRICS_PORT: metricsPort } = values;
  const isOneHost = host === metricsHost || [host, metricsHost].some((one = "") => allAddresses.has(one));
  return port !== 0 && port === metricsPort && isOneHost;
}

/** What asks for a bucket beside backups; null: nothing does. */
export function bucketUser(
  { BLOBS: place }: Partial<SettingValues>,
  { usesBucket }: { readonly usesBucket?: boolean },
): string | null {
  if (usesBucket === true) return "the command uses a bucket";
  return place === undefined || place === "files" ? null : "BLOBS names a bucket";
}

/**
 * Folders in the data folder whose contents are removed, replaced by a restore, or part of the next backup.
 */
const ownFolders = new Set([
  "textures",
  "secrets",
  "default-skins",
  "mail-templates",
  "damaged-textures",
  "unpacking",
  "restoring",
]);

export function backupFolderFaults({
  DATA_DIR: dataDir,
  BACKUP_DIR: dir,
}: Partial<SettingValues>): readonly string[] {
  if (dataDir === undefined || dir === undefined || dir === null) return [];
  const [first = ""] = relative(dataDir, dir).split(sep);
  return ownFolders.has(first)
    ? [`BACKUP_DIR must not lie in ${join(dataDir, first)}, which the server keeps for itself`]
    : [];
}

/** Faults of the files that the settings name. */
export function fileFaults(values: Partial<SettingValues>): readonly string[] {
  const files = tlsOf(values);
  const { GRAVIT_KEY_FILE: keyFile = null } = values;
  return [
    ...(files === null ? [] : faultOf(() => void readTlsPair(files))),
    ...(keyFile === null ? [] : faultOf(() => void readLaunchKey(keyFile), "GRAVIT_KEY_FILE ")),
  ];
}

function faultOf(read: () => void, setting = ""): readonly string[] {
  try {
    read();
    return [];
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return [setting + cause.message];
  }
}

export async function readGivenLogo({ COMMUNITY_LOGO: file = null, CONSOLE: isOn }: Partial<SettingValues>) {
  if (file === null || isOn !== true) return { logo: null, faults: [] };
  try {
    return { logo: await readLogo(file), faults: [] };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { logo: null, faults: [`COMMUNITY_LOGO ${cause.message}`] };
  }
}
