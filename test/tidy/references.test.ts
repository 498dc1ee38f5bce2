/**
 * Every link in a document, and every reference in a comment, leads to a page or a file of this repository.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type ProjectFile, projectRoot, readProjectFiles } from "./project-files.ts";
import { proseFaults, proseOf } from "./prose.ts";

/** Reads a file of the project: "" for a folder, null when there is nothing. */
type Read = (path: string) => string | null;

const readProject: Read = (path) => {
  const whole = join(projectRoot, path);
  if (!existsSync(whole)) return null;
  return path.endsWith(".md") ? readFileSync(whole, "utf8") : "";
};

/**
 * Relative links, images, `src` and `href` attributes and labels of a document that lead nowhere, and paths
 * that are not there.
 */
function documentFaults(file: ProjectFile, read: Read): readonly string[] {
  const links = file.text.matchAll(
    /\]\((?<inline>[^)\s]+)[^)]*\)|\b(?:src|href)="(?<attribute>[^"]+)"|^\[[^\]]+\]: (?<label>\S+)$/gm,
  );
  const targets = [...links].map(
    ({ groups }) => groups?.["inline"] ?? groups?.["attribute"] ?? groups?.["label"],
  );
  const relative = targets.filter((target) => target !== undefined && !/^[a-z]+:/.test(target));
  const missing = relative.flatMap((target = "") => pageFaults(target, file.path, read));
  return [...missing.map((fault) => `${file.path}: ${fault}`), ...pathFaults(file, file.text, read)];
}

/** What of a link within a page, or from it to another, is not there. */
function pageFaults(target: string, from: string, read: Read): readonly string[] {
  const [path = "", anchor] = target.split("#");
  const page = path === "" ? from : posix.join(posix.dirname(from), path);
  const text = read(page);
  if (text === null) return [`${target} is not there`];
  return anchor === undefined || anchorsOf(text).has(anchor)
    ? []
    : [`${target}: the page has no such heading`];
}

/** The anchors that a page's headings have, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = page.replaceAll(/^```[\s\S]*?^```/gm, "");
  const headings = text.matchAll(/^#{1,6} (?<title>.+)$/gm);
  return new Set(Array.from(headings, ({ groups }) => anchorOf(groups?.["title"] ?? "")));
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const pages =
  /(?<![\w./@-])(?:docs\/[\w./-]*[\w/-]|(?:README|SECURITY|CONTRIBUTING|CHANGELOG)\.md)(?:#[\w-]+)?/g;
const vague =
  /\b(?:[Cc]ontract|[Dd]ecisions|[Oo]perator)(?:'s +\w+)?[,:]? +[A-Z]|\b(?:decisions|operator's|design) +page\b|[Oo]perator's +interface|\bissue +#?\d/g;

/** References in a code file's comments that lead nowhere, or that name no page. */
function commentFaults(file: ProjectFile, read: Read): readonly string[] {
  const { text, lineAt } = proseOf(file, false);
  const cited = [...text.matchAll(pages)].flatMap(({ index, 0: target }) =>
    pageFaults(target, "", read).map((fault) => `${file.path}:${lineAt(index)}: ${fault}`),
  );
  const unnamed = proseFaults(
    file,
    vague,
    "cite the page by its path, as docs/contract/admin.md#levels",
    false,
  );
  return [...cited, ...pathFaults(file, text, read), ...unnamed];
}

/**
 * Source files in backticks that are not there; a path is written from the project's folder or from `src`.
 */
function pathFaults(file: ProjectFile, text: string, read: Read): readonly string[] {
  const named = text.matchAll(/`(?<path>[\w.-]+\/[\w./-]+\.(?:ts|md|sql|yml|toml))`/g);
  return [...named]
    .map(({ groups }) => groups?.["path"] ?? "")
    .filter((path) => read(path) === null && read(`src/${path}`) === null)
    .map((path) => `${file.path}: ${path} is not there`);
}

test("every link and path in the documents leads somewhere", () => {
  const files = readProjectFiles(/\.md$/);
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap((file) => documentFaults(file, readProject))).toEqual([]);
});

test("every reference in a comment leads to a page or a file of this repository", () => {
  const files = readProjectFiles(/^(?:src|test|tools)\/.*\.(?:tsx?|mjs)$/);
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => commentFaults(file, readProject))).toEqual([]);
});

const plants: Readonly<Record<string, string>> = {
  "README.md": "# Start",
  "docs/contract/admin.md":
    "# Administration\n\n## Levels\n\n## `PATCH` a user\n\n```md\n## Not a heading\n```\n",
  "src/domain/a.ts": "",
};
const readPlant: Read = (path) => plants[path] ?? null;

describe("finds in a document", () => {
  test.each([
    ["a link to a page that is not there", "[a](gone.md)"],
    ["a picture that is not there", '![a](gone.png "title")'],
    ["an attribute that leads nowhere", '<img src="gone.svg">'],
    ["a label that leads nowhere", "[a]: gone.md"],
    ["a heading that is not on another page", "[a](contract/admin.md#gone)"],
    ["a heading that is not on this page", "[a](#gone)"],
    ["a heading within an example", "[a](contract/admin.md#not-a-heading)"],
    ["a path that is not there", "`src/domain/gone.ts`"],
  ])("%s", (_, text) => {
    expect(
      documentFaults({ path: "docs/a.md", text: `# Here\n\n${text}\n` }, readDocument(text)),
    ).toHaveLength(1);
  });
});

test("accepts links that lead somewhere", () => {
  const text = `# Here\n\n[a](contract/admin.md#levels) [b](contract/admin.md#patch-a-user) [c](https://x.example/y#z) [d](#here)
[e](../README.md) \`domain/a.ts\` \`src/domain/a.ts\`\n`;
  expect(documentFaults({ path: "docs/a.md", text }, readDocument(text))).toEqual([]);
});

describe("finds in a comment", () => {
  test.each([
    ["a page that is not there", "/** As docs/contract/gone.md says. */"],
    ["a heading that is not there", "// docs/contract/admin.md#gone"],
    ["a reference without a page", "/** Bans (decisions, Admin: bans). */"],
    ["one over two lines", "/**\n * Bans (decisions,\n * Admin). */"],
    ["one at the beginning", "/** Contract, Admin: users. */"],
    ["a page that only its authors have", "// As the decisions page says."],
    ["the number of an issue", "// Since issue 7 there are several."],
    ["a file that is not there", "// See `domain/gone.ts`."],
  ])("%s", (_, text) => {
    expect(commentFaults({ path: "src/a.ts", text }, readPlant)).toHaveLength(1);
  });
});

test.each([
  ["a page and its heading", "/** docs/contract/admin.md#levels, README.md. */"],
  ["a standard", "// RFC 9457 3.1, https://docs.example/docs/api/reference#get"],
  ["a file", "// `domain/a.ts`, `src/domain/a.ts`"],
  ["the contract as such", "// In the contract's words."],
  ["text that is no comment", 'const path = "docs/gone.md";'],
])("accepts %s", (_, text) => {
  expect(commentFaults({ path: "src/a.ts", text }, readPlant)).toEqual([]);
});

function readDocument(text: string): Read {
  return (path) => (path === "docs/a.md" ? `# Here\n\n${text}\n` : readPlant(path));
}
