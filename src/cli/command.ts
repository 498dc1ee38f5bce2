/** What a command is: data that parsing and help are made from, and a function that does it. */
import type { Option } from "../boot/config/options.ts";
import type { ConfigSources, LoadedConfig } from "../boot/config.ts";
import type { Io } from "./io.ts";

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What the options read, under the same keys. */
type Values<O extends Options> = {
  readonly [Key in keyof O]: O[Key] extends Option<infer Value> ? Value : never;
};

export type Context = {
  readonly io: Io;
  /** Throws `ConfigError`. For commands that use settings; see `ConfigSources` for `serving`. */
  readonly loadConfig: (options?: Pick<ConfigSources, "serving">) => Promise<LoadedConfig>;
};

export type Command = {
  /** As it is typed: one word or two. */
  readonly name: string;
  /** What it does, as one clause: `lists the accounts`. */
  readonly summary: string;
  /** More, for its own help. */
  readonly details: string | null;
  /** Whether it takes the settings' flags, and whether its help lists them or refers to the program's. */
  readonly settings: "none" | "taken" | "listed";
  /** By position, in this order. Only the last may be left out. */
  readonly positionals: Options;
  /** By key: `dryRun` is typed `--dry-run`. */
  readonly options: Options;
  readonly run: (values: Readonly<Record<string, unknown>>, context: Context) => Promise<void>;
};

type Definition<P extends Options, O extends Options> = Omit<
  Command,
  "details" | "positionals" | "options" | "run"
> & {
  readonly details?: string;
  readonly positionals?: P;
  readonly options?: O;
  readonly run: (values: Values<P & O>, context: Context) => Promise<void>;
};

/** Defines a command whose `run` knows the types of its values. */
export function command<P extends Options = {}, O extends Options = {}>(
  definition: Definition<P, O>,
): Command {
  return {
    ...definition,
    details: definition.details ?? null,
    positionals: definition.positionals ?? {},
    options: definition.options ?? {},
    // The boundary where the types are forgotten: values are read by the very options that `Values` is made from.
    run: (values, context) => definition.run(values as Values<P & O>, context),
  };
}

/** Wrong usage: what is wrong, a line each, and the command to see the help of (empty: the whole program's). */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly problems: readonly string[];
  readonly commandName: string;

  constructor(problems: readonly string[], commandName: string) {
    super(problems.join("\n"));
    this.problems = problems;
    this.commandName = commandName;
  }
}

/** A key as it is typed: `passwordStdin` is `password-stdin`. */
export function typedName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
