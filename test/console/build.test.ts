import { expect, test } from "bun:test";
import { buildConsole } from "../../src/boot/console-build.ts";
import { consolePages } from "../../src/http/console/pages.ts";
import { wordsIn } from "../../src/http/console/words.ts";
import { languages } from "../../src/domain/model/mail.ts";

const { manifest, files } = await buildConsole();

/** The compressed size of scripts. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (files.get(`${name}.zst`) ?? files.get(name))!.length, 0);
}

const shell = manifest.scripts["index.html"]!;

test("the same sources give the same files", async () => {
  const again = await buildConsole();
  expect(again.manifest).toEqual(manifest);
  expect([...again.files]).toEqual([...files]);
});

test("scripts are made for production", async () => {
  for (const [name, bytes] of files) {
    if (name.endsWith(".js")) expect(new TextDecoder().decode(bytes)).not.toMatch(/jsxDEV|process\.env/);
  }
});

test("each language but the first is a script of its own, which pages load with the first one", () => {
  for (const language of languages.filter((one) => one !== "en")) {
    expect(manifest.scripts[`words/${language.toLowerCase()}.ts`]).toBeDefined();
  }
});

/** The browser's own table of pages. */
const routes = await Bun.file(new URL("../../src/web/shell/routes.tsx", import.meta.url)).text();
const routed = Array.from(
  routes.matchAll(/"(?<path>\/[^"]*)": page\(async \(\) => \(await import\("\.\.\/(?<module>[^"]+)"\)/g),
  ({ groups }) => ({ path: groups!["path"]!, module: groups!["module"]! }),
);

test("the server knows every page of the browser's table, by the same module", () => {
  expect(routed.length).toBeGreaterThan(20);
  for (const page of routed) expect(consolePages).toContainEqual(page);
});

test.each(routed.map(({ path, module }) => [path, module]))(
  "%s loads at most 85 kB of compressed script",
  (_, module) => {
    expect(manifest.scripts[module]).toBeDefined();
    expect(sizeOf([...new Set([...shell, ...manifest.scripts[module]!])])).toBeLessThanOrEqual(85_000);
  },
);

test("the first page and the sign-in load at most 60 kB of compressed script", () => {
  for (const module of ["pages/guest/start.tsx", "pages/guest/login.tsx"]) {
    expect(manifest.scripts[module]).toBeDefined();
    expect(sizeOf([...new Set([...shell, ...manifest.scripts[module]!])])).toBeLessThanOrEqual(60_000);
  }
});

test("the server says of an unknown address what the pages say", async () => {
  for (const language of languages) {
    const path = `../../src/web/words/${language.toLowerCase()}/shell.ts`;
    const { shell: words } = (await import(path)) as { readonly shell: Readonly<Record<string, unknown>> };
    const { notFound, notFoundHelp, toStart } = wordsIn(language);
    const pages = {
      notFound: words["notFound"],
      notFoundHelp: words["notFoundHelp"],
      toStart: words["toStart"],
    };
    expect(pages).toEqual({ notFound, notFoundHelp, toStart });
  }
});
