/** The wardrobe on a telephone, and what members meet beside wearing: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { addMember, addPlayer, addSkin, allowPlayers, edit, type Member } from "../support/members.ts";
import { haveTexts, memberButton } from "../support/page-parts.ts";
import { skinPng } from "../support/textures.ts";

const name = "The Lantern Craft Community of Northern Lights";

let served: Console;
beforeAll(async () => {
  served = await openConsole({ settings: { COMMUNITY_NAME: name, WARDROBE_MAX: "60", PLAYERS_MAX: "3" } });
});
afterAll(() => served[Symbol.asyncDispose]());

let count = 0;

/** A member whose worn skin is the oldest of these. */
async function memberWith(...names: readonly string[]): Promise<Member> {
  const member = await addMember(served.harness, `Annabelle_Lo_${++count}`);
  for (const [at, one] of names.entries())
    await addSkin(served.harness, member, { name: one, file: skinPng(count * 100 + at) });
  return member;
}

const button = (page: Page, text: string) => page.getByRole("button", { name: text, exact: true });
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });

async function openWardrobe({ page, open }: Visitor): Promise<void> {
  await open("/home");
  await page.getByRole("list", { name: "Skins" }).waitFor();
}

const file = (one: Uint8Array) => ({ name: "New.png", mimeType: "image/png", buffer: Buffer.from(one) });

const bottomOf = async (target: Locator) => {
  const box = await target.boundingBox();
  return box === null ? Infinity : box.y + box.height;
};

describe("on a telephone of 390 pixels", () => {
  test("the worn skin is first, and its buttons are on the first screen, with several players too", async () => {
    const member = await memberWith("Oldest", ...Array.from({ length: 20 }, (_, at) => `Skin ${at}`));
    await allowPlayers(served.harness, member);
    await addPlayer(served.harness, member, "Another_of_them");
    await using visitor = await served.visit({ as: member, width: 390, touch: true });
    await openWardrobe(visitor);
    const { page } = visitor;
    const cards = page.getByRole("list", { name: "Skins" }).getByRole("listitem");
    await cards.first().getByRole("heading", { name: "Oldest" }).waitFor();
    await preview(page).locator("canvas").waitFor();
    expect(await bottomOf(button(page, "Wear Oldest"))).toBeLessThanOrEqual(844);
    expect(await bottomOf(button(page, "Wear Skin 19"))).toBeLessThanOrEqual(844);
    expect(
      await page.evaluate<number>(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('arms=')).length",
      ),
    ).toBeLessThan(21);
  });

  test("the header shows the community's whole name and who is signed in", async () => {
    const member = await memberWith("Ember");
    for (const width of [390, 320]) {
      await using visitor = await served.visit({ as: member, width, touch: true });
      await openWardrobe(visitor);
      const { page } = visitor;
      await memberButton(page).getByText(member.name).waitFor();
      const isWhole = `[...document.querySelectorAll(".brand > span, .member-button > span")]
        .every((one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1)
        && document.documentElement.scrollWidth <= innerWidth`;
      expect([width, await page.evaluate<boolean>(isWhole)]).toEqual([width, true]);
      expect(await page.locator(".brand").textContent()).toBe(name);
    }
  });

  test("the navigation fades where it goes on, and Play is in the member's menu", async () => {
    const chief = await addMember(served.harness, "Chief", { level: 3 });
    await using visitor = await served.visit({ as: chief, width: 390, touch: true });
    await visitor.open("/home");
    const { page } = visitor;
    await page.locator("nav[data-more-after]:not([data-more-before])").first().waitFor();
    await memberButton(page).tap();
    await page.getByRole("menuitem", { name: "Play" }).tap();
    await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
    await page.locator("nav[data-more-before]").first().waitFor();
  });

  test("a picture shows its skin in the figure, which stays in view; Back shows what is worn", async () => {
    const member = await memberWith("Oldest", ...Array.from({ length: 20 }, (_, at) => `Skin ${at}`));
    await using visitor = await served.visit({ as: member, width: 390, touch: true });
    await openWardrobe(visitor);
    const { page } = visitor;
    const before = await preview(page).boundingBox();
    await button(page, "Show Skin 3").tap();
    const figure = preview(page).getByRole("img", { name: "3D view of Skin 3" });
    await figure.waitFor();
    const shown = await preview(page).boundingBox();
    expect(shown?.height).toBe(before?.height);
    expect(shown?.y).toBe(0);
    expect(await button(page, "Show Skin 3").getAttribute("aria-pressed")).toBe("true");
    await button(page, "Back to what you wear").tap();
    await preview(page).getByRole("img", { name: "3D view of Oldest" }).waitFor();
    await button(page, "Show Skin 3").tap();
    await button(page, "Turn and move").tap();
    await button(page, "Turn left").tap();
    await preview(page).getByRole("button", { name: "Wear", exact: true }).tap();
    await page.getByRole("status").filter({ hasText: "You wear Skin 3" }).waitFor();
    expect(await preview(page).getByRole("button", { name: "Worn" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
  });
});

test("Wear is sent once, and shows that it works", async () => {
  const member = await memberWith("Ember", "Night");
  await using visitor = await served.visit({ as: member, width: 390, touch: true });
  await openWardrobe(visitor);
  const { page } = visitor;
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/api/home/players/*", async (route) => {
    sent++;
    await held.promise;
    await route.continue();
  });
  const wear = button(page, "Wear Night");
  await wear.tap();
  await page.locator("[aria-label='Wear Night'][aria-busy=true]").waitFor();
  await wear.tap({ force: true });
  held.resolve();
  await page.getByRole("status").filter({ hasText: "You wear Night" }).waitFor();
  expect(sent).toBe(1);
  expect(await wear.getAttribute("aria-busy")).toBeNull();
});

test.each([
  ["worn", (page: Page) => button(page, "Wear Night").click()],
  [
    "changed",
    async (page: Page) => {
      await button(page, "Edit Night").click();
      await button(page, "Save").click();
    },
  ],
])("a skin that was deleted elsewhere is gone when it is %s, and the page says so", async (_, use) => {
  const member = await memberWith("Ember", "Night");
  await using visitor = await served.visit({ as: member, expects: /status of 40[04]/ });
  await openWardrobe(visitor);
  const { page } = visitor;
  await button(page, "Wear Night").waitFor();
  const home = await served.harness.fetch("/api/home", { headers: { authorization: member.authorization } });
  const { data } = (await home.json()) as { data: { Skin: { Name: string; Uuid: string }[] } };
  const skinid = data.Skin.find(({ Name }) => Name === "Night")?.Uuid;
  await edit(served.harness, member, "DELETE /api/home/edit/skin", { skinid });
  await use(page);
  await page.getByRole("alert").filter({ hasText: "Night is no longer in your wardrobe" }).waitFor();
  await haveTexts(page.getByRole("list", { name: "Skins" }).getByRole("heading"), ["Ember"]);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("the dialog says which skin has the same picture, and why a file is no skin where the figure would be", async () => {
  const member = await memberWith("Ember");
  await using visitor = await served.visit({ as: member });
  await openWardrobe(visitor);
  const { page } = visitor;
  await page.getByLabel("Upload a skin").setInputFiles(file(skinPng(count * 100)));
  const dialog = page.getByRole("dialog", { name: "New skin" });
  await dialog.getByText("You have this picture already: Ember.").waitFor();
  await dialog.getByLabel("Choose another file").setInputFiles(file(Buffer.from("GIF89a")));
  await dialog.locator(".figure-problem").getByText("not a PNG").waitFor();
  await dialog.getByLabel("Choose another file").setInputFiles(file(skinPng(count * 100)));
  await dialog.getByText("You have this picture already: Ember.").waitFor();
  await dialog.getByRole("button", { name: "Add to wardrobe" }).click();
  await page.getByRole("status").filter({ hasText: "Ember has the same picture" }).waitFor();
  await preview(page).getByRole("img", { name: "3D view of New" }).waitFor();
});

test("a pasted picture is named after its moment", async () => {
  await using visitor = await served.visit({ as: await memberWith(), language: "de" });
  const { page } = visitor;
  await visitor.open("/home");
  await page.getByText("Deine Garderobe ist leer").waitFor();
  await page.evaluate(`
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([${skinPng(3).join()}])], "image.png", { type: "image/png" }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  `);
  const field = page.getByRole("dialog").getByLabel("Name");
  await field.waitFor();
  expect(await field.inputValue()).toMatch(/^Eingefügt \d{1,2}\. .+ \d\d:\d\d$/);
});

test("the member's menu is worked by keys, closes on Escape and a press beside it, and leads on", async () => {
  const member = await memberWith("Ember");
  await using visitor = await served.visit({ as: member });
  await openWardrobe(visitor);
  const { page } = visitor;
  const menu = page.getByRole("menu");
  const isFocused = (text: string) => page.locator(":focus").filter({ hasText: text }).waitFor();
  await memberButton(page).focus();
  await page.keyboard.press("ArrowDown");
  await menu.waitFor();
  await page.locator(".member-button[aria-expanded=true]").waitFor();
  await isFocused("My page");
  await page.keyboard.press("ArrowUp");
  await isFocused("Sign out");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await isFocused("Account");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  await isFocused(member.name);
  await memberButton(page).click();
  await menu.waitFor();
  await page.mouse.click(20, 800);
  await menu.waitFor({ state: "hidden" });
  await memberButton(page).click();
  await page.getByRole("menuitem", { name: "My page" }).click();
  await page.getByRole("heading", { level: 1, name: member.name }).waitFor();
  await menu.waitFor({ state: "hidden" });
});

test("paper has neither header nor buttons, and is white", async () => {
  const member = await memberWith("Ember");
  await using visitor = await served.visit({ as: member, theme: "dark" });
  const { page } = visitor;
  for (const path of ["/home", `/u/${member.name}`]) {
    await visitor.open(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("canvas").waitFor();
    await page.emulateMedia({ media: "print" });
    const shown = `[...document.querySelectorAll("header, footer, button, .button")].filter((one) => one.checkVisibility()).map((one) => one.className)`;
    expect([path, await page.evaluate<string[]>(shown)]).toEqual([
      path,
      path === "/home" ? ["card-show"] : [],
    ]);
    expect(await page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    await page.emulateMedia({ media: "screen" });
  }
});

test("the figure is printed", async () => {
  const member = await memberWith("Ember");
  await using visitor = await served.visit({ as: member });
  const { page } = visitor;
  await visitor.open(`/u/${member.name}`);
  await page.locator(".figure > canvas").waitFor();
  await page.locator(".figure > img").waitFor({ state: "detached" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const pixels = `(() => {
    const paper = document.querySelector(".figure-paper");
    const { data } = paper.getContext("2d").getImageData(0, 0, paper.width, paper.height);
    return data.filter((value, at) => at % 4 === 3 && value === 255).length;
  })()`;
  expect(await page.evaluate<number>(pixels)).toBeGreaterThan(1000);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator(".figure-paper").count()).toBe(0);
});
