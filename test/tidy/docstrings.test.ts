import { expect, test } from "bun:test";
import { type ProjectFile, readProjectFiles } from "./project-files.ts";

/**
 * Exports of the inner folders are what the others build on, so each says what it does, in which units and
 * how it fails. A command says what it prints and when it fails.
 */
function undocumentedExports(file: ProjectFile): readonly string[] {
  const lines = file.text.split("\n");
  return lines.flatMap((line, index) => {
    const documented = (lines[index - 1] ?? "").trimEnd().endsWith("*/");
    return /^export\b/.test(line) && !documented ? [`${file.path}:${index + 1}: ${line}`] : [];
  });
}

test("every export of cli, domain, render and kernel has a doc comment", () => {
  const files = readProjectFiles(/^src\/(?:cli|domain|render(?!\/core\/)|kernel)\/.*\.ts$/);
  const folders = new Set(files.map((file) => file.path.split("/")[1]));
  expect(folders).toEqual(new Set(["cli", "domain", "kernel", "render"]));
  expect(files.flatMap(undocumentedExports)).toEqual([]);
});

test.each([
  ["a bare export", "export const a = 1;"],
  ["a line comment", "// Not a doc comment.\nexport const a = 1;"],
  ["a comment that stands apart", "/** A. */\n\nexport type A = string;"],
  ["an undocumented export after a documented one", "/** A. */\nexport const a = 1;\nexport const b = 2;"],
])("finds %s", (_, text) => {
  expect(undocumentedExports({ path: "src/kernel/a.ts", text })).toHaveLength(1);
});

test.each([
  ["a documented function", "/**\n * Adds.\n */\nexport function add() {}"],
  ["what stays inside the file", "const a = 1;"],
])("accepts %s", (_, text) => {
  expect(undocumentedExports({ path: "src/kernel/a.ts", text })).toEqual([]);
});
