import { compose } from "../boot/compose.ts";
import { ConfigError, loadConfig } from "../boot/config.ts";
import { didYouMean } from "../boot/config/spelling.ts";
import { aboutDataFolder, dataFolder, refuseEmptyFolder } from "../boot/data-folder.ts";
import { version } from "../boot/version.ts";
import { compileSoon } from "../kernel/compiling.ts";
import { AppError } from "../kernel/errors.ts";
import type { LogFields } from "../kernel/log-fields.ts";
import { UsageError, type Command, type Context } from "./command.ts";
import { processIo, type Io } from "./io.ts";
import { jsonText } from "./output.ts";
import { asksForHelp, parseArguments, type Invocation } from "./parse.ts";
import { serve } from "./serve.ts";

/** 0: done, 1: failed, 2: wrong usage or settings. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs the command that the arguments (those after the program's name) name. Never throws: problems are
 * printed.
 */
export async function runCli(args: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  try {
    await dispatch(args, io);
    return 0;
  } catch (cause) {
    return report(cause, await asksForJson(args), io);
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<void> {
  if (args[0] === "--version") return io.out(`cloakroom ${version}\n`);
  const command = await findCommand(args);
  if (command === null) return helpWithoutCommand(args, io);
  const own = args[0]?.startsWith("-") === false ? args.slice(command.name.split(" ").length) : args;
  if (asksForHelp(own)) {
    const { commandHelp } = await import("./help.ts");
    return io.out(commandHelp(command));
  }
  const invocation = parseArguments(command, own);
  const result = await command.run(invocation.values, contextOf(invocation, io));
  if (result === undefined) return;
  if (typeof result === "string") return io.out(result);
  const text = invocation.values["json"] === true ? jsonText(result.record) : result.text;
  if (text !== "") io.out(text);
  if (result.failure) throw result.failure;
}

function contextOf({ flags, configFile }: Invocation, io: Io): Context {
  const sources = {
    flags,
    environment: io.environment,
    file: configFile,
    logsToTerminal: io.errorIsTerminal,
  };
  return {
    io,
    loadConfig: (options) => loadConfig({ ...sources, ...options }),
    withServices: async (work, { begins = false } = {}) => {
      const { config } = await loadConfig(sources);
      try {
        if (!begins && config.database === null) refuseEmptyFolder(dataFolder(config.dataDir));
        await using services = await compose(config);
        return await work(services, config);
      } catch (cause) {
        throw aboutDataFolder(config.dataDir, cause);
      }
    },
  };
}

/** Settings without a command mean serve. Null for `--help` alone, which is about the whole program. */
async function findCommand([first = "-", second]: readonly string[]): Promise<Command | null> {
  if (first === "--help" || first === "-h") return null;
  // A server does without the other commands and what they load: half a megabyte, and some milliseconds.
  if (first === serve.name || first.startsWith("-")) return serve;
  compileSoon();
  const { commands } = await import("./commands.ts");
  const commandNamed = (name: string) => commands.find((command) => command.name === name) ?? null;
  return commandNamed(`${first} ${second}`) ?? commandNamed(first);
}

async function helpWithoutCommand(args: readonly string[], io: Io): Promise<void> {
  const [{ commands }, { groupHelp, programHelp }] = await Promise.all([
    import("./commands.ts"),
    import("./help.ts"),
  ]);
  const [first = "", second = ""] = args;
  if (first.startsWith("-")) return io.out(programHelp(commands));
  const group = commands.filter((command) => command.name.startsWith(`${first} `));
  if (group.length > 0 && asksForHelp(args)) return io.out(groupHelp(first, group));
  const named = second.startsWith("-") || group.length === 0 ? first : `${first} ${second}`.trim();
  const names = commands.map((command) => command.name);
  const problem =
    named === first && group.length > 0
      ? `${first} needs a command: ${group.map((command) => command.name.slice(first.length + 1)).join(", ")}`
      : `unknown command ${JSON.stringify(named)}${didYouMean(named, names)}`;
  throw new UsageError([problem], group.length > 0 ? first : "");
}

/** A failure in words, a line each, and as programs learn of it. */
type Problem = {
  readonly exit: ExitCode;
  readonly code: string;
  readonly field: string | null;
  readonly lines: readonly string[];
};

function problemOf(cause: unknown): Problem {
  if (cause instanceof UsageError) return { exit: 2, code: "usage", field: null, lines: cause.problems };
  if (cause instanceof ConfigError) {
    const lines = ["the settings cannot be used", ...cause.faults.map((fault) => `  ${fault}`)];
    return { exit: 2, code: "settings", field: null, lines };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const reasons = Object.entries(reportOf(cause)).map(([about, reason]) => `  ${about}: ${String(reason)}`);
  if (cause instanceof AppError) {
    const { code, field } = cause;
    return { exit: 1, code, field, lines: [message, ...reasons] };
  }
  return { exit: 1, code: "internal", field: null, lines: [`internal fault: ${message}`, ...reasons] };
}

/** With `--json` one line of JSON, in which `msg` has the same lines. */
function report(cause: unknown, isJson: boolean, io: Io): ExitCode {
  const { exit, code, field, lines } = problemOf(cause);
  if (isJson) io.error(`${JSON.stringify({ error: { code, field, msg: lines.join("\n") } })}\n`);
  else for (const line of lines) io.error(line.startsWith(" ") ? `${line}\n` : `cloakroom: ${line}\n`);
  if (exit === 1 && io.environment["LOG_LEVEL"] === "debug") io.error(`${Bun.inspect(cause)}\n`);
  else if (!isJson) io.error(hintOf(cause));
  return exit;
}

/** Where the reader learns more. */
function hintOf(cause: unknown): string {
  if (cause instanceof UsageError) {
    const words = ["cloakroom", cause.commandName, "--help"].filter((word) => word !== "");
    return `See ${words.join(" ")}\n`;
  }
  if (cause instanceof ConfigError || cause instanceof AppError) return "";
  return "Run it again with LOG_LEVEL=debug to see where.\n";
}

/** Whether the arguments ask for JSON of a command that prints it, also where they cannot be parsed. */
async function asksForJson(args: readonly string[]): Promise<boolean> {
  return args.includes("--json") && (await findCommand(args))?.options["json"] !== undefined;
}

/** The facts beyond the message, also of a failure that was wrapped. */
function reportOf(cause: unknown): LogFields {
  return cause instanceof AppError ? (cause.report ?? reportOf(cause.cause)) : {};
}
