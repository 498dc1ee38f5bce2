/**
 * The settings of one run, gathered from flags, environment and file. No other file reads the environment.
 */
import { existsSync } from "node:fs";
import { AppError } from "../kernel/errors.ts";
import { bucketAccessOf, bucketFaults, type BucketAccess } from "./config/backup-settings.ts";
import { configOf } from "./config/config-by-noun.ts";
import { findMisspelt, type Misspelt } from "./config/spelling.ts";
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
import {
  backupFolderFaults,
  bucketUser,
  faultsTogether,
  fileFaults,
  readGivenLogo,
} from "./config/value-faults.ts";
import type { Installation, SettingSource } from "../domain/model/installation.ts";
import type { Secret } from "./secrets.ts";

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
  /** Lets other nodes find out which settings differ. Reads the files that the settings name. */
  readonly digests: () => Promise<SettingDigests>;
  /**
   * The environment in which another process of this program reads the same settings, with `--config none`.
   * It contains secrets in clear.
   */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** The file of settings. */
  readonly settingsFile: SettingsFile;
  /** Looks at the file of settings again. */
  readonly settingsFileNow: () => Promise<SettingsFileNow>;
  /** The settings that any source gives. */
  readonly given: Installation["settings"];
  /** The flags that are no secrets, as they were typed. */
  readonly flags: ConfigSources["flags"];
  /** The data folder's own file of settings if it exists and `--config` names another one, else null. */
  readonly unread: string | null;
};

export type ConfigSources = {
  /** Keys are names of settings, not of flags. */
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
 * Reads all settings, the nearest source first: flags, environment, file, default. The file is the named one,
 * else `cloakroom.toml` in the data folder. Throws `ConfigError`.
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

/**
 * The data folder, found by flags and environment alone: its file holds the other settings. An unusable
 * folder is reported with the other faults.
 */
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
