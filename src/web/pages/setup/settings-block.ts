/** The lines that an owner copies into the file of settings. */
import type { StaffWords } from "../../../words/en/staff-pages.ts";
import { steps } from "./steps.ts";

/** What was filled in on the page, by the setting's name in lower case; empty texts count as missing. */
export type Filled = Readonly<Record<string, string>>;

/**
 * Lines of TOML for the settings that are not given yet, in groups under comments. Filled-in values are
 * settings; the rest are examples behind `#`, so the block can be pasted as it is. Empty when all are given.
 */
export function settingsBlock(
  filled: Filled,
  given: ReadonlySet<string>,
  words: StaffWords["setup"],
): string {
  const groups = steps.map(({ name, settings }) => {
    const open = Object.entries(settings).filter(([setting]) => !given.has(setting));
    const lines = open.map(([setting, example]) => {
      const value = filled[setting]?.trim() ?? "";
      return value === "" ? `# ${setting} = ${tomlText(example)}` : `${setting} = ${tomlText(value)}`;
    });
    return lines.length === 0 ? "" : `# ${words.steps[name].title}\n${lines.join("\n")}\n`;
  });
  return groups.filter((group) => group !== "").join("\n");
}

/**
 * A text in TOML: a literal string if possible (TOML 1.0, Literal strings), else with JSON's escapes, which
 * TOML shares.
 */
function tomlText(text: string): string {
  return /['\p{Cc}]/u.test(text) ? JSON.stringify(text).replaceAll("\u007F", "\\u007f") : `'${text}'`;
}
