/** The TOML file of settings: the one that `--config` names, or else `cloakroom.toml` in the data folder. */
import { basename, join, resolve } from "node:path";
import { AppError, codeOf, PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainText } from "../../kernel/plain-files.ts";
import { holdsEnvironmentLines, tomlOfEnvironment } from "./environment-lines.ts";
import { isSetting, settings } from "./settings.ts";
import { didYouMean } from "./spelling.ts";
import { tomlFault } from "./toml-faults.ts";

/** Where settings are read from. */
export type SettingsFile = {
  /** Absolute. */
  readonly path: string;
  /** Whether `--config` names it. */
  readonly isNamed: boolean;
  /** Whether it was there to be read. */
  readonly isThere: boolean;
  /** Whether a setting in it is a secret. */
  readonly holdsSecrets: boolean;
};

type Given = { readonly text: string; readonly origin: string; readonly from: "file" };

/** The settings of a file by name, and its faults, each one line or several. They contain no secret. */
export type ReadSettings = {
  readonly file: SettingsFile;
  readonly values: ReadonlyMap<string, Given>;
  readonly faults: readonly string[];
};

/** The file as it is now, after a start that read it. */
export type SettingsFileNow = {
  readonly isThere: boolean;
  /** Whether it sets other values than at the start, or is no longer taken. */
  readonly isChanged: boolean;
  /** The settings in it; those of the start where it is not taken. */
  readonly names: readonly string[];
  /** Why the next start refuses the file. They contain no secret. */
  readonly faults: readonly string[];
};

/** Looks at the file again, as the next start would. */
export function settingsFileNow(start: ReadSettings, read: () => Promise<ReadSettings>) {
  return async (): Promise<SettingsFileNow> => {
    const { file, values, faults } = await read();
    const isRefused = faults.length > 0;
    return {
      isThere: file.isThere,
      isChanged: isRefused || !setsTheSame(values, start.values),
      names: [...(isRefused ? start : { values }).values.keys()],
      faults,
    };
  };
}

function setsTheSame(one: ReadSettings["values"], other: ReadSettings["values"]): boolean {
  return one.size === other.size && [...one].every(([name, { text }]) => other.get(name)?.text === text);
}

/** The file in a data folder that is read without `--config`. */
export function ownSettingsFile(dataDir: string): string {
  return join(dataDir, "cloakroom.toml");
}

/** What `--config` takes instead of a file, so that no file is read. */
export const noFile = "none";

/**
 * Reads the file that `--config` names (`named`), or else that of the data folder, which need not be there.
 */
export async function readSettingsFile(named: string | null, dataDir: string): Promise<ReadSettings> {
  const isNamed = named !== null && named !== noFile;
  const path = resolve(isNamed ? named : ownSettingsFile(dataDir));
  const file = { path, isNamed, isThere: true, holdsSecrets: false };
  const nothing = { file: { ...file, isThere: false }, values: new Map(), faults: [] };
  if (named === noFile) return nothing;
  let text: string;
  try {
    text = await readPlainText(path, limits.operatorFileBytesMax);
  } catch (cause) {
    if (!isNamed && isMissing(cause)) return nothing;
    return { ...nothing, file, faults: [`${shownAs(file)} cannot be read: ${messageOf(cause)}`] };
  }
  const read = settingsIn(text, file);
  const holdsSecrets = [...read.values.keys()].some((name) => isSetting(name) && settings[name].secret);
  return { ...read, file: { ...file, holdsSecrets } };
}

/**
 * No such file, no such folder yet, or a folder that this user may not enter: what opens it says so in better
 * words.
 */
function isMissing(cause: unknown): boolean {
  const code = codeOf(cause) ?? "";
  const isClosed =
    code === "EACCES" && cause instanceof Error && "syscall" in cause && cause.syscall === "stat";
  return isClosed || ["ENOENT", "ENOTDIR"].includes(code);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function shownAs({ path, isNamed }: SettingsFile): string {
  return isNamed ? `--config ${path}` : path;
}

function settingsIn(text: string, file: SettingsFile): Pick<ReadSettings, "values" | "faults"> {
  const { path, isNamed } = file;
  const origin = basename(path);
  const values = new Map<string, Given>();
  let table: Readonly<Record<string, unknown>>;
  try {
    table = parse(text);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { values, faults: [`${shownAs(file)} ${cause.message}`] };
  }
  const faults: string[] = [];
  for (const [key, value] of Object.entries(table)) {
    const name = key.toUpperCase();
    if (key !== key.toLowerCase() || !isSetting(name)) {
      faults.push(`${key} (${origin}) is no setting${didYouMean(key.toLowerCase(), settingKeys)}`);
    } else if (name === "DATA_DIR" && !isNamed) {
      faults.push(
        `DATA_DIR (${path}) must not stand in the file of the data folder, which is found by it: give it in the environment,` +
          " as --data-dir, or in a file that --config names",
      );
    } else if (isPlain(value)) {
      values.set(name, { text: String(value), origin, from: "file" });
    } else {
      faults.push(`${name} (${origin}) must be a string or a number`);
    }
  }
  return { values, faults };
}

const settingKeys = Object.keys(settings).map((one) => one.toLowerCase());

function isPlain(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** The table of a TOML file. Fails with invalid, in words that contain no value of the file. */
function parse(text: string): Readonly<Record<string, unknown>> {
  let table: Readonly<Record<string, unknown>> = {};
  let fault: string | null = null;
  try {
    table = Bun.TOML.parse(text) as Readonly<Record<string, unknown>>; // TOML's top is a table
  } catch (cause) {
    fault = tomlFault(text, messageOf(cause), parses);
  }
  const isOther = fault !== null || Object.keys(table).some((key) => isSetting(key));
  if (isOther && holdsEnvironmentLines(text)) throw new PlainError("invalid", tomlOfEnvironment(text));
  if (fault !== null) throw new PlainError("invalid", fault);
  return table;
}

function parses(text: string): boolean {
  try {
    Bun.TOML.parse(text);
    return true;
  } catch {
    return false;
  }
}
