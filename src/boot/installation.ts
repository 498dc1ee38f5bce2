import { resolve } from "node:path";
import type { Installation, Start } from "../domain/model/installation.ts";
import type { LoadedConfig } from "./config.ts";
import { flagOf, settings } from "./config/settings.ts";

/**
 * The settings and the start, as administrators see them. Each call reads the file of settings again: people
 * change it while the server runs.
 */
export function installationOf(loaded: Loaded, start: Start): () => Promise<Installation> {
  const fixed = startOf(loaded, start);
  const { settingsFile, settingsFileNow, given } = loaded;
  const elsewhere = given.filter(({ from }) => from !== "file");
  return async () => {
    const { names, ...now } = await settingsFileNow();
    const inFile = names.filter((name) => !elsewhere.some((one) => one.name === name));
    return {
      ...fixed,
      settingsFile: { path: settingsFile.path, ...now },
      settings: [...elsewhere, ...inFile.map((name) => ({ name, from: "file" as const }))],
    };
  };
}

type Loaded = Pick<LoadedConfig, "config" | "settingsFile" | "settingsFileNow" | "given" | "flags">;

function startOf(
  { config, settingsFile, flags }: Loaded,
  start: Start,
): Omit<Installation, "settingsFile" | "settings"> {
  const { path, isNamed } = settingsFile;
  const usual = resolve(start.folder, settings.DATA_DIR.fallback ?? "");
  const named = isNamed ? ` --config ${shellWord(path)}` : "";
  const dataDir = config.dataDir === usual ? "" : ` --data-dir ${shellWord(config.dataDir)}`;
  const typed = Object.entries(flags)
    .filter(([name]) => name !== "DATA_DIR")
    .map(([name, text]) => ` --${flagOf(name)} ${shellWord(text)}`);
  const options = named + dataDir + typed.join("");
  const restart = withOptions(start.restart, options);
  return { ...start, restart, options };
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
