/** Writes docs/guide/settings.md from the table of settings: `bun tools/settings-page.ts`. */
import { join } from "node:path";
import { settings } from "../src/boot/config/settings.ts";

export const settingsPagePath = join(import.meta.dir, "../docs/guide/settings.md");

/** The page says once how a provider is set up, for Discord. */
const repeated = /^SOCIAL_(?:GITHUB|GOOGLE|TWITCH|OIDC)_CLIENT_/;

/** The page's text, before the formatter aligns its table. */
export function settingsPage(): string {
  const rows = Object.entries(settings)
    .filter(([name]) => !repeated.test(name))
    .map(
      ([name, { meaning, fallback }]) => `| \`${name}\` | ${cell(fallback ?? "none")} | ${cell(meaning)} |`,
    );
  return `# Settings

A flag beats the environment, the environment beats the file, the file beats the default. The flag of \`PUBLIC_URL\` is
\`--public-url\`. All faults are reported at once, and the program then exits with 2.

The file is \`cloakroom.toml\` in \`DATA_DIR\`, where it is there; every command that is given the folder reads it. It is TOML: names in lower
case, texts in quotes, \`#\` before a comment.

\`\`\`toml
public_url = 'https://skins.example.org'
mail_from = 'Skins <noreply@example.org>'
port = 3001
\`\`\`

- \`--config FILE\` names another file instead, and \`--config none\` reads no file. The one in \`DATA_DIR\` may not set \`data_dir\`.
- Where the file is no TOML, the message names the line. A file of \`NAME=value\` lines is refused with the same lines in TOML. Values of secrets are not shown.
- No backup holds it, and a restore or a move does not touch it: settings belong to the machine. Keep a copy where you keep your backups.
- While it holds a secret and other users of the machine can read it, each start and \`doctor\` say so.

\`bun run docs\` makes this page from the table that the program reads; \`cloakroom --help\` prints the same. Each other provider
has the settings of \`SOCIAL_DISCORD_CLIENT_ID\` and \`SOCIAL_DISCORD_CLIENT_SECRET\` under its own name (\`GITHUB\`, \`GOOGLE\`, \`TWITCH\`,
\`OIDC\`).

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
