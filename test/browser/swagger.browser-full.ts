/** The page that shows the API, in a real browser: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openConsole, type Console, type Visit, type Visitor } from "../support/console-browser.ts";
import { addMember, type Member } from "../support/members.ts";

let console: Console;
let chief: Member;
beforeAll(async () => {
  console = await openConsole();
  chief = await addMember(console.harness, "Chief", { level: 3 });
});
afterAll(() => console[Symbol.asyncDispose]());

/** The page with its operations. */
async function openSwagger(visit?: Visit): Promise<Visitor> {
  const visitor = await console.visit(visit);
  await visitor.open("/swagger");
  await until(visitor.page, "document.querySelectorAll('.opblock').length > 40");
  return visitor;
}

/**
 * Waits until an expression within the page holds. Asked from outside: the page's policy forbids what would
 * wait within it.
 */
async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + 30_000;
  while ((await page.evaluate(`Boolean(${expression})`)) !== true) {
    if (performance.now() > end) throw new Error(`The page never came to ${expression}`);
    await Bun.sleep(20);
  }
}

const operation = (name: string) => `[id^="operations-"][id$="-${name}"]`;

/** Presses Execute, which needs no view of the button. */
const press = (page: Page, name: string) =>
  page.locator(`${operation(name)} .execute`).dispatchEvent("click");

/** Opens operations, and waits until they are shown. */
async function show(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.locator(`${operation(name)} .opblock-summary-control`).dispatchEvent("click");
    await page.waitForSelector(`${operation(name)} .execute`, { state: "attached" });
  }
}

/** Gives the token to the field that has the focus. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.click(".btn.authorize");
  await until(page, "document.activeElement.matches('.modal-ux input')");
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".modal-ux .auth-container h6");
}

/** Sends an operation as it is shown, once what it needs is filled in, and gives the status that came. */
async function send(page: Page, name: string): Promise<string> {
  await until(
    page,
    `[...document.querySelectorAll('${operation(name)} .parameter__name.required')].every((one) => one.closest('tr').querySelector('input').value)`,
  );
  await press(page, name);
  return shown(page, name);
}

/** The status that came, once it has. */
async function shown(page: Page, name: string): Promise<string> {
  const status = page.locator(`${operation(name)} .live-responses-table tbody .response-col_status`).first();
  const text = await status.innerText();
  expect(text).toMatch(/^\d/);
  return text.slice(0, 3);
}

describe("Authorize", () => {
  test("asks for the JWT first, and takes what is typed for one", async () => {
    await using visitor = await openSwagger();
    const { page } = visitor;
    await authorize(page, chief.jwt);
    const taken = await page.evaluate(
      "[...document.querySelectorAll('.modal-ux .auth-container')].map((one) => [one.querySelector('h4').innerText.trim(), one.querySelector('h6') !== null])",
    );
    expect(taken).toEqual([
      [expect.stringMatching(/^jwt\s+\(http, Bearer\)$/), true],
      [expect.stringMatching(/^launchServerToken\s+\(http, Bearer\)$/), false],
      [expect.stringMatching(/^gameToken\s+\(http, Bearer\)$/), false],
      [expect.stringMatching(/^serviceToken\s+\(apiKey\)$/), false],
    ]);
    await page.keyboard.press("Escape");
    await show(page, "getHomeProfile");
    expect(await send(page, "getHomeProfile")).toBe("200");
  });

  test("asks a service's operation for its token", async () => {
    await using visitor = await openSwagger();
    const { page } = visitor;
    await page.locator(`${operation("findUser")} .authorization__btn`).dispatchEvent("click");
    await until(page, "document.activeElement.id === 'api_key_value'");
  });
});

test("the filter finds operations by section and by address", async () => {
  await using visitor = await openSwagger();
  const { page } = visitor;
  await page.click(".operation-filter-input");
  await page.keyboard.type("forgetpass");
  await until(page, "document.querySelectorAll('.opblock').length < 10");
  const paths = await page.evaluate(
    "[...document.querySelectorAll('.opblock-summary-path')].map((one) => one.dataset.path)",
  );
  expect(paths).toEqual([
    "/api/auth/forgetpass",
    "/api/auth/forgetpass/validate",
    "/api/auth/forgetpass/update",
  ]);
});

describe("what is filled in", () => {
  test("changes nothing when it is sent as it is, by an administrator", async () => {
    const names = ["sendBulkMail", "deleteUser", "setUserRole", "deleteCape", "uploadSkin", "register"];
    const tables = ["accounts", "audit_entries", "outbox", "skins"];
    await using visitor = await openSwagger({ expects: refused });
    const { page } = visitor;
    await authorize(page, chief.jwt);
    await page.keyboard.press("Escape");
    await show(page, ...names);
    const before = tables.map(console.harness.countRows);
    for (const name of names) await press(page, name);
    // What needs nothing in its address is sent and refused; the rest is not even sent.
    for (const name of ["sendBulkMail", "deleteCape", "register"]) await shown(page, name);
    expect(tables.map(console.harness.countRows)).toEqual(before);
    const values = await page.evaluate(
      "[...document.querySelectorAll('.parameters-container input:not([type=checkbox]), .opblock-section-request-body input:not([type=checkbox])')].map((one) => one.value)",
    );
    expect(values).toEqual(["", "", "", ""]);
  });

  test("of what only looks is asked for as it is", async () => {
    await using visitor = await openSwagger({ expects: refused });
    const { page } = visitor;
    await show(page, "getHeadPicture", "getLauncherTextures");
    expect(await send(page, "getHeadPicture")).toBe("404");
    expect(await send(page, "getLauncherTextures")).toBe("200");
  });
});

/** What Chromium writes when a request of the test is refused. */
const refused = /status of 4\d\d/;

/** One of everything that looks different, and an answer. */
async function showMuch(page: Page): Promise<void> {
  await show(page, "uploadSkin", "deleteUser", "updateUser", "updateSkin", "getHeadPicture");
  await send(page, "getHeadPicture");
  await press(page, "deleteUser");
  // What is refused fades in.
  await until(page, "document.querySelector('.validation-errors')");
  await until(page, "document.getAnimations().every(({ playState }) => playState === 'finished')");
}

describe("axe finds no serious or critical fault", () => {
  const visit = { bypassCSP: true, expects: refused };

  test("in a wide window, whatever is opened", async () => {
    await using visitor = await openSwagger(visit);
    const { page, graveFaults } = visitor;
    const closed = await graveFaults();
    await page.click(".btn.authorize");
    await page.waitForSelector(".modal-ux");
    const authorize = await graveFaults();
    await page.keyboard.press("Escape");
    await showMuch(page);
    const open = await graveFaults();
    await page.locator("section.models button").first().dispatchEvent("click");
    // Of many schemas the page has only those that are in view.
    await until(page, "document.querySelectorAll('.json-schema-2020-12').length > 3");
    await page.locator(".json-schema-2020-12-expand-deep-button").first().dispatchEvent("click");
    const schemas = await graveFaults();
    expect({ closed, authorize, open, schemas }).toEqual({
      closed: [],
      authorize: [],
      open: [],
      schemas: [],
    });
  });

  test("on a telephone, where nothing has to be moved sideways", async () => {
    await using visitor = await openSwagger({ ...visit, width: 390 });
    const { page, graveFaults } = visitor;
    await showMuch(page);
    expect(await graveFaults()).toEqual([]);
    const { scroll, client } = await page.evaluate<{ readonly scroll: number; readonly client: number }>(
      "({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth })",
    );
    expect(scroll).toBeLessThanOrEqual(client);
  });
});
