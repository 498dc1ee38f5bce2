/** Users, and a person's page, as staff use them: `bun run gate:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { addAccounts } from "../support/capes.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, addSkin, grantCape, type Member } from "../support/members.ts";
import { haveTexts } from "../support/page-parts.ts";
import { lastCode } from "../support/registration.ts";
import { skinPng } from "../support/textures.ts";

let world: Console;
let chief: Member;
let warden: Member;
let alice: Member;
beforeAll(async () => {
  world = await openConsole({ settings: { SMTP_URL: "smtp://127.0.0.1:1" } });
  chief = await addMember(world.harness, "Chief", { level: 3 });
  warden = await addMember(world.harness, "Warden", { level: 2 });
  alice = await addMember(world.harness, "Alice");
});
afterAll(() => world[Symbol.asyncDispose]());

const users = (page: Page) => page.getByRole("table", { name: "Users" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search users" });
const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const pathOf = (member: Member) => `/admin/users/${member.account.id}`;

describe("the list", () => {
  test("is searched as one types, and the search stays in the address", async () => {
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/api/admin/users") asked.push(searchParams.get("q") ?? "");
    });
    await open("/admin/users");
    await users(page).getByRole("link", { name: "Chief", exact: true }).waitFor();
    await search(page).fill("al");
    await page.getByText("Type three characters or more").waitFor();
    await page.waitForURL("**/admin/users?q=al");
    await search(page).pressSequentially("ice");
    await page.waitForURL("**/admin/users?q=alice");
    await users(page).getByRole("link", { name: "Chief", exact: true }).waitFor({ state: "detached" });
    await search(page).fill(String(chief.account.id));
    await users(page).getByRole("link", { name: "Chief", exact: true }).waitFor();
    // Nothing was asked for two letters.
    expect(asked.filter((q) => q.length < 3)).toEqual(["", String(chief.account.id)]);

    await open("/admin/users?q=alice");
    expect(await search(page).inputValue()).toBe("alice");
    await users(page).getByRole("link", { name: "Alice", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Alice", exact: true }).waitFor();
    await page.goBack();
    expect(await search(page).inputValue()).toBe("alice");
    await search(page).fill("no such name");
    await page.getByText("No user has this in the name or the address.").waitFor();
  });

  test("is sorted, and the order stays in the address", async () => {
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    const sort = page.getByRole("combobox", { name: "Sort" });
    const names = users(page).locator("tbody a");
    await open("/admin/users");
    await names.first().waitFor();
    await sort.selectOption("Name");
    await page.waitForURL("**/admin/users?sort=name");
    await users(page)
      .getByRole("link")
      .first()
      .and(page.getByText("Alice", { exact: true }))
      .waitFor();
    const shown = await names.allTextContents();
    expect(shown).toEqual(shown.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
    await page.reload();
    await names.first().waitFor();
    expect(await sort.inputValue()).toBe("name");
    await sort.selectOption("Last seen");
    await page.waitForURL("**/admin/users?sort=seen");
    await page.goBack();
    expect(await sort.inputValue()).toBe("name");
  });

  test("shows further pages by key", async () => {
    await using many = await openConsole();
    const owner = await addMember(many.harness, "Owner", { level: 3 });
    await addAccounts(many.harness, 70);
    await using visitor = await many.visit({ as: owner });
    const { page, open } = visitor;
    await open("/admin/users");
    await page.getByText("50 of 71").waitFor();
    expect(await users(page).getByRole("row").count()).toBe(51);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("71 of 71").waitFor();
    expect(await users(page).getByRole("row").count()).toBe(72);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  test("offers to try again when the server cannot be reached", async () => {
    await using visitor = await world.visit({ as: warden, expects: /ERR_INTERNET_DISCONNECTED/ });
    const { page, context, open } = visitor;
    await open("/admin/users");
    await users(page).waitFor();
    await context.setOffline(true);
    await search(page).fill("alice");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await users(page).getByRole("link", { name: "Alice", exact: true }).waitFor();
  });
});

describe("a person", () => {
  test("gets a level with an end, and the audit says so", async () => {
    const robin = await addMember(world.harness, "Robin");
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(pathOf(robin));
    const role = page.getByRole("form", { name: "Role" });
    await role.getByRole("combobox", { name: "Level", exact: true }).selectOption("Moderator");
    await role.getByLabel("Until", { exact: true }).fill("2101-06-01T12:30");
    await role.getByRole("button", { name: "Set role" }).click();
    const question = page.getByRole("dialog", { name: "Set the role of Robin: Moderator" });
    await question.getByText(/sees all users with their mail addresses/).waitFor();
    await question.getByText(/^Until .* then: Player\.$/).waitFor();
    await question.getByRole("button", { name: "Set role" }).click();
    await status(page, "Role set").waitFor();
    await page.getByRole("link", { name: "Audit", exact: true }).and(page.locator("[href*=tab]")).click();
    const audit = page.getByRole("table", { name: "Audit" });
    await audit.getByText("Chief gave Robin the level Moderator").waitFor();
    await open("/admin/users?q=Robin");
    await users(page).getByText("Moderator until").waitFor();
  });

  test("is suspended with an end and a reason, reads both at the sign-in, and is let in again", async () => {
    const mia = await addMember(world.harness, "Mia");
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(pathOf(mia));
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Suspend Mia" });
    await dialog.getByText(/signed out everywhere/).waitFor();
    await dialog.getByLabel("Until").fill("2101-06-01T12:30");
    await dialog.getByLabel("Reason").fill("Griefing at the market");
    await page.keyboard.press("Enter");
    await status(page, "Mia is suspended").waitFor();
    await page
      .getByText(/^Suspended until Jun 1, 2101/)
      .first()
      .waitFor();
    await page.getByText("Griefing at the market").first().waitFor();

    await using other = await world.visit({ expects: /403/ });
    await other.open("/login");
    const form = other.page.locator("form", { has: other.page.getByLabel("Player name or e-mail") });
    await form.getByLabel("Player name or e-mail").fill("Mia");
    await form.getByRole("textbox", { name: "Password" }).fill(mia.password);
    await form.getByRole("button", { name: "Sign in", exact: true }).click();
    await form
      .getByRole("alert")
      .getByText(/^This account is suspended until 2101-06-01 .*: Griefing at the market$/)
      .waitFor();

    await page.getByRole("button", { name: "End suspension" }).click();
    await status(page, "The suspension is over").waitFor();
    await page.getByRole("button", { name: "Suspend", exact: true }).waitFor();
    await form.getByRole("button", { name: "Sign in", exact: true }).click();
    await other.page.waitForURL("**/home");
  });

  test("is asked before their own administration goes, and the last one keeps it", async () => {
    await using visitor = await world.visit({ as: chief, expects: /409/ });
    const { page, open } = visitor;
    await open(pathOf(chief));
    const role = page.getByRole("form", { name: "Role" });
    await role.getByRole("combobox", { name: "Level", exact: true }).selectOption("Player");
    await role.getByRole("button", { name: "Set role" }).click();
    const question = page.getByRole("dialog", { name: "Set the role of Chief: Player" });
    await question.getByText(/This is your own role/).waitFor();
    await question.getByRole("button", { name: "Set role" }).click();
    await question
      .getByRole("alert")
      .getByText(/^The last administrator/)
      .waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await role.getByRole("combobox", { name: "Level", exact: true }).inputValue()).toBe("1");
  });

  test("is left without a request when it is set as it is, and leads home when one's own goes", async () => {
    const deputy = await addMember(world.harness, "Deputy", { level: 3 });
    await using visitor = await world.visit({ as: deputy });
    const { page, open } = visitor;
    await open(pathOf(deputy));
    const role = page.getByRole("form", { name: "Role" });
    await role.getByRole("button", { name: "Set role" }).click();
    await role.getByRole("alert").getByText("Nothing was changed").waitFor();
    await role.getByRole("combobox", { name: "Level", exact: true }).selectOption("Player");
    await role.getByRole("button", { name: "Set role" }).click();
    const question = page.getByRole("dialog", { name: "Set the role of Deputy: Player" });
    await question.getByRole("button", { name: "Set role" }).click();
    await page.waitForURL("**/home");
    await status(page, "Role set").waitFor();
    await page.getByRole("heading", { level: 1, name: "Wardrobe" }).waitFor();
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
  });

  test("keeps the ends of capes that are not touched", async () => {
    const { harness } = world;
    const juno = await addMember(harness, "Juno");
    const kept = await grantCape(harness, [juno]);
    const end = harness.clock.nowSeconds() + 86_399;
    const headers = { authorization: chief.authorization, "content-type": "application/json" };
    await harness.fetch(`/api/admin/user/cape/${juno.account.id}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ user: juno.account.id, cape: [{ id: kept.id, expired_at: end }] }),
    });
    const other = await grantCape(harness, []);
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(pathOf(juno));
    const capes = page.getByRole("form", { name: "Capes" });
    await capes.getByRole("checkbox").nth(1).waitFor();
    expect(await capes.getByRole("checkbox", { checked: true }).count()).toBe(1);
    await capes.locator(`input[value="${other.uuid}"]`).check();
    await capes.getByRole("button", { name: "Save capes" }).click();
    await status(page, "Capes saved").waitFor();
    const grants = await harness.services.reads.textures.listGrantedCapes(
      juno.account.id,
      harness.clock.nowSeconds(),
    );
    expect(grants.map(({ id, grantExpiresAt }) => [id, grantExpiresAt])).toEqual([
      [kept.id, end],
      [other.id, null],
    ]);
    await capes.locator(`input[value="${kept.uuid}"]`).uncheck();
    await capes.getByRole("button", { name: "Save capes" }).click();
    await page.waitForFunction("document.querySelectorAll('[name=cape]:checked').length === 1");
  });

  test("has ends of capes within the card at 320 pixels", async () => {
    const nora = await addMember(world.harness, "Nora");
    await grantCape(world.harness, [nora]);
    await using visitor = await world.visit({ as: chief, width: 320 });
    const { page, open } = visitor;
    await open(pathOf(nora));
    const end = page.getByRole("form", { name: "Capes" }).locator(".grant-end input").first();
    await end.waitFor();
    const card = page.locator(".card").filter({ has: end });
    const [inner, outer] = [await end.boundingBox(), await card.boundingBox()];
    expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width - 8);
  });

  test("is only looked at by moderators", async () => {
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open(pathOf(alice));
    const buttons = page.getByRole("main").getByRole("button");
    await haveTexts(buttons, ["Copy", "End all sessions", "End session"]);
    expect(await page.getByRole("form").count()).toBe(0);
    await open(`${pathOf(alice)}?tab=audit`);
    await page.getByRole("table", { name: "Audit" }).waitFor();
    await open(pathOf(chief));
    await page.getByText("Only an administrator may end sessions of moderators").waitFor();
    await haveTexts(buttons, ["Copy"]);
  });

  test("is signed out everywhere by a moderator", async () => {
    const vera = await addMember(world.harness, "Vera");
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open(pathOf(vera));
    await page.getByRole("button", { name: "End all sessions" }).click();
    const dialog = page.getByRole("dialog", { name: "End all sessions: Vera" });
    await dialog.getByRole("button", { name: "End all sessions" }).click();
    await status(page, "All sessions of Vera have ended").waitFor();
    await page.getByText("Not signed in anywhere.").waitFor();
  });

  test("has parts of their page in the address, and 48 skins at a time", async () => {
    await using much = await openConsole({ settings: { WARDROBE_MAX: "100" } });
    const owner = await addMember(much.harness, "Owner", { level: 3 });
    for (let made = 0; made < 50; made++)
      await addSkin(much.harness, owner, { file: skinPng(made), name: `Skin ${made}` });
    await using visitor = await much.visit({ as: owner });
    const { page, open } = visitor;
    await open(pathOf(owner));
    await page.getByRole("link", { name: "Skins (50)" }).click();
    await page.waitForURL(`**${pathOf(owner)}?tab=skins`);
    await page.getByText("48 of 50").waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("50 of 50").waitFor();
    const names = page.getByRole("heading", { level: 3 });
    expect((await names.allTextContents()).slice(0, 3)).toEqual(["Skin 0", "Skin 49", "Skin 48"]);
    expect(await names.count()).toBe(50);
    await page.getByRole("searchbox", { name: "Search skins" }).fill("skin 4");
    await page.waitForFunction("document.querySelectorAll('main h3').length === 11");
    await page.goBack();
    await page.getByRole("form", { name: "Role" }).waitFor();
  });

  test("is sent a code, signed out and renamed", async () => {
    const pike = await addMember(world.harness, "Pike");
    await using visitor = await world.visit({ as: chief, expects: /status of 400/ });
    const { page, open } = visitor;
    await open(`${pathOf(pike)}?tab=account`);
    await page.getByRole("button", { name: "Send reset mail" }).click();
    await status(page, `A mail is on its way to ${pike.mail}`).waitFor();
    expect(lastCode(world.harness, pike.mail)).toMatch(/-/);
    await open(pathOf(pike));
    const sessions = page.getByRole("list", { name: "Sessions" });
    await sessions.getByRole("button", { name: /^End session/ }).click();
    await status(page, "Session ended").waitFor();
    await sessions.getByText("Not signed in anywhere.").waitFor();
    await open(`${pathOf(pike)}?tab=account`);
    const account = page.getByRole("form", { name: "Account" });
    await account.getByRole("button", { name: "Save" }).click();
    await account.getByRole("alert").getByText("Nothing was changed").waitFor();
    await account.getByRole("textbox", { name: "Player name" }).fill("a b");
    await account.getByRole("button", { name: "Save" }).click();
    await account
      .getByText(/username/)
      .first()
      .waitFor();
    expect(await account.getByRole("textbox", { name: "Player name" }).inputValue()).toBe("a b");
    await account.getByRole("textbox", { name: "Player name" }).fill("Perch");
    await account.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Perch", exact: true }).waitFor();
  });

  test("gets, loses and keeps players", async () => {
    const sable = await addMember(world.harness, "Sable");
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(pathOf(sable));
    await page.getByRole("button", { name: "New player" }).click();
    const added = page.getByRole("dialog", { name: "New player" });
    await added.getByRole("textbox", { name: "Player name" }).fill("Second");
    await added.getByRole("button", { name: "Add player" }).click();
    await status(page, "Second is saved").waitFor();
    const players = page.getByRole("list", { name: "Players" });
    await players.getByRole("button", { name: "Delete Second" }).click();
    const deleted = page.getByRole("dialog", { name: "Delete Second" });
    await deleted.getByRole("button", { name: "Delete", exact: true }).click();
    await status(page, "Second is deleted").waitFor();
    await haveTexts(players.getByRole("link"), ["Sable"]);
  });

  test("is deleted after the name was typed", async () => {
    const quill = await addMember(world.harness, "Quill");
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(`${pathOf(quill)}?tab=account`);
    await page.getByRole("button", { name: "Delete Quill" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Quill" });
    await dialog.getByRole("textbox", { name: "Type Quill to confirm" }).fill("quill");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("alert").getByText("This is not Quill").waitFor();
    await dialog.getByRole("textbox").fill("Quill");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await status(page, "Quill is deleted").waitFor();
    expect(
      await world.harness.services.reads.accounts.findMember({ by: "id", value: quill.account.id }),
    ).toBeNull();
  });

  test("is missed in words where there is none", async () => {
    await using visitor = await world.visit({ as: warden, expects: /404/ });
    await visitor.open("/admin/users/987654");
    await visitor.page
      .getByRole("alert")
      .getByText(/No user is known/)
      .waitFor();
  });

  test("has a page and dialogs without fault, whatever names there are", async () => {
    const tansy = await addMember(world.harness, "Tansy");
    await addSkin(world.harness, tansy, {
      file: skinPng(7),
      name: '<img src=x onerror="boom()"> בדיקה',
    });
    await addSkin(world.harness, tansy, { file: skinPng(8), name: "漢".repeat(64) });
    await using visitor = await world.visit({ as: chief, bypassCSP: true });
    const { page, open } = visitor;
    await open(`${pathOf(tansy)}?tab=skins`);
    await page.getByRole("heading", { level: 3 }).first().waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await open(pathOf(tansy));
    await page.getByRole("list", { name: "Sessions" }).waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await open(`${pathOf(tansy)}?tab=account`);
    await page.getByRole("button", { name: "Delete Tansy" }).click();
    expect(await faultsEverywhere(visitor)).toEqual([]);
  });
});
