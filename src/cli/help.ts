/** Help texts, made from the tables of commands and settings, for a terminal of 80 columns. */
import type { Option } from "../boot/config/options.ts";
import { settings } from "../boot/config/settings.ts";
import { version } from "../boot/version.ts";
import { typedName, type Command, type Options } from "./command.ts";
import { configOption, helpOption } from "./parse.ts";

const columns = 80;
/** Wider names get a line of their own. */
const nameColumnsMax = 24;

type Row = readonly [name: string, meaning: string];

/** The help of the program: all commands and all settings. */
export function programHelp(commands: readonly Command[]): string {
  return blocks(
    [`cloakroom ${version}, an account, skin and cape server for game communities`],
    ["Usage: cloakroom [command] [options]", ...wrap("Without a command it serves.", 0)],
    section("Commands", commands.map(commandRow)),
    ["Every command has its own help: cloakroom <command> --help"],
    settingsSection(),
  );
}

/** Help for the first word of two: `user`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  return blocks(
    [`Usage: cloakroom ${word} <command> [options]`],
    section("Commands", commands.map(commandRow)),
    [`Every command has its own help: cloakroom ${word} <command> --help`],
  );
}

/** The help of one command: its arguments, its options, and the settings if it lists them. */
export function commandHelp(command: Command): string {
  const own = Object.entries(command.options).map(([key, option]) => optionRow(typedName(key), option));
  const dataDir = command.settings === "taken" ? [optionRow("data-dir", settings.DATA_DIR)] : [];
  const config = command.settings === "none" ? [] : [optionRow("config", configOption)];
  return blocks(
    synopsis(command),
    wrap(sentence(command.summary), 0),
    command.details === null ? [] : wrap(command.details, 0),
    section("Arguments", positionalRows(command.positionals)),
    section("Options", [...own, ...dataDir, ...config, optionRow("help", helpOption)]),
    command.settings === "taken"
      ? ["Every setting can be given as a flag too: cloakroom --help lists them."]
      : [],
    command.settings === "listed" ? settingsSection() : [],
  );
}

function commandRow(command: Command): Row {
  return [command.name, command.summary];
}

function positionalRows(positionals: Options): Row[] {
  return Object.entries(positionals).map(([key, option]): Row => [`<${key}>`, explained(option)]);
}

function optionRow(name: string, option: Option<unknown>): Row {
  const value = option.placeholder === null ? "" : ` ${option.placeholder}`;
  return [`--${name}${value}`, explained(option)];
}

function explained(option: Option<unknown>): string {
  const notes = [
    option.fallback === null ? null : `default: ${option.fallback}`,
    option.repeatable ? "may be given several times" : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? option.meaning : `${option.meaning} (${notes.join("; ")})`;
}

function settingsSection(): string[] {
  const how =
    "Each is a flag (--data-dir DIR), a variable of the environment (DATA_DIR=DIR), or a line of a TOML file (port = 3001):" +
    " cloakroom.toml in DATA_DIR, or the one that --config names instead. A flag beats the environment, the environment beats the file.";
  const rows = Object.entries(settings).map(([name, setting]): Row => [name, explained(setting)]);
  return [...section("Settings", rows), ...wrap(how, 2)];
}

/** How the command is typed, required options before the others, wrapped between its parts. */
function synopsis(command: Command): string[] {
  const options = Object.entries(command.options);
  const parts = [
    ...Object.entries(command.positionals).map(([key, { required }]) => (required ? `<${key}>` : `[${key}]`)),
    ...options.filter(([, option]) => option.required).map((option) => typed(option) + dots(option)),
    ...options.filter(([, option]) => !option.required).map((option) => `[${typed(option)}]${dots(option)}`),
    ...(command.settings === "none" ? [] : ["[settings]"]),
  ];
  const start = `Usage: cloakroom ${command.name}`;
  const lines = wrap(parts.join(" "), start.length + 1).map((line) => line.replaceAll("\u00a0", " "));
  return lines.length === 0 ? [start] : [start + (lines[0] ?? "").slice(start.length), ...lines.slice(1)];
}

function dots([, { repeatable }]: [string, Option<unknown>]): string {
  return repeatable ? "..." : "";
}

/** An option as it is typed, with a space that is no place for a line break. */
function typed([key, option]: [string, Option<unknown>]): string {
  return optionRow(typedName(key), option)[0].replaceAll(" ", "\u00a0");
}

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const widths = rows.map(([name]) => name.length).filter((width) => width <= nameColumnsMax);
  const indent = Math.max(0, ...widths) + 4;
  return [`${title}:`, ...rows.flatMap((row) => twoColumns(row, indent))];
}

function twoColumns([name, meaning]: Row, indent: number): string[] {
  const lines = wrap(meaning, indent);
  const head = `  ${name}`;
  if (head.length + 2 > indent) return [head, ...lines];
  return [head + (lines[0] ?? "").slice(head.length), ...lines.slice(1)];
}

/** Lines of at most 80 columns, each indented. A word that is longer than a line stays whole. */
function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (indent + longer.length > columns && line !== "") {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== "") lines.push(line);
  return lines.map((one) => " ".repeat(indent) + one);
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function blocks(...parts: readonly (readonly string[])[]): string {
  const filled = parts.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
