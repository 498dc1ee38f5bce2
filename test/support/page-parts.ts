import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";

/** Parts of a page of the console as people know them: by role and name. */

export function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

/** Who is signed in: the button in the header that opens their menu. */
export function memberButton(page: Page): Locator {
  return page.getByRole("banner").locator("[aria-haspopup=menu]");
}

export async function signOut(page: Page): Promise<void> {
  await memberButton(page).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

export function form(page: Page, name: string): Locator {
  return page.getByRole("form", { name, exact: true });
}

export function field(within: Page | Locator, name: string): Locator {
  return within.getByRole("textbox", { name, exact: true });
}

/** Fills fields in, by their names. */
export async function fill(within: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(within, name).fill(value);
}

/** Presses a button within a part of the page. */
export function press(within: Locator, name: string): Promise<void> {
  return within.getByRole("button", { name, exact: true }).click();
}

/** What the page says of what was done. */
export function status(page: Page, text: string): Locator {
  return page.getByRole("status").getByText(text);
}

export function alertOf(within: Page | Locator, text: string): Locator {
  return within.getByRole("alert").getByText(text);
}

/**
 * Waits until these have exactly the texts. A page says what it did before it has asked for its lists again,
 * so what is listed is waited for.
 */
export async function haveTexts(all: Locator, texts: readonly string[]): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const seen = await all.allTextContents();
    if (Bun.deepEquals(seen, [...texts])) return;
    if (performance.now() > deadline) expect(seen).toEqual([...texts]);
    await Bun.sleep(20);
  }
}

/** The parts of a page that wait for what they show. */
export const waiting = (page: Page) => page.locator("main [aria-busy=true]");

/** Waits until no part of the page waits any more. A part that came may hold others that wait. */
export async function hasLoaded(page: Page): Promise<void> {
  for (let left = 10; left > 0 && (await waiting(page).count()) > 0; left--)
    await waiting(page).first().waitFor({ state: "detached" });
}

/** Complaints of a test that is refused on purpose: Chromium writes each failed request on its console. */
export const refused = /status of 4\d\d/;
