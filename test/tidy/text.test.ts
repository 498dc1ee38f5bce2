import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import {
  faultyLines,
  listProjectPaths,
  type ProjectFile,
  projectRoot,
  readProjectFiles,
} from "./project-files.ts";

const fileBytesMax = 1024 * 1024;
const texts =
  /\.(?:tsx?|css|html|md|json|toml|sql|yml)$|(?:^|\/)(?:\.ci\/run|Dockerfile|\.gitignore|\.dockerignore)$/;

/** What drizzle-kit writes keeps its style. */
const generated = /^src\/adapters\/(?:sqlite|postgres)\/migrations\//;

/** Bad lines in any text. The patterns are written so that they do not find themselves. */
const badLines: readonly { readonly pattern: RegExp; readonly what: string; readonly in?: RegExp }[] = [
  {
    pattern: /\b(?:TO[D]O|FI[X]ME|XX[X]|HAC[K])\b(?!\(#\d+\))/,
    what: "a mark without an issue",
    in: /^(?:src|test|tools)\//,
  },
  { pattern: /\t/, what: "a tab" },
  { pattern: /[ \t]$/, what: "blanks at the end" },
  { pattern: /\r/, what: "a carriage return" },
  { pattern: /\/wor[k]\/|\/hom[e]\/\w+\/\.|\/tm[p]\/briefs/, what: "a path of one machine" },
  { pattern: /\b(?:registry|deb|security)\.(?:npmjs|yarnpkg|debian)\b/, what: "the address of a registry" },
  {
    pattern: /\b(?:test|describe|it)\.(?:only|skip|todo)\(/,
    what: "a focused or skipped test",
    in: /^test\//,
  },
];

const vagueNames = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|index)(?:\.[^/]*)?(?:\/|$)/;
const kebabCase = /^(?:[a-z0-9]+(?:[-.][a-z0-9]+)*)$/;

function textFaults(file: ProjectFile): readonly string[] {
  if (generated.test(file.path)) return [];
  const rules = badLines.filter((rule) => !rule.in || rule.in.test(file.path));
  const lines = rules.flatMap((rule) => faultyLines(file, rule.pattern, rule.what));
  return file.text === "" || file.text.endsWith("\n")
    ? lines
    : [...lines, `${file.path}: no line end at the end`];
}

function nameFaults(path: string): readonly string[] {
  if (!/^(?:src|test|tools)\//.test(path) || generated.test(path)) return [];
  // Bundlers and servers know a page by its name, people a README.
  if (path === "src/web/index.html" || path.endsWith("/README.md")) return [];
  if (vagueNames.test(path)) return [`${path}: says nothing about what is inside`];
  return path.split("/").every((part) => kebabCase.test(part) || part.startsWith("_"))
    ? []
    : [`${path}: not kebab-case`];
}

function looseVersions(manifest: string): readonly string[] {
  const { dependencies, devDependencies }: Record<string, Record<string, string>> = JSON.parse(manifest);
  const all = Object.entries({ ...dependencies, ...devDependencies });
  return all
    .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}: ${version}`);
}

/** Entries of a page of decisions that do not end with the condition under which they are looked at again. */
function openEndedDecisions({ path, text }: ProjectFile): readonly string[] {
  const entries = text.split(/^## /m).slice(1);
  return entries
    .filter((entry) => !/\n_Look again [^\n]+(?:\n[^\n]+)*_\s*$/.test(entry))
    .map((entry) => `${path}: ${entry.split("\n", 1)[0]}`);
}

const read = (path: string) => Bun.file(join(projectRoot, path)).text();

test("texts hold no stray marks, blanks, machine paths or registry addresses", () => {
  const files = readProjectFiles(texts);
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(textFaults)).toEqual([]);
});

// A tilde keeps each plant from being found where it stands; the test takes it out.
test.each([
  ["a mark without an issue", "src/a.ts", "// TO~DO: repair\n"],
  ["a tab", "src/a.ts", "\tx\n"],
  ["a trailing blank", "README.md", "x \n"],
  ["a carriage return", "README.md", "x\r\n"],
  ["a path of one machine", "docs/a.md", "see /wor~k/main\n"],
  ["a registry address", "bun.lock", "https://registry.~npmjs.org/x\n"],
  ["a focused test", "test/a.test.ts", "test.on~ly(() => {})\n"],
  ["a missing line end", "src/a.ts", "x"],
])("finds %s", (_, path, text) => {
  expect(textFaults({ path, text: text.replaceAll("~", "") })).toHaveLength(1);
});

test("a mark that names its issue is fine", () => {
  expect(textFaults({ path: "src/a.ts", text: "// TODO(#12): repair\n" })).toEqual([]);
});

test("files are named in kebab-case for what is inside", () => {
  expect(listProjectPaths().flatMap(nameFaults)).toEqual([]);
});

test("what lies in the project's folder for a moment while it is built is not among its files", async () => {
  await using folder = await temporaryFolder();
  for (const name of ["a.ts", ".343077587bbe8fdb-00000000.bun-build", "bun.log", "dist/b.ts"])
    await Bun.write(join(folder.path, name), "");
  expect(listProjectPaths(folder.path).map((path) => basename(path))).toEqual(["a.ts"]);
});

test.each([
  "src/http/utils.ts",
  "src/helpers/a.ts",
  "src/domain/index.ts",
  "src/domain/Account.ts",
  "test/a_b.test.ts",
])("refuses the name %s", (path) => {
  expect(nameFaults(path)).toHaveLength(1);
});

test("no file is larger than 1 MiB", () => {
  const large = listProjectPaths().filter((path) => statSync(join(projectRoot, path)).size > fileBytesMax);
  expect(large).toEqual([]);
});

test("dependencies are pinned to exact versions", async () => {
  expect(looseVersions(await read("package.json"))).toEqual([]);
  expect(looseVersions(`{"dependencies":{"a":"^1.0.0"},"devDependencies":{"b":"latest"}}`)).toHaveLength(2);
});

test("the scripts for machines without Bun fetch the pinned one", async () => {
  const manifest = await read("package.json");
  const pins = [...manifest.matchAll(/"bun": "(?<version>[^"]+)"/g)].map(({ groups }) => groups?.["version"]);
  expect(pins).toEqual([Bun.version]);
  expect(await read("tools/install.mjs")).toContain("npx --yes bun@${wanted}");
  const { dependencies, devDependencies } = JSON.parse(manifest);
  expect([dependencies.bun, devDependencies["@types/bun"]]).toEqual([Bun.version, Bun.version]);
});

test("the lock file names no registry, so that every mirror serves", async () => {
  expect(await read("bun.lock")).not.toMatch(/https?:/);
});

test("the changelog has a place for what is not released yet", async () => {
  expect(await read("CHANGELOG.md")).toMatch(/^## Unreleased$/m);
});

test("every decision says when to look at it again", () => {
  const pages = readProjectFiles(/^docs\/decisions\/(?!README).*\.md$/);
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap(openEndedDecisions)).toEqual([]);
});

test("finds a decision that does not", () => {
  const text = "# A\n\n## B\n\nSo.\n\n_Look again when C._\n\n## D\n\nSo.\n";
  expect(openEndedDecisions({ path: "docs/decisions/a.md", text })).toEqual(["docs/decisions/a.md: D"]);
});
