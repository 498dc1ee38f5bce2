import { describe, expect, test } from "bun:test";
import { buildConsole } from "../../src/boot/console-build.ts";
import { consolePages, wordsOf } from "../../src/http/console/pages.ts";
import { wordsIn } from "../../src/http/console/words.ts";
import { languages } from "../../src/domain/model/mail.ts";
import { de } from "../../src/web/words/de.ts";
import { staffPages as german } from "../../src/web/words/de/staff-pages.ts";
import { en } from "../../src/web/words/en.ts";
import { staffPages as english } from "../../src/web/words/en/staff-pages.ts";
import { ru } from "../../src/web/words/ru.ts";
import { staffPages as russian } from "../../src/web/words/ru/staff-pages.ts";
import { zhHans } from "../../src/web/words/zh-hans.ts";
import { staffPages as chinese } from "../../src/web/words/zh-hans/staff-pages.ts";

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
  routes.matchAll(
    /"(?<path>\/[^"]*)": (?<kind>page|staffPage)\(async \(\) => \(await import\("\.\.\/(?<module>[^"]+)"\)/g,
  ),
  ({ groups }) => ({
    path: groups!["path"]!,
    module: groups!["module"]!,
    isForStaff: groups!["kind"] === "staffPage",
  }),
);

const byPath = (pages: typeof consolePages) =>
  pages.toSorted((one, other) => one.path.localeCompare(other.path));

test("the server and the browser have one list of pages, by the same modules", () => {
  expect(routed.length).toBeGreaterThan(20);
  expect(byPath(consolePages)).toEqual(byPath(routed.map(({ path, module }) => ({ path, module }))));
});

describe.each(languages)("in %s", (language) => {
  const staffWords = `words/${language.toLowerCase()}/staff-pages.ts`;

  test("pages for staff, and no others, are sent with the words of staff", () => {
    expect(manifest.scripts[staffWords]).toBeDefined();
    const sent = routed.filter(({ module }) => wordsOf(module, language).includes(staffWords));
    expect(sent).toEqual(routed.filter(({ isForStaff }) => isForStaff));
  });

  test("no page needs the words of staff by its code", () => {
    const [own = ""] = manifest.scripts[staffWords]!;
    const needed = routed.flatMap(({ module }) => manifest.scripts[module]!);
    expect([...shell, ...needed]).not.toContain(own);
  });
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

const pageWords = {
  en: { ...en, ...english },
  ru: { ...ru, ...russian },
  de: { ...de, ...german },
  "zh-Hans": { ...zhHans, ...chinese },
};

test.each(languages)("the server's own words in %s are those of the pages", (language) => {
  const { shell, guest, setup } = pageWords[language];
  const { notFound, notFoundHelp, toStart, titles } = wordsIn(language);
  expect({ notFound, notFoundHelp, toStart }).toEqual({
    notFound: shell.notFound,
    notFoundHelp: shell.notFoundHelp,
    toStart: shell.toStart,
  });
  expect(titles).toEqual({
    "/login": shell.signIn,
    "/register": guest.register,
    "/confirm": guest.confirmHeading,
    "/registerfinish": guest.finishHeading,
    "/forgetpass": guest.forgotHeading,
    "/resetpassword": guest.resetHeading,
    "/social": guest.socialHeading,
    "/setup": setup.heading,
    "/home": shell.wardrobe,
  });
});
