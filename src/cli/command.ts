/** What a command is: data from which arguments are parsed and help is made, and a function that runs it. */
import type { Ports } from "../boot/compose.ts";
import type { Option } from "../boot/config/options.ts";
import type { Config, ConfigSources, LoadedConfig } from "../boot/config.ts";
import type { AppError } from "../kernel/errors.ts";
import type { Io } from "./io.ts";

/** Options by key, in the order of the help. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values that the options read, under the same keys. */
type Values<O extends Options> = {
  readonly [Key in keyof O]: O[Key] extends Option<infer Value> ? Value : never;
};

/**
 * What a command gets beside its values: the streams, the settings, and the services over the data folder.
 */
export type Context = {
  readonly io: Io;
  /** Throws `ConfigError`. For commands that use settings; see `ConfigSources` for `serving`. */
  readonly loadConfig: (options?: Pick<ConfigSources, "serving" | "usesBucket">) => Promise<LoadedConfig>;
  /**
   * Opens the data folder that the settings name, does the work, and closes it. A server may be running
   * meanwhile. Only a command that `begins` a community creates a missing folder: for any other, the path is
   * probably mistyped.
   */
  readonly withServices: <T>(
    work: (services: Ports, config: Config) => Promise<T>,
    options?: { readonly begins?: boolean },
  ) => Promise<T>;
};

/** What a command prints: text, or with `--json` the record instead. A failure is reported after that. */
export type Result =
  string | { readonly record: unknown; readonly text: string; readonly failure?: AppError | null };

/** A command as the program keeps it: what parsing and help need, and the function that runs it. */
export type Command = {
  /** As it is typed: one word or two. */
  readonly name: string;
  /** What it does, as one clause: `lists the accounts`. */
  readonly summary: string;
  /** More text for its own help. */
  readonly details: string | null;
  /**
   * Whether it takes the settings' flags, and whether its help lists them or refers to the program's help.
   */
  readonly settings: "none" | "taken" | "listed";
  /** Positional options, in this order. Only the last may be optional. */
  readonly positionals: Options;
  /** Named options by key: `dryRun` is typed `--dry-run`. */
  readonly options: Options;
  /** A command that prints while it works returns nothing. */
  readonly run: (
    values: Readonly<Record<string, unknown>>,
    context: Context,
  ) => Promise<Result | undefined | void>;
};

type Definition<P extends Options, O extends Options> = Pick<Command, "name" | "summary"> & {
  readonly details?: string;
  readonly settings?: Command["settings"];
  readonly positionals?: P;
  readonly options?: O;
  readonly run: (values: Values<P & O>, context: Context) => ReturnType<Command["run"]>;
};

/** Defines a command whose `run` knows the types of its values. */
export function command<P extends Options = {}, O extends Options = {}>(
  definition: Definition<P, O>,
): Command {
  return {
    ...definition,
    details: definition.details ?? null,
    settings: definition.settings ?? "taken",
    positionals: definition.positionals ?? {},
    options: definition.options ?? {},
    // The boundary where the types are lost: the values come from the options that `Values` is made from.
    run: (values, context) => definition.run(values as Values<P & O>, context),
  };
}

/** Wrong usage: one line for each problem, and the command whose help to see (empty: the program's). */
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
