/** A player's page, and how its figure behaves, under the policy of pages. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { openConsole, type Console, type Visit, type Visitor } from "../support/console-browser.ts";
import { addMember, addSkin, edit, grantCape, wearCape, type Member } from "../support/members.ts";
import { heading, status } from "../support/page-parts.ts";
import { capePng, skinPng } from "../support/textures.ts";

const name = "Ember";

let console: Console;
beforeAll(async () => {
  console = await openConsole();
  await addMember(console.harness, name);
});
afterAll(() => console[Symbol.asyncDispose]());

/** Counts the frames that the page asks for. */
const countFrames = `{
  window.plainFrame = requestAnimationFrame.bind(window);
  window.frames_asked = 0;
  window.requestAnimationFrame = (draw) => (window.frames_asked++, window.plainFrame(draw));
}`;

async function openPlayer(visit: Visit = {}, script = countFrames): Promise<Visitor> {
  const visitor = await console.visit(visit);
  await visitor.page.addInitScript(script);
  await visitor.open(`/u/${name}`);
  await visitor.page.getByRole("img", { name: `3D view of ${name}` }).waitFor();
  await visitor.page.waitForLoadState("networkidle");
  return visitor;
}

/** How many frames the page asks for within ten of the browser's. */
const framesAsked = (page: Page) =>
  page.evaluate<number>(`(async () => {
    const before = window.frames_asked;
    for (let i = 0; i < 10; i++) await new Promise(window.plainFrame);
    return window.frames_asked - before;
  })()`);

/** What the canvas shows, at a moment when it is drawn. */
const seen = async (page: Page) =>
  (await page.getByRole("img", { name: /^3D view/ }).screenshot()).toString("base64");

/** Waits until the figure looks different. */
async function changed(page: Page, from: string): Promise<void> {
  while ((await seen(page)) === from) await framesAsked(page);
}

describe("a player's page", () => {
  test("shows name, figure, cape and the skin's file", async () => {
    await using visitor = await openPlayer();
    const { page } = visitor;
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await page.getByText(`${name} wears no cape.`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download the skin" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.png`);
  });

  test("keeps everything in its place while it is loaded", async () => {
    const observe = `new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) (window.shifts ??= []).push([value, ...sources.map(({ node, previousRect: a, currentRect: b }) => [node?.nodeName, node?.className, a.y, a.height, b.y, b.height].join(" "))].join("; "));
    }).observe({ type: "layout-shift", buffered: true });`;
    for (const width of [412, 1280]) {
      await using visitor = await openPlayer({ width }, countFrames + observe);
      const shifts = await visitor.page.evaluate<readonly string[]>("window.shifts ?? []");
      const large = shifts.filter((shift) => Number.parseFloat(shift) > 0.02);
      expect([width, large]).toEqual([width, []]);
    }
  });
});

describe("a player's page, to a member", () => {
  let owner: Member;
  let other: Member;
  beforeAll(async () => {
    const { harness } = console;
    [owner, other] = [await addMember(harness, "Owner"), await addMember(harness, "Other")];
    const skin = await addSkin(harness, owner, { file: skinPng(7) });
    await wearCape(harness, owner, skin, await grantCape(harness, [owner], capePng(7), "Moon"));
  });

  test("is where a skin that its owner shares is worn, and the wardrobe has it", async () => {
    {
      await using visitor = await console.visit({ as: owner });
      const { page } = visitor;
      await visitor.open("/home/account");
      const box = page.getByRole("checkbox", { name: "Members may wear the skin of Owner" });
      await box.check();
      await status(page, "Members may wear the skin of Owner now").waitFor();
      await page.getByRole("link", { name: "Owner", exact: true }).click();
      await page.getByRole("link", { name: "Change it in your wardrobe" }).waitFor();
      await page.getByText("Moon", { exact: true }).waitFor();
      await page.getByText("Here since").waitFor();
    }
    {
      await using visitor = await console.visit();
      await visitor.open("/u/Owner");
      await visitor.page.getByRole("link", { name: "Sign in to wear this skin" }).click();
      await visitor.page.waitForURL("**/login?next=%2Fu%2FOwner");
    }
    await using visitor = await console.visit({ as: other, width: 390 });
    const { page } = visitor;
    await visitor.open("/u/Owner");
    await page.getByRole("button", { name: "Wear this: the skin of Owner" }).press("Enter");
    await status(page, "You wear the skin of Owner.").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Wardrobe" }).click();
    await page.getByRole("heading", { name: "Owner", exact: true }).waitFor();
  });

  test("is left with its address copied, and a former name leads to it", async () => {
    const { password } = owner;
    const renamed = { username: "Holder", password };
    expect((await edit(console.harness, owner, "PATCH /api/home/edit/username", renamed)).status).toBe(200);
    await using visitor = await console.visit();
    const { page, context } = visitor;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await visitor.open("/u/owner");
    await heading(page, "Holder").waitFor();
    expect(new URL(page.url()).pathname).toBe("/u/Holder");
    await page.getByRole("button", { name: "Copy link" }).click();
    await status(page, "Copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(`${console.address}/u/Holder`);
  });
});

test("a former name and an offline uuid lead on within the console, to a page that acts on the player", async () => {
  const { harness } = console;
  const member = await addMember(harness, "Earlier");
  const { password } = member;
  const asked = await edit(harness, member, "PATCH /api/home/edit/username", { username: "Later", password });
  expect(asked.status).toBe(200);
  await using visitor = await console.visit({
    as: { ...member, name: "Later" },
    expects: /status of 40[04]/,
  });
  const { page } = visitor;
  for (const name of ["Earlier", offlineUuid("Later")]) {
    await visitor.open("/play");
    await heading(page, "Play").waitFor();
    // A link of the console to that page, and a load of the document would forget this.
    await page.evaluate(`window.kept = true;
      document.querySelector(".brand").href = "/u/${name}";
      document.querySelector(".brand").click()`);
    await heading(page, "Later").waitFor();
    await page.waitForURL("**/u/Later");
    await page.getByRole("link", { name: "Change it in your wardrobe" }).waitFor();
    expect(await page.evaluate<boolean>("window.kept === true")).toBe(true);
  }
});

describe("the figure", () => {
  test("stands still for visitors who want less motion, and then asks for no frame", async () => {
    await using visitor = await openPlayer({ motion: "reduce" });
    await visitor.page.getByRole("button", { name: "Play animation" }).waitFor();
    await framesAsked(visitor.page);
    expect(await framesAsked(visitor.page)).toBe(0);
  });

  test("moves until it is stopped", async () => {
    await using visitor = await openPlayer({ motion: "no-preference" });
    const { page } = visitor;
    expect(await framesAsked(page)).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Pause animation" }).click();
    await framesAsked(page);
    expect(await framesAsked(page)).toBe(0);
    await page.getByRole("combobox", { name: "Animation" }).selectOption("Run");
    await page.getByRole("button", { name: "Pause animation" }).waitFor();
    expect(await framesAsked(page)).toBeGreaterThan(0);
  });

  test.each<readonly [string, (page: Page) => Promise<void>]>([
    ["a button", (page) => page.getByRole("button", { name: "Turn left" }).click()],
    ["an arrow key", (page) => page.getByRole("img", { name: /^3D view/ }).press("ArrowRight")],
    [
      "the mouse",
      async (page) => {
        await page.getByRole("img", { name: /^3D view/ }).hover();
        await page.mouse.down();
        await page.mouse.move(400, 300);
        await page.mouse.up();
      },
    ],
  ])("is turned by %s", async (_, turn) => {
    await using visitor = await openPlayer();
    const { page } = visitor;
    await framesAsked(page);
    const before = await seen(page);
    await turn(page);
    await changed(page, before);
  });

  test("comes back once its context was lost, and is a picture after the second time", async () => {
    await using visitor = await openPlayer();
    const { page } = visitor;
    await framesAsked(page);
    const before = await seen(page);
    const lose = `(() => {
      const gl = document.querySelector("canvas").getContext("webgl2");
      window.loser ??= gl.getExtension("WEBGL_lose_context");
      window.loser.loseContext();
    })()`;
    await page.evaluate(lose);
    await framesAsked(page);
    await page.evaluate("window.loser.restoreContext()");
    while ((await seen(page)) !== before) await framesAsked(page);
    await page.evaluate(lose);
    await page.locator("img[src*='type=player']").waitFor();
    await page.getByRole("button", { name: "Turn left" }).waitFor({ state: "detached" });
  });

  test("is the server's picture in a browser without WebGL 2", async () => {
    const without = `{
      const plain = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : plain.call(this, kind, ...rest);
      };
    }`;
    await using visitor = await openPlayer({}, countFrames + without);
    const picture = visitor.page.getByRole("img", { name: `3D view of ${name}` });
    expect(await picture.getAttribute("src")).toContain("type=player");
    await visitor.page.waitForFunction("document.querySelector('img.figure').naturalWidth > 0");
    await visitor.page.getByRole("button", { name: /animation/ }).waitFor({ state: "detached" });
  });
});
