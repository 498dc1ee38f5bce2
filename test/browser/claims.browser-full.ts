/** What people of another system do in a real browser, by role and name: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addAlias, addMember, addNameless, claimCode } from "../support/members.ts";
import { alertOf, field, fill, form, heading, press, refused, status } from "../support/page-parts.ts";
import { lastCode, profileOf, signInStatus } from "../support/registration.ts";

let world: Console;
beforeAll(async () => {
  world = await openConsole({ settings: { SMTP_URL: "smtp://127.0.0.1:1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

const password = "seven horses in the rain";

test("claims an account by the code, after what was refused", async () => {
  const code = await claimCode(world.harness, "Claimer");
  await addMember(world.harness, "Owner");
  await using visitor = await world.visit({ expects: refused });
  const { page, open } = visitor;
  await open("/claim");
  await heading(page, "Claim your account").waitFor();
  const main = page.getByRole("main");
  await main.getByText("It works once, for 30 days.").waitFor();
  await fill(main, { Code: "AAAAA-AAAAA", "E-mail": "Owner@example.org", Password: password });
  await press(main, "Claim");
  await alertOf(main, "is wrong, was used or has expired").waitFor();
  expect(await field(main, "Code").getAttribute("aria-invalid")).toBe("true");
  await fill(main, { Code: code });
  await press(main, "Claim");
  await alertOf(main, "an account with this address exists already").waitFor();
  expect(await field(main, "E-mail").getAttribute("aria-invalid")).toBe("true");
  await fill(main, { "E-mail": "claimer@example.net" });
  await field(main, "E-mail").press("Enter");
  await status(page, "Sign in as Claimer. A mail to claimer@example.net has a code").waitFor();
  await heading(page, "Sign in").waitFor();
  expect(await field(page, "Player name or e-mail").inputValue()).toBe("Claimer");
  await fill(page, { Password: password });
  await press(main, "Sign in");
  await heading(page, "Wardrobe").waitFor();
  await open(`/confirm#code=${lastCode(world.harness, "claimer@example.net")}`);
  await main.getByText("Your account sends a new one").waitFor();
  await press(main, "Confirm");
  await heading(page, "Wardrobe").waitFor();
  await status(page, "Your e-mail is confirmed").waitFor();
});

test("sends a code again to an address that was claimed with an account", async () => {
  const member = await addMember(world.harness, "Late", { mailVerified: false });
  await using visitor = await world.visit({ as: member });
  const { page, open } = visitor;
  await open("/home/account");
  const part = form(page, "E-mail");
  await part.getByText("Late@example.org, and it is not confirmed yet.").waitFor();
  await fill(part, { "Current password": member.password });
  await press(part, "Send code");
  await heading(page, "Confirm your new e-mail").waitFor();
  await fill(page, {
    Code: lastCode(world.harness, "Late@example.org"),
    "Current password": member.password,
  });
  await press(page.getByRole("main"), "Confirm");
  await heading(page, "Account").waitFor();
  await part.getByText("Your address is Late@example.org. A new one gets a code first.").waitFor();
});

test("takes the code from a link, and forgets it with its use", async () => {
  const code = await claimCode(world.harness, "Linked");
  await using visitor = await world.visit();
  const { page, open } = visitor;
  await open(`/claim#code=${code}`);
  expect(await field(page, "Code").inputValue()).toBe(code);
  expect(page.url()).not.toContain(code);
  await fill(page, { "E-mail": "linked@example.net", Password: password });
  await press(page.getByRole("main"), "Claim");
  await heading(page, "Sign in").waitFor();
  await open("/claim");
  expect(await field(page, "Code").inputValue()).toBe("");
});

const inLanguages = {
  de: {
    title: "Hol dir dein Konto",
    button: "Konto übernehmen",
    password: "Passwort",
    mail: "E-Mail",
    problem: "Dieser Code",
  },
  ru: {
    title: "Заберите свою учётную запись",
    button: "Забрать",
    password: "Пароль",
    mail: "Почта",
    problem: "Код неверен",
  },
  "zh-Hans": {
    title: "认领你的账号",
    button: "认领",
    password: "密码",
    mail: "邮箱",
    problem: "验证码不正确",
  },
};

test.each(Object.entries(inLanguages))("says in %s what to do", async (language, said) => {
  await using visitor = await world.visit({ language, expects: refused });
  const { page, open } = visitor;
  await open("/claim#code=AAAAA-AAAAA");
  await heading(page, said.title).waitFor();
  await fill(page, { [said.mail]: "somebody@example.net", [said.password]: password });
  await press(page.getByRole("main"), said.button);
  await alertOf(page, said.problem).waitFor();
});

test("lists old names for signing in, and gives one up", async () => {
  const member = await addMember(world.harness, "Keeper");
  addAlias(world.harness, member.account, "Ольга Старая");
  addAlias(world.harness, member.account, "keeper_2", 2);
  await using visitor = await world.visit({ as: member });
  const { page, open } = visitor;
  await open("/home/account");
  const list = page.getByRole("list", { name: "Old names for signing in" });
  await list.getByText("keeper_2").waitFor();
  const button = list.getByRole("button", { name: "Remove Ольга Старая" });
  await button.focus();
  await page.keyboard.press("Enter");
  await status(page, "Ольга Старая no longer signs you in").waitFor();
  await page.getByRole("region", { name: "Old names for signing in" }).and(page.locator(":focus")).waitFor();
  expect(await list.getByRole("listitem").count()).toBe(1);
  expect(await signInStatus(world.harness, "Ольга Старая", member.password)).toBe(401);
  await press(list, "Remove keeper_2");
  await list.waitFor({ state: "detached" });
});

test("shows no list to a member without old names", async () => {
  const member = await addMember(world.harness, "Plain");
  await using visitor = await world.visit({ as: member });
  await visitor.open("/home/account");
  await visitor.page.getByRole("list", { name: "Sessions" }).waitFor();
  expect(await visitor.page.getByText("Old names for signing in").count()).toBe(0);
});

test("has a person without a player sign in by an old name, and choose one", async () => {
  const member = await addNameless(world.harness, "old login");
  await using visitor = await world.visit();
  const { page, open } = visitor;
  await open("/login");
  await fill(page, { "Player name or e-mail": "old login", Password: member.password });
  await press(page.getByRole("main"), "Sign in");
  await heading(page, "Choose your name").waitFor();
  await fill(page, { "Player name": "Newly" });
  await press(page.getByRole("main"), "Finish");
  await status(page, "Welcome, Newly").waitFor();
  expect(await signInStatus(world.harness, "Newly", member.password)).toBe(200);
  expect(await signInStatus(world.harness, "old login", member.password)).toBe(200);
});

test("shows staff the old names of a person", async () => {
  const chief = await addMember(world.harness, "Watcher", { level: 2 });
  const member = await addMember(world.harness, "Looked");
  addAlias(world.harness, member.account, "looked_before");
  await using visitor = await world.visit({ as: chief });
  await visitor.open(`/admin/users/${member.account.id}`);
  await visitor.page.getByText("looked_before").waitFor();
  expect((await profileOf(world.harness, member))["Username"]).toBe("Looked");
});
