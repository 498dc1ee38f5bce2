/** The lines that an owner copies into the file of settings. */
import type { StaffWords } from "../../../words/en/staff-pages.ts";
import { steps } from "./steps.ts";

/** What was filled in on the page, by the setting's name in lower case; empty texts are as if they were not there. */
export type Filled = Readonly<Record<string, string>>;

/**
 * Lines of TOML for the settings that are not given yet, in groups under comments. What is filled in counts; the rest are examples behind `#`, so
 * that the block can be pasted as it is. Empty when all of them are given.
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

/** A text in TOML: as it is where it can stand so (TOML 1.0, Literal strings), else with JSON's escapes, which TOML has as well. */
function tomlText(text: string): string {
  return /['\p{Cc}]/u.test(text) ? JSON.stringify(text).replaceAll("\u007F", "\\u007f") : `'${text}'`;
}
