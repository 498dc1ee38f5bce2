/** Writes docs/guide/settings.md from the table of settings: `bun tools/settings-page.ts`. */
import { join } from "node:path";
import { settings } from "../src/boot/config/settings.ts";

export const settingsPagePath = join(import.meta.dir, "../docs/guide/settings.md");

/** The page's text, before the formatter aligns its table. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(
    ([name, { meaning, fallback }]) => `| \`${name}\` | ${cell(fallback ?? "none")} | ${cell(meaning)} |`,
  );
  return `# Settings

A flag beats the environment, the environment beats the TOML file of \`--config\`, the file beats the default. The flag of
\`DATA_DIR\` is \`--data-dir\`; in the file the name is \`data_dir\`. All faults are reported at once, and the program then exits with 2.
\`bun run docs\` makes this page from the table that the program reads; \`cloakroom --help\` prints the same.

| name | default | meaning |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "\\<").replaceAll("*", "\\*");
}

if (import.meta.main) {
  await Bun.write(settingsPagePath, settingsPage());
  await Bun.$`bun fmt ${settingsPagePath}`.quiet();
}
