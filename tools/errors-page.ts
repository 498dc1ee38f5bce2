/** Writes docs/contract/errors.md from the tables of refusals: `bun tools/errors-page.ts`. */
import { join } from "node:path";
import { catalogue } from "../src/http/refusal-catalogue.ts";
import { statusOf } from "../src/http/surface.ts";
import { valuesOf } from "../src/kernel/refusal.ts";

export const errorsPagePath = join(import.meta.dir, "../docs/contract/errors.md");

/** The page's text, before the formatter aligns its table. */
export function errorsPage(): string {
  const rows = [...catalogue.values()]
    .toSorted((one, other) => (one.code < other.code ? -1 : 1))
    .map(({ code, kind, sentence, field }) => {
      const values = [...(field === null ? [] : ["field"]), ...valuesOf(sentence)];
      const names = values.map((name) => `\`${name}\``).join(", ");
      return `| \`${code}\` | ${statusOf[kind]} | ${cell(sentence)} | ${names} |`;
    });
  return `# Errors

Every failure of the API and of \`/console\` says in a header what it is:

\`\`\`
X-Error: name_taken; field="username"
X-Error: too_many; seconds=30
X-Error: skin_not_shared; field="player"; name=%"%c3%85sa"
\`\`\`

It is an item with parameters (RFC 9651). The code is a token of \`[a-z_]\`. It keeps its meaning: a client may translate by it, and shows
\`msg\` for a code that it does not know. New codes may come with any version.

- \`field\` names the input at fault as \`msg\` does: the name of a field of the body, of a parameter, or \`body\`. A refusal whose row has
  no \`field\` has one all the same where a rule is of many fields.
- The other parameters are the values that \`msg\` names: whole numbers, \`?1\` or \`?0\`, and texts in quotes. A text that is not printable
  ASCII is a Display String (3.3.8): \`%"…"\` with UTF-8 in percent-encoding. A text has 256 characters at most; what follows is cut off.
- Where one answer hides whether an account exists, one code hides it too.
- An [edit in the home area](home.md#edits) keeps the refusal's code, whatever its status is.
- Protocols of others (Yggdrasil, skin mods, launch servers, avatars) do not send the header. Pages of other origins may read it where
  CORS opens the answer.
- \`X-Error\` is an addition to the contract; \`msg\` stays as it was.

In the sentences \`{seconds}\` is a value of that name, and a slanted word a field, for which \`msg\` has the name of the address. \`bun run docs\` makes this page from the tables that the program throws by.

| code | status | \`msg\` | parameters |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** A sentence as the page writes it: formats go, and words that are not sent are left out. */
function cell(sentence: string): string {
  return sentence
    .replaceAll(/\{(\w+)\|unsent\}/g, "…")
    .replaceAll(/\{(\w+)\|\w+\}/g, "{$1}")
    .replaceAll("|", "\\|")
    .replaceAll("<", "\\<")
    .replaceAll("*", "\\*")
    .replaceAll(/\[\[(\w+)\]\]/g, "_$1_");
}

if (import.meta.main) {
  await Bun.write(errorsPagePath, errorsPage());
  await Bun.$`bun fmt ${errorsPagePath}`.quiet();
}
