/** The settings of one run, gathered from flags, environment and file. No other file reads the environment. */
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { readLaunchKey } from "../adapters/launch-key/launch-key.ts";
import { AppError } from "../kernel/errors.ts";
import { bucketAccessOf, bucketFaults, type BucketAccess } from "./config/backup-settings.ts";
import { findMisspelt, type Misspelt } from "./config/spelling.ts";
import { configOf, tlsOf } from "./config/config-of.ts";
import { digestSettings, type SettingDigests } from "./config/setting-digests.ts";
import {
  ownSettingsFile,
  readSettingsFile,
  settingsFileNow,
  type SettingsFile,
  type SettingsFileNow,
} from "./config/settings-file.ts";
import { flagOf, isSetting, settings } from "./config/settings.ts";
import type { SettingName, SettingValues } from "./config/settings.ts";
import { isForUnnamedProvider, readProviders } from "./config/social-settings.ts";
import { storageFaults } from "./config/storage-settings.ts";
import { readLogo } from "./logo-file.ts";
import type { Installation, SettingSource } from "../domain/model/installation.ts";
import type { Secret } from "./secrets.ts";
import { readTlsPair } from "./tls-files.ts";

/** The settings of one run, frozen. */
export type Config = ReturnType<typeof configOf>;

export type LoadedConfig = {
  readonly config: Config;
  /** Null: kept in the data folder, see `openSecrets`. */
  readonly jwtSecret: Secret | null;
  /** Null: only tokens in the database are accepted. */
  readonly serviceToken: Secret | null;
  /** The S3 service that the settings name; null without its keys. */
  readonly bucketAccess: BucketAccess | null;
  /** Settings that are given but have no effect: SOCIAL_PROVIDERS does not name their provider. */
  readonly withoutEffect: readonly string[];
  /** Variables of the environment that were probably meant as settings. */
  readonly misspelt: readonly Misspelt[];
  /** By what other nodes know which settings differ. Reads the files that they name. */
  readonly digests: () => Promise<SettingDigests>;
  /** The environment in which another process of this program reads the same settings, with `--config none`. It contains secrets in clear. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** The file of settings. */
  readonly settingsFile: SettingsFile;
  /** Looks at the file of settings again. */
  readonly settingsFileNow: () => Promise<SettingsFileNow>;
  /** The settings that any source gives. */
  readonly given: Installation["settings"];
  /** The flags that are no secrets, as they were typed. */
  readonly flags: ConfigSources["flags"];
  /** The data folder's own file of settings, where it is there and `--config` stands in its place; null: it is not so. */
  readonly unread: string | null;
};

export type ConfigSources = {
  /** By the setting's name, not the flag's. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file that `--config` names; null: that of the data folder; `none`: no file. */
  readonly file: string | null;
  /** Whether the log goes to a terminal. */
  readonly logsToTerminal: boolean;
  /** Whether a server starts with them: then its certificate must be usable too. */
  readonly serving?: boolean;
  /** Whether the command itself uses a bucket: then its keys need no setting that names one. */
  readonly usesBucket?: boolean;
};

/** Settings that cannot be used: one line for each fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

type Given = { readonly text: string; readonly origin: string; readonly from: SettingSource };

/** The environment of this process. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  // oxlint-disable-next-line node/no-process-env -- the one place where it is read
  return process.env;
}

/**
 * Reads all settings, the nearest source first: flags, environment, file, default. The file is the one that is named, or else
 * `cloakroom.toml` in the data folder. Throws `ConfigError`.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const readFile = () => readSettingsFile(sources.file, dataDirOf(sources));
  const file = await readFile();
  const given = new Map<string, Given>([
    ...file.values,
    ...environmentLayer(sources.environment),
    ...flagLayer(sources.flags),
  ]);
  const { values, faults: valueFaults } = readValues(given);
  const isGiven = (name: string) => given.has(name);
  const social = readProviders(values, isGiven);
  const together = faultsTogether(values, isGiven);
  const files = sources.serving === true ? fileFaults(values) : [];
  const { logo, faults: logoFaults } = await readGivenLogo(sources.serving === true ? values : {});
  const faults = [
    ...file.faults,
    ...valueFaults,
    ...social.faults,
    ...together,
    ...storageFaults(values, isGiven, (name) => given.get(name)?.from === "flag"),
    ...bucketFaults(isGiven, bucketUser(values, sources)),
    ...backupFolderFaults(values),
    ...files,
    ...logoFaults,
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  const bucketAccess = bucketAccessOf(values);
  return {
    config: configOf(values, { social: social.providers, bucketAccess, logo }, sources.logsToTerminal),
    bucketAccess,
    jwtSecret: values.JWT_SECRET,
    serviceToken: values.SERVICE_API_TOKEN,
    misspelt: findMisspelt(Object.keys(sources.environment), Object.keys(settings), isGiven),
    withoutEffect: [...given.keys()].filter((name) => isForUnnamedProvider(name, values)),
    digests: () => digestSettings(values),
    environment: () => ({ ...sources.environment, ...textsOf(given) }),
    settingsFile: file.file,
    settingsFileNow: settingsFileNow(file, readFile),
    given: [...given].map(([name, { from }]) => ({ name, from })),
    flags: openFlags(sources.flags),
    unread: unreadFile(file.file, values.DATA_DIR),
  };
}

function openFlags(flags: ConfigSources["flags"]): ConfigSources["flags"] {
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => isSetting(name) && !settings[name].secret),
  );
}

function unreadFile({ path, isNamed }: SettingsFile, dataDir: string): string | null {
  const own = ownSettingsFile(dataDir);
  return isNamed && path !== own && existsSync(own) ? own : null;
}

function textsOf(given: ReadonlyMap<string, Given>): Record<string, string> {
  return Object.fromEntries([...given].map(([name, { text }]) => [name, text]));
}

/** The data folder by flags and environment alone, whose file says the rest. One that cannot be used is reported with the other faults. */
function dataDirOf({ flags, environment }: ConfigSources): string {
  const given = flags["DATA_DIR"] ?? environment["DATA_DIR"];
  try {
    return settings.DATA_DIR.read(given === undefined || given === "" ? [] : [given]);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return settings.DATA_DIR.read([]);
  }
}

function flagLayer(flags: ConfigSources["flags"]): [string, Given][] {
  return Object.entries(flags).map(([name, text]) => [
    name,
    { text, origin: `--${flagOf(name)}`, from: "flag" },
  ]);
}

/** An empty variable counts as not set: compose files and service units cannot leave one out. */
function environmentLayer(environment: ConfigSources["environment"]): [string, Given][] {
  return Object.entries(environment).flatMap(([name, text]): [string, Given][] => {
    if (text === undefined || text === "" || !isSetting(name)) return [];
    return [[name, { text, origin: "environment", from: "environment" }]];
  });
}

function readValues(given: ReadonlyMap<string, Given>): { values: SettingValues; faults: string[] } {
  const faults: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const one = given.get(name);
    try {
      values[name as SettingName] = setting.read(one === undefined ? [] : [one.text]); // keys of `settings`
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      const shown = setting.secret ? "" : ` is ${JSON.stringify(one?.text)}:`;
      faults.push(`${name} (${one?.origin ?? "default"})${shown} ${cause.message}`);
    }
  }
  return { values: values as SettingValues, faults }; // complete if there is no fault, and not used otherwise
}

/** Settings that are valid alone, but not together. */
function faultsTogether(
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
function bucketUser({ BLOBS: place }: Partial<SettingValues>, { usesBucket }: ConfigSources): string | null {
  if (usesBucket === true) return "the command uses a bucket";
  return place === undefined || place === "files" ? null : "BLOBS names a bucket";
}

/** Folders in the data folder whose contents are removed, replaced by a restore, or part of the next backup. */
const ownFolders = new Set([
  "textures",
  "secrets",
  "default-skins",
  "mail-templates",
  "damaged-textures",
  "unpacking",
  "restoring",
]);

function backupFolderFaults({
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
function fileFaults(values: Partial<SettingValues>): readonly string[] {
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

async function readGivenLogo({ COMMUNITY_LOGO: file = null, CONSOLE: isOn }: Partial<SettingValues>) {
  if (file === null || isOn !== true) return { logo: null, faults: [] };
  try {
    return { logo: await readLogo(file), faults: [] };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { logo: null, faults: [`COMMUNITY_LOGO ${cause.message}`] };
  }
}
