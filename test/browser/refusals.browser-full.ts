/** Forms that the server refuses, in every language but English: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { alertOf, refused } from "../support/page-parts.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { fillRefusedWorld, refuseForms } from "../support/refused-forms.ts";
import type { RefusedWorld } from "../support/refused-form-table.ts";

let world: Console;
let whose: RefusedWorld;
beforeAll(async () => {
  world = await openConsole({ settings: { SMTP_URL: "smtp://127.0.0.1:1" } });
  whose = await fillRefusedWorld(world);
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(["ru", "de", "zh-Hans"] as const)(
  "every form says in %s why it was refused, at the right field",
  async (language) => {
    await refuseForms(world, whose, language);
  },
);

test.each([
  ["no code, as of an older server", null],
  ["a code of a newer server", 'moon_full; phase="new"'],
  ["a code that is not well encoded", 'name_reserved; field="code"; name=%"%ff"'],
])("a refusal with %s is shown in the server's own words", async (_, header) => {
  await using visitor = await world.visit({ language: "ru", expects: refused });
  const { page, open } = visitor;
  await page.route("**/console/confirm", async (route) => {
    const response = await route.fetch();
    const { "x-error": _code, ...headers } = response.headers();
    await route.fulfill({ response, headers: header === null ? headers : { ...headers, "x-error": header } });
  });
  await open("/confirm");
  const form = page.locator("main form");
  await form.locator("[name=code]").fill("AAAAA-AAAAA");
  await form.locator("button[type=submit]").click();
  await alertOf(form, "is wrong, was used or has expired").waitFor();
  expect(await form.locator("[aria-invalid=true]").count()).toBe(header?.includes("field") === true ? 1 : 0);
});

test("a refusal follows the language of the page", async () => {
  await using visitor = await world.visit({ language: "de", as: whose.chief, expects: refused });
  const { page, open } = visitor;
  await open("/home/account");
  const form = page.locator("main form").filter({ has: page.locator("[name=newpassword]") });
  await form.locator("[name=newpassword]").fill("123456789");
  await form.locator("[name=password]").fill(whose.chief.password);
  await form.locator("button[type=submit]").click();
  await alertOf(form, "Dieses Passwort ist eins der 10.000 häufigsten").waitFor();
  await page.locator("footer select").first().selectOption("ru");
  await alertOf(form, "Это один из 10 000 самых частых паролей").waitFor();
  await page.locator("footer select").first().selectOption("en");
  await alertOf(form, "is one of the 10,000 commonest passwords").waitFor();
});

test.each([
  [
    "too_many; seconds=7",
    429,
    "Das waren viele Änderungen in kurzer Zeit. Versuche es in 7 Sekunden erneut.",
  ],
  ["database_reads_only", 503, "Die Datenbank nimmt gerade keine Änderungen an."],
])("a wardrobe says by the code %s why a skin stays on", async (code, status, said) => {
  await using visitor = await world.visit({
    language: "de",
    as: whose.chief,
    expects: /the server responded with a status/,
  });
  const { page, open } = visitor;
  await page.route("**/api/home/players/*", async (route) => {
    const response = await route.fetch({ postData: "{" });
    const headers = { ...response.headers(), "x-error": code, "retry-after": "7" };
    await route.fulfill({ response, status, headers });
  });
  await open("/home");
  await page.getByRole("main").getByRole("button").filter({ hasText: "Ausziehen" }).first().click();
  await page.getByText(said).first().waitFor();
});

test("a wait is said in seconds, and counted down", async () => {
  await using visitor = await world.visit({ language: "ru", expects: refused });
  const { page, open } = visitor;
  await page.route("**/console/confirm", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "x-error": "too_many; seconds=30", "retry-after": "30" };
    await route.fulfill({ response, status: 429, headers });
  });
  await open("/confirm");
  const form = page.locator("main form");
  await form.locator("[name=code]").fill("AAAAA-AAAAA");
  await form.locator("button[type=submit]").click();
  await alertOf(form, "Слишком много попыток. Повторите через 30 секунд.").waitFor();
  await form.getByRole("button", { name: /^Повторите через 2\d секунд/ }).waitFor();
});

test("the form of the set-up says why a name is refused", async () => {
  await using fresh = await openConsole();
  const secret = await fresh.harness.services.setup.begin();
  await using visitor = await fresh.visit({ language: "ru", expects: refused });
  await visitor.open(`/setup#${secret}`);
  const form = visitor.page.locator("main form").filter({ has: visitor.page.locator("[name=mail]") });
  const entered = { mail: "olga@example.org", username: "No", password: "a password of Olga" };
  for (const [name, value] of Object.entries(entered)) await form.locator(`[name=${name}]`).fill(value);
  await form.locator("button[type=submit]").click();
  await alertOf(form, "Такое имя здесь нельзя.").waitFor();
  expect(await form.locator("[aria-invalid=true]").getAttribute("name")).toBe("username");
});
