/** Writes docs/contract/errors.md from the tables of refusals: `bun tools/errors-page.ts`. */
import { join } from "node:path";
import { catalogue } from "../src/http/refusal-catalogue.ts";
import { statusOf } from "../src/http/surface.ts";

export const errorsPagePath = join(import.meta.dir, "../docs/contract/errors.md");

/** The page's text, before the formatter joins its lines. */
export function errorsPage(): string {
  const lines = [...catalogue.values()]
    .toSorted((one, other) => (one.code < other.code ? -1 : 1))
    .map(({ code, kind, sentence, field }) => ({
      status: statusOf[kind],
      line: `- \`${code}\`: ${field === null ? "" : "{field} "}${written(sentence)}`,
    }));
  const statuses = [...new Set(lines.map(({ status }) => status))].toSorted((one, other) => one - other);
  const sections = statuses.map((status) => {
    const own = lines.filter((one) => one.status === status).map(({ line }) => line);
    return `## ${status}\n\n${own.join("\n")}`;
  });
  return `# Errors

Every failure of the API, and of what the console asks below \`/console\`, says in a header what it is. Pages and files do not.

\`\`\`
X-Error: name_taken; field="username"
X-Error: too_many; seconds=30
X-Error: skin_not_shared; field="player"; name=%"%c3%85sa"
\`\`\`

It is an item with parameters (RFC 9651). The code is a token of \`[a-z_]\` and keeps its meaning. A client may translate by it, and shows
\`msg\` for a code that it does not know. New codes may come with any version.

- \`field\` names the input at fault as \`msg\` does: a field of the body, a parameter, or \`body\`. A code without \`{field}\` below has one
  all the same where its rule is one of many fields.
- The other parameters are the values in braces: whole numbers, \`?1\` or \`?0\`, and texts in quotes. A text that is not printable ASCII is
  a Display String (3.3.8): \`%"…"\` with UTF-8 in percent-encoding. A text is cut off after 256 characters. \`until\` is left out where there is no end.
- Where one answer hides whether an account exists, one code hides it too.
- An [edit in the home area](home.md#edits) keeps the refusal's code, whatever its status is.
- Protocols of others (Yggdrasil, skin mods, launch servers, avatars) do not send the header. Pages of other origins may read it where
  CORS opens the answer.
- \`X-Error\` is an addition to the contract; \`msg\` stays as it was.

The codes follow by status, each with its \`msg\`. A slanted word is a field, for which \`msg\` has the name of the address. \`bun run docs\`
makes this page from the tables that the program throws by.

${sections.join("\n\n")}
`;
}

/** A sentence as the page writes it: formats go, and words that are not sent are left out. */
function written(sentence: string): string {
  return sentence
    .replaceAll(/\{(\w+)\|unsent\}/g, "…")
    .replaceAll(/\{(\w+)\|\w+\}/g, "{$1}")
    .replaceAll("<", "\\<")
    .replaceAll("*", "\\*")
    .replaceAll(/\[\[(\w+)\]\]/g, "_$1_");
}

if (import.meta.main) {
  await Bun.write(errorsPagePath, errorsPage());
  await Bun.$`bun fmt ${errorsPagePath}`.quiet();
}
