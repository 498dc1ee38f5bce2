/**
 * Lines such as `SMTP_URL=smtp://…`, as files of environment variables have them, in a file that has to be
 * TOML.
 */
import { isSetting, settings, type SettingName } from "./settings.ts";

/** Without blanks around the sign: those are TOML's. */
const variable = /^\s*(?:export\s+)?(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/;

/** Whether a text sets one of our settings as environment files do. */
export function holdsEnvironmentLines(text: string): boolean {
  return settingsIn(text).size > 0;
}

/**
 * What is wrong with such a file, for the end of a sentence that names it, and its settings in TOML. Values
 * of secrets are left out; variables that are no settings are not shown at all, because they may be secrets
 * of other programs.
 */
export function tomlOfEnvironment(text: string): string {
  const found = [...settingsIn(text)];
  const lines = found.map(([name, value]) => `\n    ${tomlLine(name, value)}`);
  const hasSecret = found.some(([name]) => settings[name].secret);
  const secrets = hasSecret ? " Put your own value where … stands." : "";
  return `is written like a file of environment variables. It has to be TOML: names in lower case, values in quotes.${secrets} The same settings:${lines.join("")}`;
}

/** Keys are names. As in environment files, the last of several lines counts. */
function settingsIn(text: string): ReadonlyMap<SettingName, string> {
  const found = new Map<SettingName, string>();
  for (const line of text.split(/\r?\n/)) {
    const { name = "", value = "" } = variable.exec(line)?.groups ?? {};
    if (isSetting(name)) found.set(name, unquoted(value.trim()));
  }
  return found;
}

function unquoted(value: string): string {
  return /^(?<quote>["'])(?<text>.*)\k<quote>$/.exec(value)?.groups?.["text"] ?? value;
}

function tomlLine(name: SettingName, value: string): string {
  return `${name.toLowerCase()} = ${tomlText(settings[name].secret ? "…" : value)}`;
}

/** A text in TOML: as it is where it can stand so (TOML 1.0, Literal strings), else with escapes. */
function tomlText(text: string): string {
  return /['\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
}
