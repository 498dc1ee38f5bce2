/** Overview, audit, mail, outbox and services, as staff use them: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { resultOf } from "../../src/domain/health/check-result.ts";
import { found } from "../../src/domain/health/finding.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, type Member } from "../support/members.ts";
import { haveTexts } from "../support/page-parts.ts";
import { ask } from "../support/registration.ts";

let world: Console;
let chief: Member;
let warden: Member;
let alice: Member;
beforeAll(async () => {
  // Nothing listens there: every mail waits with what went wrong.
  world = await openConsole({ settings: { SMTP_URL: "smtp://127.0.0.1:1" } });
  chief = await addMember(world.harness, "Chief", { level: 3 });
  warden = await addMember(world.harness, "Warden", { level: 2 });
  alice = await addMember(world.harness, "Alice");
});
afterAll(() => world[Symbol.asyncDispose]());

const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

test("the navigation has what the level may open, and says where one is", async () => {
  const common = ["Overview", "Users", "Skins", "Capes", "Audit"];
  for (const [member, links] of [
    [chief, [...common, "Mail", "Outbox", "Services"]],
    [warden, common],
  ] as const) {
    await using visitor = await world.visit({ as: member, width: 320 });
    const { page, open } = visitor;
    await open("/admin");
    await heading(page, "Overview").waitFor();
    const navigation = page.getByRole("navigation", { name: "Administration" });
    expect(await navigation.getByRole("link").allTextContents()).toEqual([...links]);
    await navigation.getByRole("link", { name: "Audit" }).click();
    await heading(page, "Audit").waitFor();
    expect(await navigation.locator("[aria-current=page]").allTextContents()).toEqual(["Audit"]);
  }
});

test("the overview counts, plots the days and says what is not in order", async () => {
  await using visitor = await world.visit({ as: warden });
  const { page, open } = visitor;
  await open("/admin");
  const accounts = page.locator("dl > div").filter({ hasText: "Accounts" });
  await accounts.getByText("3", { exact: true }).waitFor();
  for (const name of ["Sign-ins a day", "Registrations a day"])
    expect(await page.getByRole("img", { name }).locator("rect").count()).toBe(14);
  const days = page.getByRole("table", { name: "The last 14 days" });
  expect(await days.getByRole("row").count()).toBe(15);
  expect((await days.getByRole("row").nth(1).getByRole("cell").allTextContents()).at(-1)).toBe("3");
  await page.getByRole("list", { name: "Checks" }).getByRole("listitem").first().waitFor();
});

test("the overview says what is not in order in the reader's language, and leads to where it is put right", async () => {
  await using own = await openConsole({
    checks: async () => [
      resultOf("settings", found("smtp_unset")),
      resultOf("mail server", found("mail_server_unset")),
      resultOf("disk", found("disk_low", { free: 7e8, database: 5e8 })),
      resultOf("certificate", found("certificate_unset")),
    ],
  });
  const owner = await addMember(own.harness, "Owner", { level: 3 });
  const moderator = await addMember(own.harness, "Warden", { level: 2 });
  for (const [as, links] of [
    [moderator, []],
    [owner, ["Настройка: Настройте почту"]],
  ] as const) {
    await using visitor = await own.visit({ as, language: "ru", width: 390, bypassCSP: true });
    const { page, open } = visitor;
    await open("/admin");
    const checks = page.getByRole("list", { name: "Проверки" });
    await checks.getByText("SMTP_URL не задан: письма с кодами").waitFor();
    await checks.getByText("свободно 700 МБ, база данных занимает 500 МБ").waitFor();
    expect(await checks.getByText("Почтовый сервер", { exact: true }).count()).toBe(1);
    await checks
      .getByRole("listitem")
      .filter({ hasText: "Сертификат" })
      .getByText("Не используется")
      .waitFor();
    expect(await checks.getByRole("link").allTextContents()).toEqual([...links]);
    expect(await page.getByRole("link", { name: /^Настройка: остал/ }).count()).toBe(links.length);
    expect(await faultsEverywhere(visitor)).toEqual([]);
    if (links.length === 0) continue;
    await checks.getByRole("link").click();
    await page.waitForURL("**/setup#mail");
    await page.locator("#mail:focus").waitFor();
  }
});

describe("the audit", () => {
  test("is filtered by its address", async () => {
    await world.harness.fetch(`/api/admin/user/role/${alice.account.id}`, {
      method: "POST",
      headers: { authorization: chief.authorization, "content-type": "application/json" },
      body: JSON.stringify({ user: alice.account.id, role_level: 1, expired_at: 7_258_118_400 }),
    });
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open("/admin/audit");
    const table = page.getByRole("table", { name: "Audit" });
    await table.getByText("The command line made the account of Alice").waitFor();
    await page.getByText("Chain intact").waitFor();
    await page.getByText("Newest hash", { exact: true }).click();
    await page.getByRole("button", { name: "Copy the newest hash" }).waitFor();
    await page.getByRole("combobox", { name: "Action" }).selectOption("Level set");
    await page.waitForURL("**/admin/audit?action=role.set");
    const row = table.getByRole("row").filter({ hasText: "Chief gave Alice the level Player" });
    await row.getByRole("link", { name: "Alice" }).waitFor();
    await haveTexts(table.locator(".sentence"), ["Chief gave Alice the level Player"]);
    await row.getByText("Details").click();
    await row.getByText("permanent level").waitFor();
    await open(`/admin/audit?for=${warden.account.id}&iss=cli`);
    await haveTexts(table.locator(".sentence"), ["The command line made the account of Warden"]);
    await page.getByRole("button", { name: "Remove The command line" }).click();
    await page.waitForURL(`**/admin/audit?for=${warden.account.id}`);
    await page.getByRole("button", { name: "Remove Warden" }).waitFor();
    await open("/admin/audit?action=no.such");
    await page.getByText("No entry fits.").waitFor();
    expect(await page.getByRole("button", { name: "Export as CSV" }).count()).toBe(0);
  });

  test("finds people by their box, and days by name or freely, by keyboard alone", async () => {
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    const { keyboard } = page;
    await open("/admin/audit");
    const table = page.getByRole("table", { name: "Audit" });
    await page.getByRole("combobox", { name: "For whom" }).focus();
    await keyboard.type("alice");
    await page.getByRole("option", { name: /Alice/ }).waitFor();
    await keyboard.press("Enter");
    await page.waitForURL(`**/admin/audit?for=${alice.account.id}`);
    await page.getByRole("combobox", { name: "Who", exact: true }).focus();
    await page.getByRole("option", { name: "The command line" }).waitFor();
    await keyboard.press("Enter");
    await page.waitForURL(`**/admin/audit?for=${alice.account.id}&iss=cli`);
    await haveTexts(table.locator(".sentence"), ["The command line made the account of Alice"]);
    const time = page.getByRole("combobox", { name: "Time" });
    await time.focus();
    await time.selectOption("Today");
    await page.waitForURL("**&days=1");
    await time.selectOption("From … to …");
    await page.getByLabel("To", { exact: true }).fill("2001-12-31");
    await page.getByText("No entry fits.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2199-12-31");
    await haveTexts(table.locator(".sentence"), ["The command line made the account of Alice"]);
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.waitForURL("**/admin/audit");
  });

  test("names the deleted, in the chip of a filter too", async () => {
    const gone = await addMember(world.harness, "Gone");
    await deleteAccount(world.harness.services, commandLine, String(gone.account.id));
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open("/admin/audit?action=user.delete");
    const table = page.getByRole("table", { name: "Audit" });
    await haveTexts(table.locator(".sentence"), ["The command line deleted the account of Gone"]);
    await table.getByRole("link", { name: "Gone" }).click();
    await page.waitForURL(`**/admin/audit?for=${gone.account.id}`);
    await page.getByRole("button", { name: "Remove Gone (deleted)" }).waitFor();
    await table.getByText("The command line made the account of Gone (deleted)").waitFor();
  });

  test("says when an account that its member leaves is deleted", async () => {
    const leaver = await addMember(world.harness, "Leaver", { mailVerified: false });
    await ask(world.harness, "POST /api/home/delete", { password: leaver.password }, leaver);
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open("/admin/audit?action=user.leave");
    const table = page.getByRole("table", { name: "Audit" });
    await table.getByText("Details").click();
    await table.getByText("Jan 8, 2100").waitFor();
  });

  test("stays within its card at 320 pixels, with its details", async () => {
    await using visitor = await world.visit({ as: warden, width: 320 });
    const { page, open } = visitor;
    for (const address of ["/admin/audit", `/admin/users/${alice.account.id}?tab=audit`]) {
      await open(address);
      await page.getByRole("table", { name: "Audit" }).getByText("Details").first().waitFor();
      expect(await page.evaluate(cutOff)).toEqual([]);
    }
  });

  test("is kept as a file by administrators", async () => {
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open(`/admin/audit?action=user.create&for=${alice.account.id}`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const text = await Bun.file(await file.path()).text();
    expect(text.split("\r\n").filter((line) => line.includes(",user.create,"))).toHaveLength(1);
    await open("/admin/audit?action=audit.export");
    await page.getByText("Chief exported the audit").waitFor();
  });
});

describe("a mail to everybody", () => {
  test("is previewed in each language, sent after a question, and watched after a reload", async () => {
    await using visitor = await world.visit({ as: chief, bypassCSP: true });
    const { page, open } = visitor;
    await open("/admin/mail");
    await heading(page, "Mail to everybody").waitFor();
    await page.getByRole("textbox", { name: "Subject" }).fill("The server moves");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello,\n\n<script>boom()</script> on Friday.");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByRole("article").nth(3).waitFor();
    expect(await preview.getByRole("article").count()).toBe(4);
    await preview.getByText("<script>boom()</script> on Friday.").first().waitFor();
    await page.getByRole("textbox", { name: "Message" }).press("End");
    await page.getByRole("textbox", { name: "Message" }).pressSequentially("!");
    await preview.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Preview" }).click();
    await preview.getByRole("button", { name: "Send to me first" }).click();
    await status(page, "The mail is on its way to Chief@example.org alone").waitFor();
    await preview.getByRole("button", { name: "Send to 3 people" }).click();
    const dialog = page.getByRole("dialog", { name: "Send to 3 people" });
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await status(page, "3 mails are on their way").waitFor();
    await page.getByRole("progressbar", { name: "Progress of The server moves" }).waitFor();
    await page.reload();
    await page.getByRole("list", { name: "Sent mails" }).getByText("0 of 3 sent").waitFor();
  });

  test("that the server refuses stays in its form", async () => {
    await using visitor = await world.visit({ as: chief, expects: /ERR_INTERNET_DISCONNECTED/ });
    const { page, context, open } = visitor;
    await open("/admin/mail");
    await page.getByRole("textbox", { name: "Subject" }).fill("Kept");
    await page.getByRole("textbox", { name: "Message" }).fill("Kept, too");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("region", { name: "Preview" }).waitFor();
  });
});

test("a session that ended meanwhile leads to the sign-in and back, with what was entered", async () => {
  await using visitor = await world.visit({ as: chief, expects: /status of 401/ });
  const { page, context, open } = visitor;
  await open("/admin/mail");
  await page.getByRole("textbox", { name: "Subject" }).fill("Kept");
  await page.getByRole("textbox", { name: "Message" }).fill("Kept, too");
  await context.clearCookies();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.waitForURL("**/login?next=%2Fadmin%2Fmail");
  await page.getByLabel("Player name or e-mail").fill(chief.name);
  await page.getByLabel("Password", { exact: true }).fill(chief.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await heading(page, "Mail to everybody").waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Kept, too");
});

test("the outbox shows what waits, and posts test mails", async () => {
  await using visitor = await world.visit({ as: chief, bypassCSP: true });
  const { page, open } = visitor;
  await open("/admin/outbox");
  await page.getByRole("button", { name: "Send test mail" }).click();
  const dialog = page.getByRole("dialog", { name: "Send test mail" });
  expect(await faultsEverywhere(visitor)).toEqual([]);
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("operator@example.org");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await status(page, "A test mail to operator@example.org is on its way").waitFor();
  const row = page.getByRole("table", { name: "Outbox" }).getByRole("row").filter({ hasText: "operator@" });
  await row.getByText("Waiting", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Retry operator@example.org" }).click();
  await status(page, "The mail to operator@example.org is tried again").waitFor();
  await page.getByRole("link", { name: "Failed" }).click();
  await page.getByText("No mail has failed.").waitFor();
});

test("a token is shown once, and revoked", async () => {
  await using visitor = await world.visit({ as: chief, bypassCSP: true });
  const { page, open } = visitor;
  await open("/admin/services");
  await page.getByText("There are no tokens yet.").waitFor();
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("web-shop");
  await dialog.getByRole("checkbox", { name: "Read events" }).check();
  expect(await faultsEverywhere(visitor)).toEqual([]);
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = await dialog.getByRole("textbox", { name: "Token" }).inputValue();
  expect(token).toStartWith("crs_");
  expect(await faultsEverywhere(visitor)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  const services = page.getByRole("table", { name: "Services" });
  await services.getByText("Find accounts, Give levels, and Read events").waitFor();
  expect(await page.content()).not.toContain(token);
  await services.getByRole("button", { name: "Revoke web-shop" }).click();
  const removal = page.getByRole("dialog", { name: "Revoke web-shop" });
  await removal.getByRole("button", { name: "Revoke", exact: true }).click();
  await status(page, "web-shop is revoked").waitFor();
  await page.getByText("There are no tokens yet.").waitFor();
});

/** What of the audit is further right than its card, once all details are open. */
const cutOff = `(() => {
  for (const one of document.querySelectorAll(".table details")) one.open = true;
  const edge = document.querySelector(".table-box").getBoundingClientRect().right;
  return [...document.querySelectorAll(".table-box *")]
    .filter((one) => one.getBoundingClientRect().right > edge)
    .map((one) => one.outerHTML.slice(0, 80));
})()`;
