/** The wardrobe in a real browser, by role and name: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { looks } from "../support/everywhere.ts";
import { addMember, addPlayer, addSkin, allowPlayers, grantCape, type Member } from "../support/members.ts";
import { haveTexts, memberButton, signOut } from "../support/page-parts.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { skinPng, slimSkinPng } from "../support/textures.ts";

let served: Console;
beforeAll(async () => {
  served = await openConsole({ settings: { WARDROBE_MAX: "4", SKIN_WIDTH_MAX: "128" } });
});
afterAll(() => served[Symbol.asyncDispose]());

let count = 0;

/** A member with these skins, the last of which was added last. */
async function memberWith(...names: readonly string[]): Promise<Member> {
  const member = await addMember(served.harness, `Anna_${++count}`);
  for (const [at, name] of names.entries())
    await addSkin(served.harness, member, { name, file: skinPng(count * 100 + at) });
  return member;
}

type Home = {
  readonly Selected_Skin: string;
  readonly Selected_Cape: number;
  readonly Skin: readonly {
    readonly Name: string;
    readonly Uuid: string;
    readonly Slim: boolean;
    readonly Cloak_id: string;
  }[];
};

async function homeOf({ authorization }: Member): Promise<Home> {
  const answer = await served.harness.fetch("/api/home", { headers: { authorization } });
  return (await readJson<Envelope<Home>>(answer)).data;
}

const namesOf = async (member: Member) => (await homeOf(member)).Skin.map(({ Name }) => Name);

/** What the names on the page lead to. */
function partsOf(page: Page) {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const skins = page.getByRole("list", { name: "Skins" });
  return {
    button,
    skins,
    listed: (...names: readonly string[]) => haveTexts(skins.getByRole("heading"), names),
    item: (name: string) => skins.getByRole("listitem").filter({ hasText: name }),
    upload: page.getByLabel("Upload a skin"),
    dialog: (name: string) => page.getByRole("dialog", { name }),
    says: (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor(),
    warns: (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text }).waitFor(),
  };
}

async function openWardrobe(visitor: Visitor) {
  await visitor.open("/home");
  const parts = partsOf(visitor.page);
  await parts.skins.waitFor({ state: "attached" });
  return parts;
}

function pngFile(name: string, file = skinPng(7)) {
  return { name, mimeType: "image/png", buffer: Buffer.from(file) };
}

/** Requests that change something, since the call. */
function changesOn(page: Page): string[] {
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.method() !== "HEAD")
      changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return changes;
}

/** Gives a file to the page as dragging or the clipboard does. */
async function deliver(page: Page, how: "drop" | "paste", file: Uint8Array): Promise<void> {
  const event =
    how === "drop"
      ? "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })"
      : "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })";
  await page.evaluate(`
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([${file.join()}])], "Dropped.png", { type: "image/png" }));
    document.body.dispatchEvent(${event});
  `);
}

describe("upload", () => {
  test("shows a file with its arms before anything is sent, and adds it", async () => {
    const member = await memberWith();
    await using visitor = await served.visit({ as: member });
    const { upload, dialog, says, listed } = await openWardrobe(visitor);
    const changes = changesOn(visitor.page);
    await upload.setInputFiles(pngFile("Ember.png"));
    const shown = dialog("New skin");
    await shown.getByText("Detected: classic").waitFor();
    expect(await shown.getByLabel("Name").inputValue()).toBe("Ember");
    expect(await shown.getByRole("radio", { name: "Classic" }).isChecked()).toBe(true);
    expect(await shown.getByRole("img", { name: /^3D view of/ }).count()).toBe(1);
    expect(changes).toEqual([]);
    await shown.getByRole("radio", { name: "Slim" }).check();
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await says("Ember is in your wardrobe");
    await listed("Ember");
    expect((await homeOf(member)).Skin).toMatchObject([{ Name: "Ember", Slim: true }]);
  });

  test("takes a file that is dropped, and one that is pasted in its place", async () => {
    await using visitor = await served.visit({ as: await memberWith("First") });
    const { dialog, item } = await openWardrobe(visitor);
    await item("First").waitFor();
    await deliver(visitor.page, "drop", slimSkinPng(9));
    const shown = dialog("New skin");
    await shown.getByText("Detected: slim").waitFor();
    expect(await shown.getByLabel("Name").inputValue()).toBe("Dropped");
    await deliver(visitor.page, "paste", skinPng(9));
    await shown.getByText("Detected: classic").waitFor();
  });

  test("refuses files that are no skins in the dialog, sends nothing and keeps what was entered", async () => {
    const bad: readonly (readonly [Uint8Array, RegExp])[] = [
      [Buffer.from("GIF89a, a picture of another kind"), /not a PNG/],
      [skinPng(1, { width: 100, height: 100 }), /100 x 100/],
      [skinPng(1, { width: 256 }), /256 x 256 pixels; at most 128/],
      [new Uint8Array(1_100_000), /at most/],
      [skinPng(1).slice(0, 200), /cannot be read/],
    ];
    const member = await memberWith();
    await using visitor = await served.visit({ as: member });
    const { upload, dialog } = await openWardrobe(visitor);
    const changes = changesOn(visitor.page);
    const shown = dialog("New skin");
    await upload.setInputFiles(pngFile("Bad.png", bad[0]?.[0]));
    await shown.getByLabel("Name").fill("My own name");
    for (const [file, text] of bad) {
      await shown.getByLabel("Choose another file").setInputFiles(pngFile("Bad.png", file));
      await shown.getByRole("alert").filter({ hasText: text }).waitFor();
      await shown.getByRole("button", { name: "Add to wardrobe" }).click();
      await shown.getByRole("alert").filter({ hasText: text }).waitFor();
    }
    expect(changes).toEqual([]);
    await shown.getByLabel("Choose another file").setInputFiles(pngFile("Good.png"));
    await shown.getByText("Detected: classic").waitFor();
    expect(await shown.getByRole("alert").count()).toBe(0);
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await shown.waitFor({ state: "detached" });
    expect(await namesOf(member)).toEqual(["My own name"]);
  });

  test("says the API's words beside what was entered, and sends again by the same button", async () => {
    const member = await memberWith();
    await using visitor = await served.visit({ as: member, expects: /400/ });
    const { upload, dialog } = await openWardrobe(visitor);
    await upload.setInputFiles(pngFile("Old.png", skinPng(3, { width: 64, height: 32 })));
    const shown = dialog("New skin");
    await shown.getByRole("radio", { name: "Slim" }).check();
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await shown.getByRole("alert").filter({ hasText: /slim/ }).waitFor();
    await shown.getByRole("radio", { name: "Classic" }).check();
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await shown.waitFor({ state: "detached" });
    expect(await namesOf(member)).toEqual(["Old"]);
  });

  test("keeps the dialog while the server cannot be reached", async () => {
    const member = await memberWith();
    await using visitor = await served.visit({ as: member, expects: /ERR_INTERNET_DISCONNECTED/ });
    const { upload, dialog } = await openWardrobe(visitor);
    await upload.setInputFiles(pngFile("Ember.png"));
    const shown = dialog("New skin");
    await visitor.context.setOffline(true);
    await shown.getByLabel("Name").fill("Offline");
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await shown.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
    expect(await shown.getByLabel("Name").inputValue()).toBe("Offline");
    await visitor.context.setOffline(false);
    await shown.getByRole("button", { name: "Add to wardrobe" }).click();
    await shown.waitFor({ state: "detached" });
    expect(await namesOf(member)).toEqual(["Offline"]);
  });
});

describe("a skin", () => {
  test("is worn, marked and shown", async () => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member });
    const { button, item, says } = await openWardrobe(visitor);
    const preview = visitor.page.getByRole("region", { name: "Preview" });
    await preview.getByRole("img", { name: "3D view of Ember" }).waitFor();
    expect(await item("Ember").getAttribute("aria-current")).toBe("true");
    await button("Wear Night").click();
    await says("You wear Night");
    await preview.getByRole("img", { name: "3D view of Night" }).waitFor();
    expect(await item("Night").getAttribute("aria-current")).toBe("true");
    expect(await item("Ember").getAttribute("aria-current")).toBeNull();
    const { Selected_Skin, Skin } = await homeOf(member);
    expect(Skin.find(({ Uuid }) => Uuid === Selected_Skin)?.Name).toBe("Night");
    await button("Take off Night").click();
    await says("You no longer wear Night");
    expect((await homeOf(member)).Selected_Skin).toBe("");
  });

  test("is worn by the player that is chosen", async () => {
    const member = await memberWith("Ember", "Night");
    await allowPlayers(served.harness, member);
    const other = await addPlayer(served.harness, member, `Other_${count}`);
    await using visitor = await served.visit({ as: member });
    const { button, item, says } = await openWardrobe(visitor);
    await visitor.page.getByRole("combobox", { name: "Player" }).selectOption(other.name);
    expect(await item("Ember").getAttribute("aria-current")).toBeNull();
    await button("Wear Night").click();
    await says(`You wear Night as ${other.name}`);
    const { Selected_Skin, Skin } = await homeOf(member);
    expect(Skin.find(({ Uuid }) => Uuid === Selected_Skin)?.Name).toBe("Ember");
  });

  test("gets another name, other arms and a cape", async () => {
    const member = await memberWith("Ember");
    const cape = await grantCape(served.harness, [member]);
    await using visitor = await served.visit({ as: member });
    const { button, dialog, says, listed } = await openWardrobe(visitor);
    await button("Edit Ember").click();
    const shown = dialog("Edit skin");
    await shown.getByLabel("Name").fill("Ash");
    await shown.getByRole("radio", { name: "Slim" }).check();
    await shown.getByRole("combobox", { name: "Cape" }).selectOption("Founders");
    await shown.getByRole("button", { name: "Save" }).click();
    await says("Ash is saved");
    await listed("Ash");
    expect((await homeOf(member)).Skin).toMatchObject([{ Name: "Ash", Slim: true, Cloak_id: cape.uuid }]);
  });

  test("has a name that stays text within its card", async () => {
    const names = ["<img src=x onerror=alert(1)>", "漢".repeat(64), "שלום עולם"];
    await using visitor = await served.visit({ as: await memberWith(...names), width: 320 });
    const { listed } = await openWardrobe(visitor);
    await listed(names[0] ?? "", ...names.slice(1).toReversed());
    expect(await sidewaysOf(visitor.page)).toBe(0);
  });
});

/** Pixels that the page is too wide. */
function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

describe("deletion", () => {
  test("can be undone, and asks nothing of the server until then", async () => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member });
    const { button, item, listed, says } = await openWardrobe(visitor);
    const changes = changesOn(visitor.page);
    await button("Delete Night").click();
    await says("Night is deleted");
    await listed("Ember", "Night");
    await item("Night").getByText("Deleted").waitFor();
    expect(await button("Wear Night").count()).toBe(0);
    await visitor.page.getByText("1 of 4").waitFor();
    await button("Undo: keep Night").click();
    await button("Wear Night").waitFor();
    await listed("Ember", "Night");
    expect(await hasFocus(button("Show Night"))).toBe(true);
    expect(changes).toEqual([]);
    expect(await namesOf(member)).toEqual(["Ember", "Night"]);
  });

  test("is sent after ten seconds, which stand still while the focus or the pointer is at Undo", async () => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member });
    await visitor.page.clock.install();
    const { button, listed } = await openWardrobe(visitor);
    const changes = changesOn(visitor.page);
    await button("Delete Night").focus();
    await visitor.page.keyboard.press("Enter");
    expect(await hasFocus(button("Undo: keep Night"))).toBe(true);
    await visitor.page.clock.runFor(30_000);
    await button("Undo: keep Night").hover();
    await button("Edit Ember").focus();
    await visitor.page.clock.runFor(30_000);
    expect(changes).toEqual([]);
    await visitor.page.mouse.move(0, 0);
    const sent = visitor.page.waitForResponse((response) => response.request().method() === "DELETE");
    await visitor.page.clock.runFor(11_000);
    expect((await sent).status()).toBe(204);
    await listed("Ember");
    expect(await namesOf(member)).toEqual(["Ember"]);
  });

  test("of several skins waits for each by itself, and leaves the focus on a neighbour", async () => {
    const member = await memberWith("Ember", "Night", "Moss");
    await using visitor = await served.visit({ as: member });
    await visitor.page.clock.install();
    const { button, listed } = await openWardrobe(visitor);
    await button("Delete Night").click();
    await visitor.page.clock.runFor(6000);
    await button("Delete Moss").click();
    expect(await hasFocus(button("Undo: keep Moss"))).toBe(true);
    await visitor.page.clock.runFor(5000);
    await listed("Ember", "Moss");
    await visitor.page.clock.runFor(6000);
    await listed("Ember");
    expect(await hasFocus(button("Show Ember"))).toBe(true);
    for (let left = 50; left > 0 && (await namesOf(member)).length > 1; left--) await Bun.sleep(50);
    expect(await namesOf(member)).toEqual(["Ember"]);
  });

  test("is for one card, however quickly it is tapped twice, and so is Undo", async () => {
    const member = await memberWith("Ember", "Night", "Moss");
    await using visitor = await served.visit({ as: member, touch: true, width: 390 });
    const { button } = await openWardrobe(visitor);
    const { page } = visitor;
    const waiting = () => page.getByRole("button", { name: /^Undo/ }).allTextContents();
    await tapTwice(page, button("Delete Night"), button("Delete Night"));
    expect(await waiting()).toHaveLength(1);
    expect(await hasFocus(button("Undo: keep Night"))).toBe(true);
    await tapTwice(page, button("Undo: keep Night"), button("Undo: keep Night"));
    expect(await waiting()).toHaveLength(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await tapTwice(page, button("Delete Night"), button("Delete Moss"));
    expect(await waiting()).toHaveLength(2);
    await button("Undo: keep Moss").tap();
    await button("Undo: keep Night").waitFor();
    await page.goto("about:blank");
    for (let left = 50; left > 0 && (await namesOf(member)).length > 2; left--) await Bun.sleep(50);
    expect(await namesOf(member)).toEqual(["Ember", "Moss"]);
  });

  test.each([
    ["another page is opened", (page: Page) => page.getByRole("link", { name: "Capes" }).click()],
    ["the page is left", (page: Page) => page.goto("about:blank")],
    ["the person signs out", signOut],
  ])("is sent at once when %s", async (_, leave) => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member });
    const { button, says } = await openWardrobe(visitor);
    await button("Delete Night").click();
    await says("Night is deleted");
    await leave(visitor.page);
    for (let left = 50; left > 0 && (await namesOf(member)).length > 1; left--) await Bun.sleep(50);
    expect(await namesOf(member)).toEqual(["Ember"]);
  });

  test("that fails brings the skin back and says why", async () => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member, expects: /ERR_FAILED/ });
    const { button, listed, says, warns } = await openWardrobe(visitor);
    await visitor.page.route("**/api/home/edit/skin", (route) => route.abort());
    await button("Delete Night").click();
    await says("Night is deleted");
    await button("Wear Ember").focus();
    await visitor.page.getByRole("link", { name: "Capes" }).click();
    await warns("Night was not deleted: The server cannot be reached");
    await visitor.page.getByRole("link", { name: "Wardrobe", exact: true }).click();
    await button("Delete Night").waitFor();
    await listed("Ember", "Night");
  });

  test("makes room in a full wardrobe for what is added next", async () => {
    const member = await memberWith("One", "Two", "Three", "Four");
    await using visitor = await served.visit({ as: member });
    const { button, upload, dialog, says, warns, listed } = await openWardrobe(visitor);
    await visitor.page.getByText("Your wardrobe is full").waitFor();
    expect(await upload.count()).toBe(0);
    await deliver(visitor.page, "drop", skinPng(5));
    await warns("Your wardrobe is full");
    await button("Delete Two").click();
    await upload.setInputFiles(pngFile("Five.png"));
    await dialog("New skin").getByRole("button", { name: "Add to wardrobe" }).click();
    await says("Five is in your wardrobe");
    await listed("One", "Five", "Four", "Three");
    expect(await namesOf(member)).toEqual(["One", "Three", "Four", "Five"]);
  });
});

describe("the page", () => {
  test("says what helps when the wardrobe is empty", async () => {
    await using visitor = await served.visit({ as: await memberWith() });
    const { upload } = await openWardrobe(visitor);
    await visitor.page.getByText("Your wardrobe is empty").waitFor();
    expect(await upload.count()).toBe(1);
  });

  test("says that it loads, and that the server cannot be reached, and tries again", async () => {
    const member = await memberWith("Ember");
    await using visitor = await served.visit({ as: member, expects: /ERR_FAILED/ });
    const held = Promise.withResolvers<void>();
    await visitor.page.route("**/api/home", (route) => held.promise.then(() => route.abort()));
    await visitor.open("/home");
    await visitor.page.getByText("Loading").waitFor({ state: "attached" });
    held.resolve();
    const { warns, button, item } = partsOf(visitor.page);
    await warns("The server cannot be reached");
    await visitor.page.unroute("**/api/home");
    await button("Try again").click();
    await item("Ember").waitFor();
  });

  test("goes on with less: without WebGL, storage and channels between tabs", async () => {
    const member = await memberWith("Ember");
    await using visitor = await served.visit({ as: member });
    await visitor.context.addInitScript(`
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, options);
      };
      Object.defineProperty(window, "localStorage", { get() { throw new DOMException("off", "SecurityError"); } });
      delete window.BroadcastChannel;
    `);
    const { upload, dialog, says, listed } = await openWardrobe(visitor);
    const preview = visitor.page.getByRole("region", { name: "Preview" });
    const picture = preview.getByRole("img", { name: "3D view of Ember" });
    await picture.waitFor();
    expect(await picture.getAttribute("src")).toMatch(/^\/api\/skin\/body\//);
    await upload.setInputFiles(pngFile("Flat.png"));
    await dialog("New skin").getByRole("img", { name: "3D view of Flat" }).waitFor();
    await dialog("New skin").getByRole("button", { name: "Add to wardrobe" }).click();
    await says("Flat is in your wardrobe");
    await listed("Ember", "Flat");
  });

  test("leads a member whose session ended to signing in, and back", async () => {
    const member = await memberWith("Ember");
    await using visitor = await served.visit({ as: member, expects: /401/ });
    const { button } = await openWardrobe(visitor);
    await visitor.context.clearCookies();
    await button("Take off Ember").click();
    await visitor.page.waitForURL("**/login?next=%2Fhome");
  });

  test.each(looks)("has no fault that axe finds, $width pixels, $theme", async ({ width, theme }) => {
    const member = await memberWith("Ember", "Night");
    await grantCape(served.harness, [member]);
    await using visitor = await served.visit({ as: member, theme, width, bypassCSP: true });
    const { button, upload, dialog, item } = await openWardrobe(visitor);
    await item("Ember").waitFor();
    expect(await visitor.faults()).toEqual([]);
    await button("Edit Ember").click();
    await dialog("Edit skin").waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.page.keyboard.press("Escape");
    await upload.setInputFiles(pngFile("Ember.png"));
    await dialog("New skin").getByText("Detected: classic").waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.page.keyboard.press("Escape");
    await button("Show Night").click();
    await button("Turn and move").click();
    await button("Delete Ember").click();
    expect(await visitor.faults()).toEqual([]);
    expect(await sidewaysOf(visitor.page)).toBe(0);
    await button("Undo: keep Ember").click();
    await memberButton(visitor.page).click();
    await visitor.page.getByRole("menu").waitFor();
    expect(await visitor.faults()).toEqual([]);
  });

  test("is worked by the keyboard alone", async () => {
    const member = await memberWith("Ember", "Night");
    await using visitor = await served.visit({ as: member });
    const { button, says, item } = await openWardrobe(visitor);
    await item("Ember").waitFor();
    const { keyboard } = visitor.page;
    await tabTo(visitor.page, button("Wear Night"));
    await keyboard.press("Enter");
    await says("You wear Night");
    await tabTo(visitor.page, button("Delete Night"));
    await keyboard.press("Enter");
    expect(await hasFocus(button("Undo: keep Night"))).toBe(true);
    await keyboard.press("Enter");
    await button("Wear Night").waitFor();
    expect(await hasFocus(button("Show Night"))).toBe(true);
  });
});

/** Two taps, one after the other as fingers do by mistake; each where its target was before the first one. */
async function tapTwice(page: Page, first: Locator, second: Locator): Promise<void> {
  await first.scrollIntoViewIfNeeded();
  const [one, other] = await Promise.all([first, second].map((target) => target.boundingBox()));
  if (!one || !other) throw new Error("there is nothing to tap");
  for (const { x, y, width, height } of [one, other]) {
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await Bun.sleep(180);
  }
}

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let left = 60; left > 0; left--) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach it");
}

function hasFocus(wanted: Locator): Promise<boolean> {
  return wanted
    .and(wanted.page().locator(":focus"))
    .count()
    .then((count) => count === 1);
}
