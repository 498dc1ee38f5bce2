/** The console by the keyboard alone, with the focus always in sight: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { consolePages } from "../support/console-pages.ts";
import { addMember } from "../support/members.ts";
import { field, heading, status } from "../support/page-parts.ts";
import { capePng, skinPng } from "../support/textures.ts";

let served: Console;
let community: Community;
beforeAll(async () => {
  served = await openConsole({ settings: { COMMUNITY_NAME: "Lantern" } });
  community = await fillCommunity(served.harness);
});
afterAll(() => served[Symbol.asyncDispose]());

/** Presses Tab until this has the focus. */
async function tabTo(wanted: Locator): Promise<void> {
  const page = wanted.page();
  const focused = wanted.and(page.locator(":focus"));
  for (let left = 80; left > 0; left--) {
    if ((await focused.count()) === 1) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${String(wanted)}`);
}

/** Writes into a field that Tab leads to. */
async function type(wanted: Locator, text: string): Promise<void> {
  await tabTo(wanted);
  await wanted.page().keyboard.type(text);
}

/** Presses the key on what Tab leads to. */
async function press(wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(wanted);
  await wanted.page().keyboard.press(key);
}

/** Chooses a file where Tab leads to and Enter asks for one. */
async function choose(input: Locator, name: string, file: Uint8Array): Promise<void> {
  const path = join(served.harness.folder, name);
  await writeFile(path, file);
  await tabTo(input);
  const asked = input.page().waitForEvent("filechooser");
  // A browser on a busy machine may drop a key.
  for (let tries = 0; tries < 5; tries++) {
    await input.page().keyboard.press("Enter");
    if ((await Promise.race([asked, Bun.sleep(3000)])) !== undefined) break;
  }
  await (await asked).setFiles(path);
}

const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });

type Stop = { readonly what: string; readonly isSeen: boolean };

/**
 * What has the focus: whether it is in the window, and whether a line around it or a part of it shows that.
 */
function focusOf(page: Page): Promise<Stop | null> {
  return page.evaluate(`(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return null;
    const box = at.getBoundingClientRect();
    const lines = [at, at.parentElement].map((one) => getComputedStyle(one));
    const isMarked = lines.some((one) => one.outlineStyle !== "none" && parseFloat(one.outlineWidth) >= 2);
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return { what: at.outerHTML.slice(0, 120), isSeen: isMarked && isInside };
  })()`);
}

describe("every page", () => {
  test("shows where the focus is at each of its stops", async () => {
    await using guest = await served.visit();
    await using chief = await served.visit({ as: community.chief });
    const unseen: Record<string, readonly string[]> = {};
    for (const { path, level, heading: title } of consolePages("Lantern", community)) {
      const { page, open } = level === 0 ? guest : chief;
      await open(path);
      await heading(page, title).waitFor();
      await page.waitForLoadState("networkidle");
      const hidden: string[] = [];
      for (let stops = 0; stops < 60; stops++) {
        await page.keyboard.press("Tab");
        const stop = await focusOf(page);
        if (stop === null) break;
        if (!stop.isSeen) hidden.push(stop.what);
      }
      if (hidden.length > 0) unseen[path] = hidden;
    }
    expect(unseen).toEqual({});
  });
});

describe("a member", () => {
  test("signs in, adds a skin, wears, edits, deletes and brings back, turns the figure, goes elsewhere", async () => {
    const member = await addMember(served.harness, "Fern");
    await using visitor = await served.visit();
    const { page } = visitor;
    const { keyboard } = page;
    await visitor.open("/login");
    const signIn = page.getByRole("main");
    await type(field(signIn, "Player name or e-mail"), member.name);
    await type(signIn.getByLabel("Password", { exact: true }), member.password);
    await keyboard.press("Enter");
    await heading(page, "Wardrobe").waitFor();
    expect(await page.locator("main:focus").count()).toBe(1);
    expect(await page.title()).toBe("Wardrobe · Lantern");

    for (const [name, seed] of [
      ["Moss", 301],
      ["Bark", 302],
    ] as const) {
      await choose(page.getByLabel("Upload a skin"), `${name}.png`, skinPng(seed));
      const added = page.getByRole("dialog", { name: "New skin" });
      await added.getByText("Detected").waitFor();
      await press(button(added, "Add to wardrobe"));
      await status(page, `${name} is in your wardrobe`).waitFor();
      await added.waitFor({ state: "detached" });
    }
    await press(button(page, "Wear Bark"));
    await status(page, "You wear Bark").waitFor();

    await press(button(page, "Edit Bark"));
    const edited = page.getByRole("dialog", { name: "Edit skin" });
    await tabTo(field(edited, "Name"));
    await keyboard.press("Control+a");
    await keyboard.type("Birch");
    await tabTo(edited.getByRole("radio", { name: "Classic" }));
    await keyboard.press("ArrowRight");
    expect(await edited.getByRole("radio", { name: "Slim" }).isChecked()).toBe(true);
    await press(button(edited, "Save"));
    await status(page, "Birch is saved").waitFor();

    await press(button(page, "Delete Birch"));
    await status(page, "Birch is deleted").waitFor();
    await press(button(page, "Undo: keep Birch"));
    await page.getByRole("heading", { name: "Birch" }).waitFor();

    const figure = page.getByRole("region", { name: "Preview" }).getByRole("img");
    await tabTo(figure);
    const before = await figure.screenshot();
    await keyboard.press("ArrowLeft");
    await keyboard.press("ArrowLeft");
    expect((await figure.screenshot()).equals(before)).toBe(false);

    await keyboard.press("Control+k");
    const goTo = page.getByRole("dialog", { name: "Go to" });
    await goTo.getByRole("option").first().waitFor();
    await keyboard.type("acc");
    await goTo.getByRole("option", { name: "Account" }).and(goTo.locator("[aria-selected=true]")).waitFor();
    await keyboard.press("Enter");
    await heading(page, "Account").waitFor();
    expect(await page.locator("main:focus").count()).toBe(1);
    expect(await page.title()).toBe("Account · Lantern");
  });
});

describe("an administrator", () => {
  test("goes from one person to another, and is led to the new page", async () => {
    await using visitor = await served.visit({ as: community.chief });
    const { page } = visitor;
    const [first, second] = community.others;
    await visitor.open(`/admin/users/${first?.account.id}`);
    await heading(page, first?.name ?? "").waitFor();
    await page.keyboard.press("Control+k");
    const goTo = page.getByRole("dialog", { name: "Go to" });
    await goTo.getByRole("combobox").waitFor();
    await page.keyboard.type(second?.name ?? "");
    await goTo.getByRole("option", { name: `${second?.name} User` }).waitFor();
    await page.keyboard.press("Enter");
    await heading(page, second?.name ?? "").waitFor();
    await page.locator("main:focus").waitFor();
    expect(await page.title()).toBe(`${second?.name} · Lantern`);
  });

  test("adds a cape with two owners", async () => {
    await using visitor = await served.visit({ as: community.chief });
    const { page } = visitor;
    await visitor.open("/admin/capes");
    await choose(page.getByLabel("Upload a cape"), "Dawn.png", capePng(301));
    const dialog = page.getByRole("dialog", { name: "New cape" });
    const owners = dialog.getByRole("combobox", { name: "Owners" });
    for (const name of ["Robin", "Linden"]) {
      await type(owners, name);
      await dialog.getByRole("option", { name }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await button(dialog, `Remove ${name}`).waitFor();
    }
    await press(button(dialog, "Add cape"));
    await status(page, "Dawn").waitFor();
    // The person who adds it is suggested.
    await button(page, "3 owners of Dawn").waitFor();
  });
});
