import { resolve } from "node:path";
import type { Installation, Start } from "../domain/model/installation.ts";
import type { LoadedConfig } from "./config.ts";
import { flagOf, settings } from "./config/settings.ts";

/** What administrators are shown of the settings and of the start. */
export function installationOf(
  { config, settingsFile, given, flags }: Pick<LoadedConfig, "config" | "settingsFile" | "given" | "flags">,
  start: Start,
): Installation {
  const { path, isNamed, isThere } = settingsFile;
  const usual = resolve(start.folder, settings.DATA_DIR.fallback ?? "");
  const named = isNamed ? ` --config ${shellWord(path)}` : "";
  const dataDir = config.dataDir === usual ? "" : ` --data-dir ${shellWord(config.dataDir)}`;
  const typed = Object.entries(flags)
    .filter(([name]) => name !== "DATA_DIR")
    .map(([name, text]) => ` --${flagOf(name)} ${shellWord(text)}`);
  const options = named + dataDir + typed.join("");
  const restart = withOptions(start.restart, options);
  return { ...start, restart, settingsFile: { path, isThere }, settings: given, options };
}

/** npm passes on what follows two dashes. The other ways of restarting have the options already. */
function withOptions(restart: Start["restart"], options: string): Start["restart"] {
  const { by, command } = restart;
  return by !== "npm" || command === null || options === ""
    ? restart
    : { by, command: `${command} --${options}` };
}

/** A text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
