/** What holds for every page of the console, in a real browser: `bun run gate:browser`. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fillCommunity } from "../support/community.ts";
import { openConsole, type Visitor } from "../support/console-browser.ts";
import { consolePages, type ConsolePage } from "../support/console-pages.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import type { Member } from "../support/members.ts";

const name = "Lantern";

const console = await openConsole({ settings: { COMMUNITY_NAME: name } });
const { player, warden, chief, ...others } = await fillCommunity(console.harness);
const pages = consolePages(name, { player, warden, chief, ...others });
const guarded = pages.filter(({ level }) => level > 0);
const ofStaff = guarded.filter(({ level }) => level > 1);

/** A window for each level: to open one takes longer than to open a page. */
const windows = new Map<Member | null, Visitor>();
afterAll(async () => {
  for (const window of windows.values()) await window[Symbol.asyncDispose]();
  await console[Symbol.asyncDispose]();
});
afterEach(() => {
  for (const { complaints } of windows.values()) expect(complaints).toEqual([]);
});

async function openAs(member: Member | null, path: string): Promise<Visitor> {
  const window =
    windows.get(member) ?? (await console.visit({ ...(member && { as: member }), bypassCSP: true }));
  windows.set(member, window);
  await window.open(path);
  return window;
}

/** Opens it as who may just open it, and waits until it is drawn and nothing loads any more. */
async function openPage({ level, path, heading }: ConsolePage): Promise<Visitor> {
  const visitor = await openAs([null, player, warden, chief][level] ?? null, path);
  const { page } = visitor;
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.waitForFunction(
    "[...document.images].every(({ loading, complete }) => loading === 'lazy' || complete)",
  );
  return visitor;
}

describe.each(pages)("$path", (one) => {
  test("has its heading, its title, a link to its content, and no fault in both themes, wide and narrow", async () => {
    const visitor = await openPage(one);
    await skipToContent(visitor.page);
    expect(await visitor.page.title()).toBe(one.heading === name ? name : `${one.heading} · ${name}`);
    expect(await faultsEverywhere(visitor)).toEqual([]);
  });
});

/** The first stop of the keyboard leads to the content. */
async function skipToContent(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").innerText()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("id")).toBe("main");
}

test.each(guarded)("$path leads guests to the sign-in, and back", async ({ path }) => {
  const { page } = await openAs(null, path);
  await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`);
});

test.each(ofStaff)(
  "$path says to members of a lower level that they may not open it, without a request for its data",
  async ({ path, level }) => {
    const { page } = await openAs(level === 2 ? player : warden, path);
    await page.getByRole("heading", { level: 1, name: "You may not open this page" }).waitFor();
  },
);
