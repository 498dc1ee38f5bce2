/** Every claim of docs/asvs.md points to something that exists, and every claim "met" points to a test. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-files.ts";

/** Reads a file of the project; null when it is not there. */
type Read = (path: string) => string | null;

type Row = { readonly id: string; readonly state: string; readonly how: string };

const states = new Set(["met", "believed", "partly", "not met", "operator"]);

function securityFaults(document: string, read: Read): readonly string[] {
  const rows = rowsOf(document);
  const twice = rows.filter(({ id }, at) => rows.findIndex((other) => other.id === id) !== at);
  return [
    ...(rows.length === 0 ? ["there are no rows"] : []),
    ...twice.map(({ id }) => `${id} stands twice`),
    ...rows.flatMap(stateFaults),
    ...missingFiles(document, read),
    ...missingTests(document, read),
  ];
}

function rowsOf(document: string): readonly Row[] {
  const lines = document.matchAll(/^\| (?<id>v\S+) +\|[^|]+\| (?<state>[^|]+?) +\| (?<how>[^|]+?) +\|$/gm);
  return [...lines].map(({ groups }) => ({
    id: groups?.["id"] ?? "",
    state: groups?.["state"] ?? "",
    how: groups?.["how"] ?? "",
  }));
}

/** A row that is met links to a test, a row that is believed names the code; the others say why. */
function stateFaults({ id, state, how }: Row): readonly string[] {
  if (!/^v5\.0\.0-\d+\.\d+\.\d+$/.test(id)) return [`${id} is no number of the standard`];
  if (!states.has(state)) return [`${id}: ${state} is no state`];
  if (state === "met" && !/\]\[/.test(how)) return [`${id} is met without a test`];
  if (state === "believed" && !/`[\w./-]+`/.test(how)) return [`${id} is believed without naming the code`];
  return [];
}

/** Paths in backticks, and the targets of links, that are not there. */
function missingFiles(document: string, read: Read): readonly string[] {
  const named = document.matchAll(/`(?<path>(?:src|test|tools|docs)\/[\w./-]+)`/g);
  const linked = document.matchAll(/^\[[^\]]+\]: (?<path>\S+)$/gm);
  const paths = [...named, ...linked].map(({ groups }) => groups?.["path"] ?? "");
  return paths.filter((path) => read(path) === null).map((path) => `${path} is not there`);
}

/** Links of the form `[title][file]` whose file has no test or group of tests of this title. */
function missingTests(document: string, read: Read): readonly string[] {
  const links = document.matchAll(/\[(?<title>[^\][]+)\]\[(?<label>[^\][]+)\]/g);
  return [...links].flatMap(({ groups }) => {
    const title = groups?.["title"] ?? "";
    const label = groups?.["label"] ?? "";
    const path = new RegExp(`^\\[${RegExp.escape(label)}\\]: (?<path>\\S+)$`, "m").exec(document)?.groups?.[
      "path"
    ];
    if (path === undefined) return [`[${label}] leads nowhere`];
    return hasTest(read(path) ?? "", title) ? [] : [`${path} has no test "${title}"`];
  });
}

/** The title is the first argument of `test`, `describe` or what their `each` gives back. */
function hasTest(source: string, title: string): boolean {
  const call = `(?:\\b(?:test|describe)|[\\])]|\\.each\\([^\\n]*\\))\\(\\s*`;
  return new RegExp(`${call}(?<quote>["\`])${RegExp.escape(title)}\\k<quote>,`).test(source);
}

const readProjectFile: Read = (path) => {
  const whole = join(projectRoot, path);
  return existsSync(whole) ? readFileSync(whole, "utf8") : null;
};

test("every file and every test that docs/asvs.md names exists", () => {
  expect(securityFaults(readProjectFile("docs/asvs.md") ?? "", readProjectFile)).toEqual([]);
});

test("every file that SECURITY.md names exists", () => {
  expect(missingFiles(readProjectFile("SECURITY.md") ?? "", readProjectFile)).toEqual([]);
});

const row = (cells: string) => `| ${cells} |\n\n[a]: test/a.test.ts\n`;
const files: Readonly<Record<string, string>> = {
  "test/a.test.ts": `test("is so", () => {});\ntest.each([\n  1,\n])("is %s", () => {});\n// gone\n`,
  "src/a.ts": "",
};
const readPlant: Read = (path) => files[path] ?? null;

test.each([
  ["a test that is there", "v5.0.0-1.2.3 | asks | met | [is so][a]"],
  ["a test of a table", "v5.0.0-1.2.3 | asks | met | [is %s][a]"],
  ["code without a test", "v5.0.0-1.2.3 | asks | believed | `src/a.ts`"],
  ["an honest no", "v5.0.0-1.2.3 | asks | not met | nobody asked for it"],
])("accepts %s", (_, cells) => {
  expect(securityFaults(row(cells), readPlant)).toEqual([]);
});

test.each([
  ["a test that is not there", "v5.0.0-1.2.3 | asks | met | [is not so][a]"],
  ["words of a comment", "v5.0.0-1.2.3 | asks | met | [gone][a]"],
  ["a link that leads nowhere", "v5.0.0-1.2.3 | asks | met | [is so][b]"],
  ["a file that is not there", "v5.0.0-1.2.3 | asks | believed | `src/b.ts`"],
  ["a claim with code alone", "v5.0.0-1.2.3 | asks | met | `src/a.ts`"],
  ["a belief without code", "v5.0.0-1.2.3 | asks | believed | we are careful"],
  ["a claim without evidence", "v5.0.0-1.2.3 | asks | met | we are careful"],
  ["a state that there is not", "v5.0.0-1.2.3 | asks | nearly | [is so][a]"],
  ["a number of another version", "v4.0.3-1.2.3 | asks | met | [is so][a]"],
  ["no rows at all", "id | asks | state | how"],
])("finds %s", (_, cells) => {
  expect(securityFaults(row(cells), readPlant)).toHaveLength(1);
});

test("finds a requirement that stands twice", () => {
  const cells = "v5.0.0-1.2.3 | asks | met | [is so][a]";
  expect(securityFaults(`| ${cells} |\n${row(cells)}`, readPlant)).toEqual(["v5.0.0-1.2.3 stands twice"]);
});
