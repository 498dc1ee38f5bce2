/** The page that shows the API, in a real browser: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { openPage, type Page } from "../support/browser.ts";

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

/** Opens operations, and waits until they are shown. */
async function show({ view, until }: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await view.evaluate(`document.querySelector('${operation(name)} .opblock-summary-control').click()`);
    await until(`document.querySelector('${operation(name)} .execute')`);
  }
}

async function authorize({ view, until }: Page, token: string): Promise<void> {
  await view.click(".btn.authorize");
  await until("document.activeElement.matches('.modal-ux input')");
  await view.type(token);
  await view.press("Enter");
  await until("document.querySelector('.modal-ux .auth-container h6')");
}

describe("Authorize", () => {
  test("asks for the JWT first, and has the focus there", async () => {
    await using page = await openSwagger();
    await authorize(page, chief.jwt);
    const states = await page.view.evaluate(
      "[...document.querySelectorAll('.modal-ux .auth-container')].map((one) => [one.querySelector('h4').innerText.trim(), one.querySelector('h6') !== null])",
    );
    expect(states).toEqual([
      ["jwt (http, Bearer)", true],
      ["serviceToken (apiKey)", false],
    ]);
    await page.view.press("Escape");
    await show(page, "getHomeProfile");
    await page.view.evaluate(`document.querySelector('${operation("getHomeProfile")} .execute').click()`);
    const status = `document.querySelector('${operation("getHomeProfile")} .live-responses-table .response-col_status')?.innerText`;
    expect(await page.until<string>(status)).toStartWith("200");
  });
});
