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

async function openAs(page: ConsolePage, member: Member | undefined): Promise<Visitor> {
  const visitor = await console.visit({ ...(member && { as: member }), bypassCSP: true });
  await visitor.open(page.path);
  await visitor.page.getByRole("heading", { level: 1, name: page.heading, exact: true }).waitFor();
  return visitor;
}

/** Waits until nothing loads any more and nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const sizes = [1280, 320];
const themes = ["light", "dark"] as const;

describe("every page", () => {
  test("has its heading, its title, and no fault that axe finds, in both themes, wide and narrow", async () => {
    const found: Record<string, readonly string[]> = {};
    for (const page of pages) {
      await using visitor = await openAs(page, visitorOf(page));
      await settle(visitor.page);
      const title = page.heading === name ? name : `${page.heading} · ${name}`;
      expect(await visitor.page.title()).toBe(title);
      for (const width of sizes) {
        await visitor.page.setViewportSize({ width, height: 900 });
        const over = await visitor.page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect([page.path, width, over]).toEqual([page.path, width, 0]);
        for (const colorScheme of themes) {
          await visitor.page.emulateMedia({ colorScheme });
          const faults = await visitor.faults();
          if (faults.length > 0) found[`${page.path} ${width} ${colorScheme}`] = faults;
        }
      }
    }
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
    for (const page of pages) {
      if (page.level < 2) continue;
      const member = page.level === 2 ? community.player : community.warden;
      await using visitor = await console.visit({ as: member });
      await visitor.open(page.path);
      await visitor.page.getByRole("heading", { level: 1, name: "You may not open this page" }).waitFor();
    }
  });

  test("begins with a link to its content", async () => {
    for (const page of pages) {
      await using visitor = await openAs(page, visitorOf(page));
      await visitor.page.keyboard.press("Tab");
      const focused = visitor.page.locator(":focus");
      expect([page.path, await focused.innerText()]).toEqual([page.path, "Skip to content"]);
      await visitor.page.keyboard.press("Enter");
      expect([page.path, await visitor.page.locator(":focus").getAttribute("id")]).toEqual([
        page.path,
        "main",
      ]);
    }
  });
});
