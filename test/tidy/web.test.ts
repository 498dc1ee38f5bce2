import { expect, test } from "bun:test";
import { consoleWords, englishWords } from "../support/console-words.ts";
import { readProjectFiles } from "./project-files.ts";

/** What draws pages: components, and the server's own pages. */
const drawing = readProjectFiles(
  /^src\/web\/(?!api\/types\.ts).*\.(?:tsx?|html)$|^src\/http\/console\/.*\.ts$|^src\/words\/page-list\.ts$/,
)
  .map(({ text }) => text)
  .join("\n");
const styles = readProjectFiles(/^src\/web\/.*\.css$/)
  .map(({ text }) => text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/@import[^;]*;/g, ""))
  .join("\n");

function allMatches(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))];
}

/** The texts of an expression, without the values in them. */
function onlyTexts(expression: string): string {
  return (expression.match(/"[^"]*"|`[^`]*`/g) ?? []).join(" ").replaceAll(/\$\{[^}]*\}/g, "");
}

/** Classes that components and pages name, and beginnings of such that end with a value: `badge-`. */
const named = new Set(
  allMatches(drawing, /\bclass=("[^"]*"|\{`[^`]*`\}|\{[^}]*\})/g)
    .map((attribute) => (attribute.startsWith('"') ? attribute : onlyTexts(attribute)))
    .flatMap((classes) => classes.split(/["`\s]+/).filter(Boolean)),
);
const styled = allMatches(styles, /\.([a-z][\w-]*)/g);
const isNamed = (name: string) =>
  named.has(name) || named.has(name.replace(/[^-]+$/, "")) || drawing.includes(`className = "${name}"`);

test("every message is shown somewhere", () => {
  const unused = Object.entries(englishWords).flatMap(([area, messages]) =>
    Object.keys(messages)
      .filter((name) => !new RegExp(`\\b${area}\\.${name}\\b`).test(drawing))
      .map((name) => `${area}.${name}`),
  );
  expect(unused).toEqual([]);
});

test("no message stands twice", () => {
  const places = new Map<string, string[]>();
  for (const [area, messages] of Object.entries(englishWords)) {
    for (const name of Object.keys(messages)) {
      const texts = JSON.stringify(consoleWords.map(({ words }) => sourceOf(words, area, name)));
      places.set(texts, [...(places.get(texts) ?? []), `${area}.${name}`]);
    }
  }
  expect([...places.values()].filter(({ length }) => length > 1)).toEqual([]);
});

/** A message as it is written: its text, or its function's source. */
function sourceOf(words: Readonly<Record<string, object>>, area: string, name: string): string {
  const message: unknown = Object.entries(words[area] ?? {}).find(([key]) => key === name)?.[1];
  return typeof message === "function" ? message.toString() : JSON.stringify(message);
}

test("every class of the style sheet stands in a page, and the other way round", () => {
  expect(styled.length).toBeGreaterThan(100);
  expect(styled.filter((name) => !isNamed(name))).toEqual([]);
  const unstyled = [...named].filter(
    (name) => !styled.some((one) => one === name || (name.endsWith("-") && one.startsWith(name))),
  );
  expect(unstyled).toEqual([]);
});

test("every value of the design is used, and every value that is used is there", () => {
  const values = allMatches(styles, /(--[a-z][\w-]*)\s*:/g);
  const used = allMatches(styles, /var\((--[\w-]+)/g);
  expect(values.toSorted()).toEqual(used.toSorted());
});
