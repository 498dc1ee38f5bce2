import { expect, test } from "bun:test";
import { type ProjectFile, readProjectFiles } from "./project-files.ts";

/** The most fields that a type of http may have: who takes such an object knows what it needs. */
const fieldsMax = 15;

/** A type that is declared with fields, on lines of their own. */
const declared = /^(?:export )?(?:type|interface) (?<name>\w+)[^;{]*\{\n(?<body>(?:.*\n)*?)\}/gm;
const field = /^ {2}(?:readonly )?["\w$]+\??:/gm;

function largeTypes({ path, text }: ProjectFile): readonly string[] {
  return [...text.matchAll(declared)].flatMap(({ groups: { name = "", body = "" } = {} }) => {
    const count = [...body.matchAll(field)].length;
    return count > fieldsMax ? [`${path}: ${name} has ${count} fields`] : [];
  });
}

const file = (lines: number) => ({
  path: "src/http/a.ts",
  text: `export type Many = Few & {\n${"  readonly one: () => void;\n".repeat(lines)}};\n`,
});

test("no type of http has more than 15 fields", () => {
  expect(readProjectFiles(/^src\/http\/.*\.ts$/).flatMap(largeTypes)).toEqual([]);
});

test("nor do the services that surfaces take", () => {
  const [services] = readProjectFiles(/^src\/domain\/use-cases\/services\.ts$/);
  const [, bound = ""] = /\n {2}return \{\n(?<body>[^]*?)\n {2}\};/.exec(services?.text ?? "") ?? [];
  expect([...bound.matchAll(/^ {4}\w+: /gm)].length).toBe(fieldsMax);
});

test("finds a type with more", () => {
  expect(largeTypes(file(fieldsMax))).toEqual([]);
  expect(largeTypes(file(fieldsMax + 1))).toEqual([`src/http/a.ts: Many has ${fieldsMax + 1} fields`]);
});
