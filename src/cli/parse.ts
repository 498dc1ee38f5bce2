import { didYouMean } from "../boot/config/spelling.ts";
import { flag, optional, type Option } from "../boot/config/options.ts";
import { kind, path } from "../boot/config/kinds.ts";
import { noFile } from "../boot/config/settings-file.ts";
import { flagOf, isSetting, settingOf, settings } from "../boot/config/settings.ts";
import { AppError } from "../kernel/errors.ts";
import { typedName, UsageError, type Command } from "./command.ts";

const fileOrNone = kind("FILE", (given) => (given === noFile ? given : path("FILE").parse(given)));

/** Options that every command has. */
export const helpOption = flag("show this help");
/** The file of settings, which every command takes that uses settings. */
export const configOption = optional(
  fileOrNone,
  "TOML file of settings, same names in lower case; none reads no file",
  "cloakroom.toml in DATA_DIR, where it is there",
);

/** What the arguments of a command say. */
export type Invocation = {
  /** The values of the command's positionals and options, by key. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Settings given as flags, by the setting's name. */
  readonly flags: Readonly<Record<string, string>>;
  readonly configFile: string | null;
};

type Tokens = {
  readonly positionals: string[];
  /** Keys are names as typed, without dashes. */
  readonly named: Map<string, string[]>;
  readonly problems: string[];
};

/** Whether any argument asks for help, even if others are wrong. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === "--help" || arg === "-h");
}

/** Reads the arguments after a command's name. Throws `UsageError` with all problems. */
export function parseArguments(command: Command, args: readonly string[]): Invocation {
  const accepted = acceptedOptions(command);
  const { positionals, named, problems } = tokenize(args, accepted);
  const values: Record<string, unknown> = {};
  const read = (key: string, label: string, option: Option<unknown>, given: readonly string[]) => {
    try {
      values[key] = option.read(given);
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      const shown = option.secret || given.length === 0 ? "" : ` is ${JSON.stringify(given.at(-1))}:`;
      problems.push(`${label}${shown} ${cause.message}`);
    }
  };
  Object.entries(command.positionals).forEach(([key, option], index) => {
    read(key, `<${key}>`, option, positionals.slice(index, index + 1));
  });
  for (const [key, option] of Object.entries(command.options)) {
    const name = typedName(key);
    read(key, `--${name}`, option, named.get(name) ?? []);
  }
  for (const extra of positionals.slice(Object.keys(command.positionals).length)) {
    problems.push(`unexpected argument ${JSON.stringify(extra)}`);
  }
  if (problems.length > 0) throw new UsageError(problems, command.name);
  return {
    values,
    flags: settingFlags(named, command),
    configFile: configOption.read(named.get("config") ?? []),
  };
}

function acceptedOptions(command: Command): ReadonlyMap<string, Option<unknown>> {
  const own = Object.entries(command.options).map(([key, option]) => [typedName(key), option] as const);
  if (command.settings === "none") return new Map(own);
  const flags = Object.entries(settings).map(([name, setting]) => [flagOf(name), setting] as const);
  return new Map<string, Option<unknown>>([...flags, ["config", configOption], ...own]);
}

function tokenize(args: readonly string[], accepted: ReadonlyMap<string, Option<unknown>>): Tokens {
  const tokens: Tokens = { positionals: [], named: new Map(), problems: [] };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      tokens.positionals.push(...rest);
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      tokens.positionals.push(arg);
      continue;
    }
    const [typed, inline] = splitOnce(arg);
    const name = typed.startsWith("--") ? typed.slice(2) : "";
    const option = accepted.get(name);
    if (option === undefined) {
      tokens.problems.push(`unknown option ${typed}${didYouMean(name, accepted.keys(), "--")}`);
      continue;
    }
    addOption(tokens, { name, option, inline }, rest);
  }
  return tokens;
}

/**
 * Takes the option's value from after its `=`, or else the next argument, unless that looks like an option.
 */
function addOption(
  tokens: Tokens,
  { name, option, inline }: { name: string; option: Option<unknown>; inline: string | undefined },
  rest: string[],
): void {
  const given = tokens.named.get(name) ?? [];
  if (given.length > 0 && !option.repeatable) tokens.problems.push(`--${name} is given more than once`);
  tokens.named.set(name, given);
  if (option.placeholder === null) {
    if (inline !== undefined) tokens.problems.push(`--${name} takes no value`);
    given.push("");
    return;
  }
  const value = inline ?? (rest[0]?.startsWith("--") === true ? undefined : rest.shift());
  if (value === undefined) tokens.problems.push(`--${name} needs a value (${option.placeholder})`);
  else given.push(value);
}

function splitOnce(arg: string): [string, string | undefined] {
  const at = arg.indexOf("=");
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

/** An option of the command's own that is called like a setting's flag is no setting. */
function settingFlags(named: ReadonlyMap<string, string[]>, { options }: Command): Record<string, string> {
  const own = new Set(Object.keys(options).map(typedName));
  const flags: Record<string, string> = {};
  for (const [name, [value]] of named) {
    const setting = settingOf(name);
    if (value !== undefined && isSetting(setting) && !own.has(name)) flags[setting] = value;
  }
  return flags;
}
