/** The words of pages for staff, which come with the first such page: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember, type Member } from "../support/members.ts";
import { heading } from "../support/page-parts.ts";

let served: Console;
let chief: Member;
beforeAll(async () => {
  served = await openConsole();
  chief = await addMember(served.harness, "Chief", { level: 3 });
});
afterAll(() => served[Symbol.asyncDispose]());

/** Opens a page for members as an administrator, in English. */
async function openHome() {
  const visitor = await served.visit({ as: chief });
  await visitor.open("/home");
  const administration = visitor.page.getByRole("link", { name: "Administration" });
  await administration.waitFor();
  return { visitor, page: visitor.page, administration };
}

/** Holds these scripts until the first call; the second waits until one was asked for. */
async function hold(page: Page, scripts: string) {
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**/console/assets/${scripts}-*.js`, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { release: held.resolve, asked: asked.promise };
}

const choose = (page: Page, language: string) =>
  page.getByRole("contentinfo").getByRole("combobox").first().selectOption(language);

/** The heading is a word of every page, that of the section one of pages for staff. */
async function isOverview(page: Page, name: string, figures: string) {
  await heading(page, name).waitFor();
  await page.getByRole("heading", { name: figures, level: 2 }).waitFor();
}

test("a page for members asks for no words of staff", async () => {
  const { visitor, page } = await openHome();
  await using _ = visitor;
  const scripts = await page.evaluate<readonly string[]>(
    `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))`,
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.filter((name) => name.includes("staff-pages"))).toEqual([]);
});

test("a language that is chosen on a page for staff is that of all of its words", async () => {
  const { visitor, page, administration } = await openHome();
  await using _ = visitor;
  await administration.click();
  await isOverview(page, "Overview", "Figures");
  await choose(page, "ru");
  await isOverview(page, "Обзор", "Показатели");
  await page.getByRole("link", { name: "Пользователи", exact: true }).click();
  await heading(page, "Пользователи").waitFor();
});

test("a language that is chosen while the words of staff are on their way is that of the page", async () => {
  const { visitor, page, administration } = await openHome();
  await using _ = visitor;
  const words = await hold(page, "staff-pages");
  await administration.click();
  await words.asked;
  await choose(page, "de");
  await page.locator("html[lang=de]").waitFor();
  words.release();
  await isOverview(page, "Übersicht", "Zahlen");
});

test("a page for staff that is opened while a language is on its way is in that language", async () => {
  const { visitor, page, administration } = await openHome();
  await using _ = visitor;
  const words = await hold(page, "pages");
  await choose(page, "de");
  await words.asked;
  await administration.click();
  await isOverview(page, "Overview", "Figures");
  words.release();
  await isOverview(page, "Übersicht", "Zahlen");
});
