/** "Go to" in a real browser, by the keyboard: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { memberButton } from "../support/page-parts.ts";

let served: Console;
let member: Member;
let chief: Member;
beforeAll(async () => {
  served = await openConsole();
  member = await addMember(served.harness, "Anna");
  chief = await addMember(served.harness, "Chief", { level: 3 });
  for (const name of ["Ember", "Night"]) await addSkin(served.harness, member, { name });
});
afterAll(() => served[Symbol.asyncDispose]());

/** Opens the dialog by its keys. */
async function openGoTo({ page, open }: Visitor, keys = "Control+k") {
  await open("/home");
  await memberButton(page).waitFor();
  await page.keyboard.press(keys);
  const dialog = page.getByRole("dialog", { name: "Go to" });
  const field = dialog.getByRole("combobox");
  await field.waitFor();
  return { dialog, field, options: dialog.getByRole("option"), keyboard: page.keyboard };
}

test.each(["Control+k", "Meta+k"])("%s offers pages; arrows move, Enter goes there", async (keys) => {
  await using visitor = await served.visit({ as: member });
  const { dialog, field, options, keyboard } = await openGoTo(visitor, keys);
  await options.first().waitFor();
  expect(await options.allTextContents()).toEqual([
    "Wardrobe Page",
    "Capes Page",
    "Account Page",
    "Play Page",
  ]);
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  await keyboard.press("ArrowDown");
  const active = await field.getAttribute("aria-activedescendant");
  expect(await dialog.locator(`[id="${active}"]`).textContent()).toBe("Capes Page");
  expect(await dialog.getByRole("option", { selected: true }).textContent()).toBe("Capes Page");
  await keyboard.press("Enter");
  await visitor.page.getByRole("heading", { name: "Capes", level: 1 }).waitFor();
  expect(await dialog.count()).toBe(0);
});

test("a member finds a skin of the wardrobe, which the page then shows", async () => {
  await using visitor = await served.visit({ as: member });
  const { field, options, keyboard } = await openGoTo(visitor);
  await field.fill("emb");
  await options.filter({ hasText: "Ember" }).waitFor();
  await keyboard.press("Enter");
  await visitor.page.waitForURL(/\/home\?q=Ember/);
  const skins = visitor.page.getByRole("list", { name: "Skins" });
  await skins.getByText("Night").waitFor({ state: "detached" });
  expect(await skins.getByRole("heading").allTextContents()).toEqual(["Ember"]);
});

test("staff find users from the third letter, and a member is not asked for any", async () => {
  await using visitor = await served.visit({ as: chief });
  const searches: string[] = [];
  visitor.page.on("request", (request) => {
    if (request.url().includes("/api/admin/users")) searches.push(request.url());
  });
  const { field, options } = await openGoTo(visitor);
  await options.filter({ hasText: "Outbox" }).waitFor();
  await field.fill("se");
  await options.filter({ hasText: "Services" }).waitFor();
  expect(searches).toEqual([]);
  await field.fill("anna");
  await options.filter({ hasText: "Anna" }).click();
  await visitor.page.waitForURL(`**/admin/users/${member.account.id}`);
});

test("nothing found is said, and Escape closes it and gives the focus back", async () => {
  await using visitor = await served.visit({ as: member });
  await visitor.open("/home");
  const button = visitor.page.getByRole("button", { name: "Go to" });
  await button.click();
  const field = visitor.page.getByRole("combobox", { name: "Pages, players and skins" });
  await field.fill("nothing has this name");
  await visitor.page.getByRole("status").filter({ hasText: "No results" }).waitFor();
  await visitor.page.keyboard.press("Escape");
  await visitor.page.getByRole("dialog").waitFor({ state: "detached" });
  await button.and(visitor.page.locator(":focus")).waitFor();
});

test("a guest has no use for it", async () => {
  await using visitor = await served.visit();
  await visitor.open("/login");
  await visitor.page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  await visitor.page.keyboard.press("Control+k");
  expect(await visitor.page.getByRole("button", { name: "Go to" }).count()).toBe(0);
  expect(await visitor.page.getByRole("dialog").count()).toBe(0);
});

test.each([320, 1280])("axe finds no fault at %i pixels", async (width) => {
  for (const theme of ["light", "dark"] as const) {
    await using visitor = await served.visit({ as: member, theme, width, bypassCSP: true });
    const { options } = await openGoTo(visitor);
    await options.first().waitFor();
    expect(await visitor.faults()).toEqual([]);
  }
});

test("Enter that comes before the list waits for what was typed", async () => {
  await using visitor = await served.visit({ as: chief });
  const { options, keyboard } = await openGoTo(visitor);
  await options.filter({ hasText: "Outbox" }).waitFor();
  await keyboard.type("outb");
  await keyboard.press("Enter");
  await visitor.page.getByRole("heading", { name: "Outbox", level: 1 }).waitFor();
});
