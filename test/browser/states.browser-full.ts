/**
 * What pages show while they load, when they have nothing to show, and when they cannot:
 * `bun run test:browser`.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { consolePages } from "../support/console-pages.ts";
import { addMember, type Member } from "../support/members.ts";
import { alertOf, fill, hasLoaded, heading, press, waiting } from "../support/page-parts.ts";

let served: Console;
let community: Community;
beforeAll(async () => {
  served = await openConsole({ settings: { COMMUNITY_NAME: "Lantern" } });
  community = await fillCommunity(served.harness);
});
afterAll(() => served[Symbol.asyncDispose]());

/** The pages that ask the server for what they show, with a table without which it cannot answer. */
const tables: Readonly<Record<string, string>> = {
  "/u/Robin": "players",
  "/home": "skins",
  "/home/capes": "cape_grants",
  "/home/account": "skins",
  "/admin": "daily_counts",
  "/admin/users": "players",
  "/admin/users/4": "cape_grants",
  "/admin/skins": "skins",
  "/admin/capes": "capes",
  "/admin/audit": "audit_entries",
  "/admin/mail": "bulk_mails",
  "/admin/outbox": "outbox",
  "/admin/services": "service_tokens",
};

function loadingPages() {
  const pages = consolePages("Lantern", community).filter(({ path }) => path in tables);
  expect(pages.map(({ path }) => path)).toEqual(Object.keys(tables));
  return pages.map((page) => ({ ...page, table: tables[page.path] ?? "" }));
}

/** A member who may just open pages of this level. */
function memberFor(level: number): Member {
  const { player, warden, chief } = community;
  return [player, player, warden, chief][level] ?? player;
}

/** Whether the page's script asks: pictures are asked for by the browser. */
const isAsked = (route: Route) => route.request().resourceType() === "fetch";

/** Holds what the page asks the API for, until the call of the answer. Pictures come. */
async function holdRequests(page: Page) {
  const held = Promise.withResolvers<void>();
  await page.route("**/api/**", async (route) => {
    if (isAsked(route)) await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** How far the page's content was moved without anyone touching it (https://web.dev/articles/cls). */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let shift = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shift), 50)));
  })`);
}

type Skeleton = { readonly delay: string; readonly fill: string };

/** When the blocks of a page that loads show themselves. */
function skeletonsOf(page: Page): Promise<readonly Skeleton[]> {
  return page.evaluate(`[...document.querySelectorAll("main .skeleton")].map((block) => {
    const { animationDelay: delay, animationFillMode: fill } = getComputedStyle(block);
    return { delay, fill };
  })`);
}

describe("a page that loads", () => {
  test("shows the places of its content after 150 ms, and moves nothing when that comes", async () => {
    const moved: Record<string, number> = {};
    for (const { path, level } of loadingPages()) {
      await using visitor = await served.visit({ as: memberFor(level), width: 412 });
      const { page } = visitor;
      const release = await holdRequests(page);
      await visitor.open(path);
      await waiting(page).first().getByText("Loading").first().waitFor({ state: "attached" });
      const skeletons = await skeletonsOf(page);
      if (level > 0) expect([path, skeletons.length > 0]).toEqual([path, true]);
      for (const skeleton of skeletons) expect(skeleton).toEqual({ delay: "0.15s", fill: "both" });
      release();
      await hasLoaded(page);
      const shift = await shiftOf(page);
      if (shift > 0.02) moved[path] = shift;
    }
    expect(moved).toEqual({});
  });

  test("says that the server cannot be reached, failed or is busy, and loads by the same button", async () => {
    // The server remembers players that were looked at.
    const { name } = await addMember(served.harness, "Unseen");
    for (const { level, table, ...asked } of loadingPages()) {
      const [path, title] = level === 0 ? [`/u/${name}`, name] : [asked.path, asked.heading];
      await using visitor = await served.visit({
        as: memberFor(level),
        expects: /ERR_FAILED|status of 50\d/,
      });
      const { page } = visitor;
      const again = page.getByRole("button", { name: "Try again", exact: true });
      await page.route("**/api/**", (route) => (isAsked(route) ? route.abort() : route.continue()));
      await visitor.open(path);
      await alertOf(page, "The server cannot be reached").first().waitFor();
      await page.unroute("**/api/**");
      await using broken = breakTable(table);
      const answered = page.waitForResponse((response) => response.status() === 500);
      await again.first().click();
      const id = (await answered).headers()["x-request-id"] ?? "";
      await alertOf(page, "Something went wrong on the server").first().waitFor();
      await alertOf(page, id).first().waitFor();
      broken.repair();
      await pressAll(again);
      await heading(page, title).waitFor();
      await hasLoaded(page);
      expect([path, await again.count()]).toEqual([path, 0]);
    }
  });

  test("counts the seconds down for which a busy server asks", async () => {
    await using visitor = await served.visit({ as: community.player, expects: /status of 503/ });
    const { page } = visitor;
    await page.clock.install();
    await page.route("**/api/home/players", (route) =>
      route.fulfill({ status: 503, headers: { "retry-after": "3" }, json: { msg: "Busy" } }),
    );
    await visitor.open("/home");
    await page.getByRole("button", { name: "Try again in 3 seconds" }).waitFor();
    await alertOf(page, "Busy").waitFor();
    await page.clock.runFor(2000);
    await page.getByRole("button", { name: "Try again in 1 second", exact: true }).waitFor();
    await page.unroute("**/api/home/players");
    await page.clock.runFor(1000);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await page.getByRole("list", { name: "Skins" }).waitFor();
  });
});

/** Presses every such button until the last one is gone; those of a part may come with the part around it. */
async function pressAll(button: Locator): Promise<void> {
  const free = button.and(button.page().locator(":not([aria-disabled])"));
  for (let left = 20; left > 0 && (await button.count()) > 0; left--)
    await free
      .first()
      .click({ timeout: 1000 })
      .catch(() => "gone meanwhile");
}

/** Takes a table from the running service, until it is repaired. */
function breakTable(table: string) {
  const database = new Database(join(served.harness.folder, "cloakroom.db"));
  database.run("PRAGMA busy_timeout = 5000");
  const rename = (from: string, to: string) => database.run(`ALTER TABLE ${from} RENAME TO ${to}`);
  rename(table, "taken_away");
  let isBroken = true;
  const repair = () => {
    if (isBroken) rename("taken_away", table);
    isBroken = false;
  };
  return {
    repair,
    [Symbol.asyncDispose]: async () => {
      repair();
      database.close(true);
    },
  };
}

describe("a page with nothing to show", () => {
  test("says so, and what helps", async () => {
    await using quiet = await openConsole();
    const member = await addMember(quiet.harness, "Nemo");
    const chief = await addMember(quiet.harness, "Chief", { level: 3 });
    const texts: readonly (readonly [Member, string, string])[] = [
      [member, "/home", "Your wardrobe is empty"],
      [member, "/home/capes", "You have no capes yet"],
      [chief, "/admin/users?q=nobody", "No user has this"],
      [chief, "/admin/skins", "There are no skins yet"],
      [chief, "/admin/skins?q=nothing", "No skin has this"],
      [chief, "/admin/capes", "There are no capes yet"],
      [chief, "/admin/audit?action=nothing.done", "No entry fits"],
      [chief, "/admin/mail", "No mail was sent to everybody yet"],
      [chief, "/admin/outbox?state=failed", "No mail has failed"],
      [chief, "/admin/services", "There are no tokens yet"],
    ];
    const visitors = new Map<Member, Visitor>();
    await using closing = new AsyncDisposableStack();
    for (const [as, path, text] of texts) {
      const visitor = visitors.get(as) ?? closing.use(await quiet.visit({ as }));
      visitors.set(as, visitor);
      await visitor.open(path);
      await visitor.page.getByText(text).first().waitFor();
    }
  });
});

describe("a form", () => {
  test("counts down while sign-ins are limited, keeps its input, and sends by the same button", async () => {
    await using strict = await openConsole({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const member = await addMember(strict.harness, "Anna");
    await using visitor = await strict.visit({ expects: /status of 4(?:01|29)/ });
    const { page } = visitor;
    await page.clock.install();
    await visitor.open("/login");
    const shown = page.getByRole("main");
    const counted = shown.getByRole("button", { name: /^Try again in \d+ seconds?$/ });
    await fill(shown, { "Player name or e-mail": member.name });
    const password = shown.getByLabel("Password", { exact: true });
    for (let left = 30; left > 0 && (await counted.count()) === 0; left--) {
      await password.fill("not the password");
      const answered = page.waitForResponse("**/console/session");
      await press(shown, "Sign in");
      await answered;
      await shown.locator("form[aria-busy=true]").waitFor({ state: "detached" });
      await page.clock.runFor(20);
    }
    const text = (await counted.textContent()) ?? "";
    const seconds = Number(/\d+/.exec(text)?.[0]);
    await page.clock.runFor(1000);
    if (seconds > 2)
      await shown.getByRole("button", { name: `Try again in ${seconds - 1} seconds` }).waitFor();
    await page.clock.runFor(seconds * 1000);
    expect(await shown.getByLabel("Player name or e-mail").inputValue()).toBe(member.name);
    strict.harness.clock.advance(seconds);
    await password.fill(member.password);
    await press(shown, "Sign in");
    await heading(page, "Wardrobe").waitFor();
  });
});

describe("rights", () => {
  test("that are taken while a page is open close the page at the next request", async () => {
    const warden = await addMember(served.harness, "Fallen", { level: 2 });
    await using visitor = await served.visit({ as: warden, expects: /status of 403/ });
    const { page } = visitor;
    await visitor.open("/admin/users");
    await page.getByRole("table", { name: "Users" }).waitFor();
    const lowered = await served.harness.fetch(`/api/admin/user/role/${warden.account.id}`, {
      method: "POST",
      headers: { authorization: community.chief.authorization, "content-type": "application/json" },
      body: JSON.stringify({ user: warden.account.id, role_level: 1 }),
    });
    expect(lowered.status).toBe(200);
    await page.getByRole("searchbox", { name: "Search users" }).fill("robin");
    await heading(page, "You may not open this page").waitFor();
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
  });
});
