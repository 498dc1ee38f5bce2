/** Log lines: one JSON object a line for machines, or a readable form for a terminal. */
import type { LogFields } from "./log-fields.ts";

/** From least to most severe; a logger drops lines below its level. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The format of a line. */
export type LogFormat = "pretty" | "json";

/** Writes one line for each call. The message is a fixed text; what varies goes into the fields. */
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

/** A logger's settings. */
export type LogOptions = {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Colours the level in pretty lines. */
  readonly colour?: boolean;
  /** Takes a line with its line end, and its level. Default: the process's standard error. */
  readonly write?: (line: string, level: LogLevel) => void;
  /** Default: the machine's clock. */
  readonly now?: () => Date;
  /** Fields of every line: which of several processes wrote it. */
  readonly always?: LogFields;
};

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
/** Chains of causes and nested objects can both be circular. */
const depthMax = 5;

/** Makes a logger. */
export function createLogger(options: LogOptions): Logger {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const format = options.format === "json" ? jsonLine : prettyLine(options.colour ?? false);
  const { always } = options;
  const at = (level: LogLevel) => {
    if (levels.indexOf(level) < levels.indexOf(options.level)) return () => undefined;
    return (message: string, fields: LogFields = {}) => {
      const all = always === undefined ? fields : { ...always, ...fields };
      write(`${format(now().toISOString(), level, message, all)}\n`, level);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Time, level and message come first and cannot be overwritten by a field of the same name. */
function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const line: Record<string, unknown> = { time, level, message, ...fields };
  line["time"] = time;
  line["level"] = level;
  line["message"] = message;
  // Request lines are of this kind, and take half as long this way.
  return Object.values(fields).every(isScalar) ? JSON.stringify(line) : stringify(line);
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function prettyLine(colour: boolean) {
  const paints = { debug: 90, info: 36, warn: 33, error: 31 } as const;
  return (time: string, level: LogLevel, message: string, fields: LogFields): string => {
    const name = level.toUpperCase().padEnd(5);
    const painted = colour ? `\x1b[${paints[level]}m${name}\x1b[0m` : name;
    const plain = Object.entries(fields).filter(([, value]) => !(value instanceof Error));
    const errors = Object.entries(fields).filter(([, value]) => value instanceof Error);
    const facts = plain.map(([key, value]) => ` ${key}=${shown(value)}`);
    const stacks = errors.map(([key, value]) => `\n    ${key}: ${stackOf(value)}`);
    const clock = time.replace("T", " ").replace("Z", "");
    return `${clock} ${painted} ${visible(message)}${facts.join("")}${stacks.join("")}`;
  };
}

/** Quotes everything but a plain word, so that a field can neither end a line nor look like another field. */
function shown(value: unknown): string {
  if (typeof value === "string" && /^[\w.:/@%+,-]+$/.test(value)) return value;
  return visible(stringify(value));
}

/** Escapes control characters, which a terminal would obey. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function stackOf(value: unknown, depth = 0): string {
  if (!(value instanceof Error)) return shown(value);
  const lines = (value.stack ?? `${value.name}: ${value.message}`).split("\n").map(visible).join("\n    ");
  if (value.cause === undefined || depth >= depthMax) return lines;
  return `${lines}\n    cause: ${stackOf(value.cause, depth + 1)}`;
}

/** JSON that handles errors, big integers and circular objects. */
function stringify(value: unknown): string {
  return JSON.stringify(plain(value)) ?? String(value);
}

function plain(value: unknown, depth = 0): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (depth > depthMax) return "[too deep]";
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  const fields = value instanceof Error ? errorFields(value) : value;
  return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, plain(one, depth + 1)]));
}

function errorFields(error: Error): LogFields {
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: error.cause };
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
