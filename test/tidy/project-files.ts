import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** A file as the tidy checks see it. The path is relative to the project, with forward slashes. */
export type ProjectFile = { readonly path: string; readonly text: string };

export const projectRoot = resolve(import.meta.dir, "../..");

const ignored = [".git", ...ignoredNames()].map((name) => new Bun.Glob(name));

/** Every file of the project that git would not ignore. It works in a copy without git, too. */
export function listProjectPaths(folder = projectRoot): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const inProject = relative(projectRoot, path).replaceAll("\\", "/");
    if (ignored.some((name) => name.match(entry.name) || name.match(inProject))) return [];
    return entry.isDirectory() ? listProjectPaths(path) : [inProject];
  });
}

export function readProjectFiles(pattern: RegExp): readonly ProjectFile[] {
  const paths = listProjectPaths().filter((path) => pattern.test(path));
  return paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
}

/** The numbers of the lines that match, as `path:line: what`. */
export function faultyLines(file: ProjectFile, pattern: RegExp, what: string): readonly string[] {
  return file.text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${what}`] : []));
}

function ignoredNames(): readonly string[] {
  const lines = readFileSync(join(projectRoot, ".gitignore"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => line.replaceAll(/^\/|\/$/g, ""));
}
