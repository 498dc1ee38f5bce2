import { describe, expect, test } from "bun:test";
import { buildConsole } from "../../src/boot/console-build.ts";
import { modulesOf } from "../../src/http/console/pages.ts";
import { languages } from "../../src/domain/model/mail.ts";
import { serverWords } from "../../src/words/server.ts";
import { consolePages } from "../../src/words/page-list.ts";

const { manifest, files } = await buildConsole();

/** The compressed size of scripts. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (files.get(`${name}.zst`) ?? files.get(name))!.length, 0);
}

const shell = manifest.scripts["web/index.html"]!;

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

test("no script has the texts of mails, or of pages that the server writes alone", async () => {
  const scripts = [...files].filter(([name]) => name.endsWith(".js"));
  const text = scripts.map(([, bytes]) => new TextDecoder().decode(bytes)).join("");
  const { pages, play } = await serverWords.de.served();
  expect(text).toContain(pages.shell.signIn);
  expect(text).not.toContain(serverWords.de.mailPages.unknown.title);
  expect(text).not.toContain(play.troubles);
  expect(text).not.toContain("Der Code gilt");
});

test("each language but the first is a script of its own, which pages load with the first one", () => {
  for (const language of languages.filter((one) => one !== "en")) {
    expect(manifest.scripts[`words/${language.toLowerCase()}/pages.ts`]).toBeDefined();
  }
});

test("the browser draws each page by the module that the server sends", async () => {
  const routes = await Bun.file(new URL("../../src/web/shell/routes.tsx", import.meta.url)).text();
  const drawn = routes.matchAll(/"(\/[^"]*)": async \(\) => \(await import\("\.\.\/pages\/([^"]+)\.tsx"\)/g);
  const sent = consolePages.map(({ path, module }) => [path, module]);
  expect(Array.from(drawn, ([, path, module]) => [path, module])).toEqual(sent);
});

/** The module of each page, as the manifest names it. */
const pages = consolePages.map(({ path, module }) => ({ path, module, script: `web/pages/${module}.tsx` }));

describe.each(languages)("in %s", (language) => {
  const staffWords = `words/${language.toLowerCase()}/staff-pages.ts`;

  test("pages for staff, and no others, are sent with the words of staff", () => {
    expect(manifest.scripts[staffWords]).toBeDefined();
    const sent = pages.filter(({ module }) => modulesOf(module, language).includes(staffWords));
    expect(sent.length).toBeGreaterThan(5);
    expect(sent).toEqual(pages.filter(({ path }) => /^\/(?:admin|setup)/.test(path)));
  });

  test("no page needs the words of staff by its code", () => {
    const [own = ""] = manifest.scripts[staffWords]!;
    const needed = pages.flatMap(({ script }) => manifest.scripts[script]!);
    expect([...shell, ...needed]).not.toContain(own);
  });
});

test.each(pages.map(({ path, script }) => [path, script]))(
  "%s loads at most 85 kB of compressed script",
  (_, script) => {
    expect(manifest.scripts[script]).toBeDefined();
    expect(sizeOf([...new Set([...shell, ...manifest.scripts[script]!])])).toBeLessThanOrEqual(85_000);
  },
);

test("the first page and the sign-in load at most 60 kB of compressed script", () => {
  for (const script of ["web/pages/guest/start.tsx", "web/pages/guest/login.tsx"]) {
    expect(manifest.scripts[script]).toBeDefined();
    expect(sizeOf([...new Set([...shell, ...manifest.scripts[script]!])])).toBeLessThanOrEqual(60_000);
  }
});
