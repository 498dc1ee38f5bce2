/** The account's pages in a real browser, by role and name: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsole, type Console, type Visit } from "../support/console-browser.ts";
import { addMember, addPlayer, allowPlayers, signIn, type Member } from "../support/members.ts";
import { alertOf, field, fill, form, heading, press, refused, status } from "../support/page-parts.ts";
import { homeStatus, lastCode, profileOf, signInStatus } from "../support/registration.ts";

let world: Console;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world[Symbol.asyncDispose]());

let count = 0;
const someone = (): Promise<Member> => addMember(world.harness, `Holder${++count}`);

async function openAccount(member: Member, visit: Visit = {}) {
  const visitor = await world.visit({ as: member, ...visit });
  await visitor.open("/home/account");
  await heading(visitor.page, "Account").waitFor();
  await visitor.page.getByRole("list", { name: "Sessions" }).waitFor();
  return visitor;
}

/** The item of a list that holds this text. */
function item(list: Locator, text: string): Locator {
  return list.getByRole("listitem").filter({ hasText: text });
}

test("changes the name, and shows it everywhere", async () => {
  const member = await someone();
  await using visitor = await openAccount(member);
  const { page } = visitor;
  const names = form(page, "Player name");
  await fill(names, { "New player name": "Renamed", "Current password": member.password });
  await press(names, "Change name");
  await status(page, "Your name is Renamed now").waitFor();
  await item(page.getByRole("list", { name: "Players" }), "Renamed").waitFor();
  await names.getByText("Your name is Renamed.").waitFor();
  expect(await field(names, "Current password").inputValue()).toBe("");
  expect(await profileOf(world.harness, member)).toMatchObject({ Username: "Renamed" });
});

test("marks the password that is wrong, and keeps the rest", async () => {
  const member = await someone();
  await using visitor = await openAccount(member, { expects: refused });
  const { page } = visitor;
  const names = form(page, "Player name");
  await fill(names, { "New player name": "Never", "Current password": "not the password" });
  await press(names, "Change name");
  await alertOf(names, "Username change failed: password: is not your current password").waitFor();
  const wrong = field(names, "Current password");
  expect(await wrong.getAttribute("aria-invalid")).toBe("true");
  await wrong.and(page.locator(":focus")).waitFor();
  expect(await field(names, "New player name").inputValue()).toBe("Never");
});

test("changes the password, which ends the other sessions", async () => {
  const member = await someone();
  await using visitor = await openAccount(member);
  const { page } = visitor;
  const passwords = form(page, "Password");
  await fill(passwords, { "Current password": member.password, "New password": "a wholly new password" });
  await press(passwords, "Change password");
  await status(page, "Password changed").waitFor();
  expect(await signInStatus(world.harness, member.name, "a wholly new password")).toBe(200);
  expect(await homeStatus(world.harness, member.jwt)).toBe(401);
});

test("takes a new address in two steps, by the mail's link", async () => {
  const member = await someone();
  const mail = `new${count}@example.org`;
  await using visitor = await openAccount(member);
  const { page, open } = visitor;
  const mails = form(page, "E-mail");
  await fill(mails, { "New e-mail": mail, "Current password": member.password });
  await press(mails, "Send code");
  await heading(page, "Confirm your new e-mail").waitFor();
  await status(page, `A code is on its way to ${mail}`).waitFor();
  const code = lastCode(world.harness, mail);
  await open(`/home/mail#code=${code}`);
  expect(await field(page, "Code").inputValue()).toBe(code);
  expect(await profileOf(world.harness, member)).toMatchObject({ Mail: member.mail });
  await fill(page, { "Current password": member.password });
  await press(page.getByRole("main"), "Confirm");
  await heading(page, "Account").waitFor();
  await form(page, "E-mail").getByText(`Your address is ${mail}.`).waitFor();
});

test.each(["#code=", "?code="])("a guest signs in first, and the page keeps the code: %s", async (sign) => {
  const member = await someone();
  await using visitor = await world.visit();
  const { page, open } = visitor;
  await open(`/home/mail${sign}ABCDE-12345`);
  await heading(page, "Sign in").waitFor();
  expect(page.url()).toBe(`${world.address}/login?next=%2Fhome%2Fmail`);
  await fill(page, { "Player name or e-mail": member.name, Password: member.password });
  await press(page.getByRole("main"), "Sign in");
  await heading(page, "Confirm your new e-mail").waitFor();
  expect(await field(page, "Code").inputValue()).toBe("ABCDE-12345");
});

test("says how long a second rename has to wait", async () => {
  await using limited = await openConsole({ settings: { RENAME_HOURS: "24", RATE_LIMIT_FACTOR: "100" } });
  const member = await addMember(limited.harness, "Waiter");
  await using visitor = await limited.visit({ as: member, expects: refused });
  const { page, open } = visitor;
  await open("/home/account");
  const names = form(page, "Player name");
  for (const name of ["Waiter_1", "Waiter_2"]) {
    await fill(names, { "New player name": name, "Current password": member.password });
    await press(names, "Change name");
    if (name === "Waiter_1") await status(page, "Your name is Waiter_1 now").waitFor();
  }
  await names.getByRole("button", { name: /^Try again (?:tomorrow|in 24 hours)$/ }).waitFor();
});

describe("players", () => {
  test("are made, renamed and deleted", async () => {
    const member = await someone();
    await allowPlayers(world.harness, member, 3);
    await using visitor = await openAccount(member);
    const { page } = visitor;
    const list = page.getByRole("list", { name: "Players" });
    await page.getByRole("button", { name: "New player" }).click();
    const making = page.getByRole("dialog", { name: "New player" });
    await fill(making, { Name: "Second" });
    await press(making, "Add player");
    await status(page, "Second is here").waitFor();

    await press(item(list, "Second"), "Rename Second");
    const renaming = page.getByRole("dialog", { name: "Rename Second" });
    await fill(renaming, { Name: "Third", "Current password": member.password });
    await press(renaming, "Rename");
    await status(page, "Second is called Third now").waitFor();

    await press(item(list, "Third"), "Delete Third");
    const deleting = page.getByRole("dialog", { name: "Delete Third" });
    await fill(deleting, { "Current password": member.password });
    await press(deleting, "Delete");
    await status(page, "Third is deleted").waitFor();
    await item(list, "Third").waitFor({ state: "detached" });
    expect(
      await item(list, member.name)
        .getByRole("button", { name: /^Delete/ })
        .count(),
    ).toBe(0);
  });

  test("cannot be more than the account may have", async () => {
    const member = await someone();
    await using visitor = await openAccount(member);
    await visitor.page.getByText("Your account may have one player.").waitFor();
    expect(await visitor.page.getByRole("button", { name: "New player" }).count()).toBe(0);
  });

  test("a dialog stays open with its input while the server refuses or is away, and gives the focus back", async () => {
    const member = await someone();
    const other = await someone();
    await allowPlayers(world.harness, member, 3);
    await using visitor = await openAccount(member, { expects: /status of 4\d\d|ERR_INTERNET_DISCONNECTED/ });
    const { page, context } = visitor;
    const button = page.getByRole("button", { name: "New player" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New player" });
    await fill(dialog, { Name: other.name });
    await page.keyboard.press("Enter");
    await alertOf(dialog, "is taken already").waitFor();
    await context.setOffline(true);
    await fill(dialog, { Name: "Reachable" });
    await page.keyboard.press("Enter");
    await alertOf(dialog, "The server cannot be reached").waitFor();
    expect(await field(dialog, "Name").inputValue()).toBe("Reachable");
    await context.setOffline(false);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await button.and(page.locator(":focus")).waitFor();
  });
});

describe("sessions", () => {
  test("show program and address, and the others can be ended", async () => {
    const member = await someone();
    await using visitor = await openAccount(member);
    const { page } = visitor;
    const list = page.getByRole("list", { name: "Sessions" });
    const own = item(list, "This device");
    await own.getByText("127.0.0.1").waitFor();
    expect(await own.getByRole("button").count()).toBe(0);
    const others = list.getByRole("button", { name: /^End session / });
    const before = await others.count();
    expect(before).toBeGreaterThan(0);
    await others.first().click();
    await status(page, "Session ended").waitFor();
    await page.waitForFunction(
      `document.querySelectorAll("[aria-labelledby=sessions] li").length === ${before}`,
    );
    expect(await homeStatus(world.harness, member.jwt)).toBe(401);
  });

  test("come in pages", async () => {
    const member = await someone();
    for (let n = 0; n < 60; n++) await signIn(world.harness, member.name, member.password);
    await using visitor = await openAccount(member);
    const { page } = visitor;
    const list = page.getByRole("list", { name: "Sessions" });
    await page.getByText("50 of 62").waitFor();
    expect(await list.getByRole("listitem").count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("62 of 62").waitFor();
    expect(await list.getByRole("listitem").count()).toBe(62);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  test("a session that ended meanwhile leads to the sign-in page and back, with what was entered", async () => {
    const member = await someone();
    await using visitor = await openAccount(member, { expects: refused });
    const { page } = visitor;
    await fill(form(page, "E-mail"), {
      "New e-mail": "kept@example.org",
      "Current password": member.password,
    });
    const jwt = await signIn(world.harness, member.mail, member.password);
    const headers = { authorization: `Bearer ${jwt}` };
    const list = await world.harness.fetch("/api/home/sessions", { headers });
    const { data } =
      await readJson<Envelope<readonly { readonly id: string; readonly current: boolean }[]>>(list);
    for (const { id } of data.filter(({ current }) => !current))
      await world.harness.fetch(`/api/home/sessions/${id}`, { method: "DELETE", headers });
    await press(form(page, "E-mail"), "Send code");
    await heading(page, "Sign in").waitFor();
    await fill(page, { "Player name or e-mail": member.name, Password: member.password });
    await press(page.getByRole("main"), "Sign in");
    await heading(page, "Account").waitFor();
    expect(await field(form(page, "E-mail"), "New e-mail").inputValue()).toBe("kept@example.org");
  });
});

test("shows what failed to load, and loads it on request", async () => {
  const member = await someone();
  await using visitor = await world.visit({ as: member, expects: /ERR_FAILED/ });
  const { page, context, open } = visitor;
  await context.route("**/api/home/sessions?*", (route) => route.abort());
  await open("/home/account");
  await alertOf(page, "The server cannot be reached").waitFor();
  await context.unroute("**/api/home/sessions?*");
  await press(page.getByRole("main"), "Try again");
  await page.getByRole("list", { name: "Sessions" }).waitFor();
});

test.each([
  [320, "light"],
  [1280, "dark"],
] as const)("no dialog has a fault at %i px in the %s theme", async (width, theme) => {
  const member = await someone();
  await allowPlayers(world.harness, member, 3);
  await addPlayer(world.harness, member, `Extra${count}`);
  await using visitor = await openAccount(member, { width, theme, bypassCSP: true });
  const { page } = visitor;
  for (const name of ["New player", `Rename Extra${count}`, `Delete Extra${count}`]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog", { name, exact: true }).waitFor();
    expect([name, await visitor.faults()]).toEqual([name, []]);
    await page.keyboard.press("Escape");
  }
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
});
