/** What holds for every page of the console, in a real browser: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { consolePages, type ConsolePage } from "../support/console-pages.ts";
import type { Member } from "../support/members.ts";

const name = "Lantern";

let console: Console;
let community: Community;
let pages: readonly ConsolePage[];
beforeAll(async () => {
  console = await openConsole({ settings: { COMMUNITY_NAME: name } });
  community = await fillCommunity(console.harness);
  pages = consolePages(name, community);
});
afterAll(() => console[Symbol.asyncDispose]());

/** A member who may just open the page; undefined: a guest may. */
function visitorOf({ level }: ConsolePage): Member | undefined {
  const { player, warden, chief } = community;
  return [undefined, player, warden, chief][level];
}

/** Calls `look` with every page, as the member sees it: one window for each level. */
async function forEveryPage(look: (page: ConsolePage, visitor: Visitor) => Promise<void>): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const visitors = new Map<number, Visitor>();
  for (const page of pages) {
    const member = visitorOf(page);
    const visitor =
      visitors.get(page.level) ??
      closing.use(await console.visit({ ...(member && { as: member }), bypassCSP: true }));
    visitors.set(page.level, visitor);
    await visitor.page.setViewportSize({ width: 1280, height: 900 });
    await visitor.open(page.path);
    await visitor.page.getByRole("heading", { level: 1, name: page.heading, exact: true }).waitFor();
    await look(page, visitor);
  }
}

/** Waits until nothing loads any more and nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const sizes = [1280, 320];
const themes = ["light", "dark"] as const;

/** The first stop of the keyboard leads to the content. */
async function skipToContent({ path }: ConsolePage, page: Page): Promise<void> {
  const focused = page.locator(":focus");
  await page.keyboard.press("Tab");
  expect([path, await focused.innerText()]).toEqual([path, "Skip to content"]);
  await page.keyboard.press("Enter");
  expect([path, await focused.getAttribute("id")]).toEqual([path, "main"]);
}

/** What axe finds in both themes, wide and narrow. */
async function faultsOf({ path }: ConsolePage, visitor: Visitor) {
  const found: Record<string, readonly string[]> = {};
  for (const width of sizes) {
    await visitor.page.setViewportSize({ width, height: 900 });
    const over = await visitor.page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect([path, width, over]).toEqual([path, width, 0]);
    for (const colorScheme of themes) {
      await visitor.page.emulateMedia({ colorScheme });
      const faults = await visitor.faults();
      if (faults.length > 0) found[`${path} ${width} ${colorScheme}`] = faults;
    }
  }
  return found;
}

describe("every page", () => {
  test("has its title, begins with a link to its content, and has no fault that axe finds", async () => {
    const found: Record<string, readonly string[]> = {};
    await forEveryPage(async (page, visitor) => {
      const title = page.heading === name ? name : `${page.heading} · ${name}`;
      expect(await visitor.page.title()).toBe(title);
      await settle(visitor.page);
      await skipToContent(page, visitor.page);
      Object.assign(found, await faultsOf(page, visitor));
    });
    expect(found).toEqual({});
  });

  test("of members leads guests to the sign-in, and back", async () => {
    await using visitor = await console.visit();
    for (const { path, level } of pages) {
      if (level === 0) continue;
      await visitor.open(path);
      await visitor.page.waitForURL(`**/login?next=${encodeURIComponent(path)}`);
    }
  });

  test("says to members of a lower level that they may not open it, without a request for its data", async () => {
    await using player = await console.visit({ as: community.player });
    await using warden = await console.visit({ as: community.warden });
    for (const { path, level } of pages) {
      if (level < 2) continue;
      const { page, open } = level === 2 ? player : warden;
      await open(path);
      await page.getByRole("heading", { level: 1, name: "You may not open this page" }).waitFor();
    }
  });
});
