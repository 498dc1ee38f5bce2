/** What `/login` says after the server's address has changed, in each language. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console } from "../support/console-browser.ts";

let world: Console;
beforeAll(async () => {
  world = await openConsole({ settings: { PUBLIC_URL: "https://skins.example.org" } });
});
afterAll(() => world[Symbol.asyncDispose]());

test.each([
  ["en", "This server's address is", "Open"],
  ["ru", "Адрес этого сервера", "Открыть"],
  ["de", "Dieser Server hat die Adresse", "öffnen"],
  ["zh-CN", "本服务器的地址是", "打开"],
])("at another address it leads to the right one: %s", async (language, text, verb) => {
  await using visitor = await world.visit({ language, width: 320, bypassCSP: true });
  const { page, open } = visitor;
  await open("/login?next=/home/capes");
  await page.getByRole("status").getByText(text).waitFor();
  const link = page.getByRole("main").getByRole("link", { name: verb });
  expect(await link.getAttribute("href")).toBe(
    "https://skins.example.org/login?moved=1&next=%2Fhome%2Fcapes",
  );
  expect(await visitor.faults()).toEqual([]);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});

test("a person who comes from there reads why, and other people nothing", async () => {
  await using ours = await openConsole();
  await using visitor = await ours.visit();
  const { page, open } = visitor;
  await open("/login");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByText("Sign in once more").count()).toBe(0);
  await open("/login?moved=1");
  await page.getByText("You come from an older address of this server.").waitFor();
});
