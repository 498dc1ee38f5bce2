/** The page that shows the API, in a real browser: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPage, type Page } from "../support/browser.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";

let harness: Harness;
let chief: Member;
let address: string;
beforeAll(async () => {
  harness = await openHarness();
  chief = await addMember(harness, "Chief", { level: 3 });
  ({ address } = harness.listen());
});
afterAll(() => harness[Symbol.asyncDispose]());

/** The page with its operations. */
async function openSwagger(width?: number): Promise<Page> {
  const page = await openPage(`${address}/swagger`, width);
  await page.until("document.querySelectorAll('.opblock').length > 40");
  return page;
}

const operation = (name: string) => `[id^="operations-"][id$="-${name}"]`;
const press = (name: string) => `document.querySelector('${operation(name)} .execute').click()`;

/** Opens operations, and waits until they are shown. */
async function show({ view, until }: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await view.evaluate(`document.querySelector('${operation(name)} .opblock-summary-control').click()`);
    await until(`document.querySelector('${operation(name)} .execute')`);
  }
}

/** Gives the token to the field that has the focus. */
async function authorize({ view, until }: Page, token: string): Promise<void> {
  await view.click(".btn.authorize");
  await until("document.activeElement.matches('.modal-ux input')");
  await view.type(token);
  await view.press("Enter");
  await until("document.querySelector('.modal-ux .auth-container h6')");
}

/** Sends an operation as it is shown, once what it needs is filled in, and gives the status that came. */
async function send(page: Page, name: string): Promise<string> {
  await page.until(
    `[...document.querySelectorAll('${operation(name)} .parameter__name.required')].every((one) => one.closest('tr').querySelector('input').value)`,
  );
  await page.view.evaluate(press(name));
  return shown(page, name);
}

/** The status that came, once it has. */
async function shown({ view, until }: Page, name: string): Promise<string> {
  const status = `document.querySelector('${operation(name)} .live-responses-table tbody .response-col_status')`;
  await until(`/^\\d/.test(${status}?.innerText)`);
  return view.evaluate<string>(`${status}.innerText.slice(0, 3)`);
}

describe("Authorize", () => {
  test("asks for the JWT first, and takes what is typed for one", async () => {
    await using page = await openSwagger();
    await authorize(page, chief.jwt);
    const taken = await page.view.evaluate(
      "[...document.querySelectorAll('.modal-ux .auth-container')].map((one) => [one.querySelector('h4').innerText.trim(), one.querySelector('h6') !== null])",
    );
    expect(taken).toEqual([
      [expect.stringMatching(/^jwt\s+\(http, Bearer\)$/), true],
      [expect.stringMatching(/^launchServerToken\s+\(http, Bearer\)$/), false],
      [expect.stringMatching(/^gameToken\s+\(http, Bearer\)$/), false],
      [expect.stringMatching(/^serviceToken\s+\(apiKey\)$/), false],
    ]);
    await page.view.press("Escape");
    await show(page, "getHomeProfile");
    expect(await send(page, "getHomeProfile")).toBe("200");
    expect(page.complaints).toEqual([]);
  });

  test("asks a service's operation for its token", async () => {
    await using page = await openSwagger();
    await page.view.evaluate(
      `document.querySelector('${operation("findUser")} .authorization__btn').click()`,
    );
    await page.until("document.activeElement.id === 'api_key_value'");
  });
});

test("the filter finds operations by section and by address", async () => {
  await using page = await openSwagger();
  await page.view.click(".operation-filter-input");
  await page.view.type("forgetpass");
  await page.until("document.querySelectorAll('.opblock').length < 10");
  const paths = await page.view.evaluate(
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
    await using page = await openSwagger();
    await authorize(page, chief.jwt);
    await page.view.press("Escape");
    await show(page, ...names);
    const before = tables.map(harness.countRows);
    for (const name of names) await page.view.evaluate(press(name));
    // What needs nothing in its address is sent and refused; the rest is not even sent.
    for (const name of ["sendBulkMail", "deleteCape", "register"]) await shown(page, name);
    expect(tables.map(harness.countRows)).toEqual(before);
    const values = await page.view.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.parameters-container input:not([type=checkbox]), .opblock-section-request-body input:not([type=checkbox])')].map((one) => one.value)",
    );
    expect(values).toEqual(["", "", "", ""]);
  });

  test("of what only looks is asked for as it is", async () => {
    await using page = await openSwagger();
    await show(page, "getHeadPicture", "getLauncherTextures");
    expect(await send(page, "getHeadPicture")).toBe("404");
    expect(await send(page, "getLauncherTextures")).toBe("200");
  });
});

/** One of everything that looks different, and an answer. */
async function showMuch(page: Page): Promise<void> {
  await show(page, "uploadSkin", "deleteUser", "updateUser", "updateSkin", "getHeadPicture");
  await send(page, "getHeadPicture");
  await page.view.evaluate(press("deleteUser"));
}

describe("axe finds no serious or critical fault", () => {
  test("in a wide window, whatever is opened", async () => {
    await using page = await openSwagger();
    const { view, until } = page;
    const closed = await page.faults();
    await view.click(".btn.authorize");
    await until("document.querySelector('.modal-ux')");
    const authorize = await page.faults();
    await view.press("Escape");
    await showMuch(page);
    const open = await page.faults();
    await view.evaluate("document.querySelector('section.models button').click()");
    // Of many schemas the page has only those that are in view.
    await until("document.querySelectorAll('.json-schema-2020-12').length > 3");
    await view.evaluate("document.querySelector('.json-schema-2020-12-expand-deep-button').click()");
    const schemas = await page.faults();
    expect({ closed, authorize, open, schemas }).toEqual({
      closed: [],
      authorize: [],
      open: [],
      schemas: [],
    });
    // The picture was asked for an unknown uuid.
    expect(page.complaints.filter((one) => !one.includes("404"))).toEqual([]);
  });

  test("on a telephone, where nothing has to be moved sideways", async () => {
    await using page = await openSwagger(390);
    await showMuch(page);
    expect(await page.faults()).toEqual([]);
    const { scroll, client } = await page.view.evaluate<{ readonly scroll: number; readonly client: number }>(
      "({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth })",
    );
    expect(scroll).toBeLessThanOrEqual(client);
  });
});
