/** How members take their data along, and leave, in a real browser: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console, type Visit } from "../support/console-browser.ts";
import { consoleWords } from "../support/console-words.ts";
import { addMember, type Member } from "../support/members.ts";
import { alertOf, fill, form, heading, press, refused, status } from "../support/page-parts.ts";
import { signInStatus } from "../support/registration.ts";
import { unzip } from "../leaving/unzip.ts";

let world: Console;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world[Symbol.asyncDispose]());

let count = 0;
const someone = (): Promise<Member> => addMember(world.harness, `Leaving${++count}`);

async function openAccount(member: Member, visit: Visit = {}) {
  const visitor = await world.visit({ as: member, ...visit });
  await visitor.open("/home/account");
  return visitor;
}

test("downloads everything about the member", async () => {
  const member = await someone();
  await using visitor = await openAccount(member);
  const { page } = visitor;
  const download = page.waitForEvent("download");
  await press(form(page, "Export"), "Download my data");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^my-data-[\d-]{10}\.zip$/);
  const files = unzip(Buffer.from(await Bun.file((await file.path()) ?? "").bytes()));
  expect(JSON.parse(files.get("profile.json")?.toString() ?? "")).toMatchObject({ username: member.name });
  await status(page, "Your data was downloaded").waitFor();
});

test("asks for another sign-in after a quarter of an hour", async () => {
  const member = await someone();
  await using visitor = await openAccount(member, { expects: refused });
  const { page } = visitor;
  world.harness.clock.advance(16 * 60);
  await press(form(page, "Export"), "Download my data");
  await alertOf(form(page, "Export"), "This takes a sign-in of the last 15 minutes").waitFor();
  await form(page, "Export").getByRole("link", { name: "Sign in" }).click();
  await fill(page, { "Player name or e-mail": member.name, Password: member.password });
  await press(page.getByRole("main"), "Sign in");
  await heading(page, "Account").waitFor();
  const download = page.waitForEvent("download");
  await press(form(page, "Export"), "Download my data");
  await download;
});

test("deletes the account, and keeps it on second thoughts", async () => {
  const member = await someone();
  await using visitor = await openAccount(member, { expects: refused });
  const { page, open } = visitor;
  const leaving = form(page, "Delete account");
  await fill(leaving, { "Current password": "not the password" });
  await press(leaving, "Delete account");
  await alertOf(leaving, "is not your current password").waitFor();
  await fill(leaving, { "Current password": member.password });
  await press(leaving, "Delete account");
  await page.getByRole("status").getByText("Your account will be deleted on").waitFor();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  expect(await signInStatus(world.harness, member.name, member.password)).toBe(200);

  await open("/login");
  await fill(page, { "Player name or e-mail": member.name, Password: member.password });
  await press(page.getByRole("main"), "Sign in");
  // A page that is opened sooner would cut the sign-in off.
  await heading(page, "Wardrobe").waitFor();
  const notice = page.getByRole("region", { name: "Deletion of your account" });
  for (const path of ["/home", "/home/capes", "/home/account"]) {
    await open(path);
    await notice.getByText("Your account will be deleted on").waitFor();
  }
  expect(await leaving.count()).toBe(0);
  await press(notice, "Keep account");
  await status(page, "Your account stays").waitFor();
  await notice.waitFor({ state: "detached" });
  await leaving.waitFor();
});

test("has people without a password choose one first", async () => {
  const member = await someone();
  await using visitor = await world.visit({ as: member });
  const { page, open } = visitor;
  const { change } = world.harness.database;
  const { id } = member.account;
  change(`UPDATE accounts SET password_hash = NULL, registration = 'unnamed' WHERE id = ${id}`);
  change(`UPDATE players SET name_derived = true WHERE account_id = ${id}`);
  await open("/home/account");
  const part = page.getByRole("region", { name: "Delete account" });
  await part.getByText("Choose one first.").waitFor();
  await page.getByRole("link", { name: "Choose name and password" }).click();
  await heading(page, "Choose your name").waitFor();
  await fill(page, { Password: "seven horses in the rain" });
  await press(page.getByRole("main"), "Finish");
  await heading(page, "Wardrobe").waitFor();
  await open("/home/account");
  await form(page, "Delete account").waitFor();
});

test.each(consoleWords)("has no fault at 320 px in $language", async ({ language, words }) => {
  const member = await someone();
  world.harness.database.change(`UPDATE accounts SET delete_at = 9999999999 WHERE id = ${member.account.id}`);
  await using visitor = await openAccount(member, { width: 320, language, bypassCSP: true });
  const { page } = visitor;
  const { shell, account } = words;
  await page.getByRole("region", { name: shell.accountLeaves }).waitFor();
  await form(page, account.export).waitFor();
  expect(await visitor.faults()).toEqual([]);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});
