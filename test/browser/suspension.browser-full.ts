/** A suspension in every language, by keyboard and on narrow windows: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import type { Language } from "../../src/domain/model/mail.ts";
import { browserWords } from "../../src/words/browser.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, type Member } from "../support/members.ts";

let world: Console;
let chief: Member;
beforeAll(async () => {
  world = await openConsole();
  chief = await addMember(world.harness, "Chief", { level: 3 });
});
afterAll(() => world[Symbol.asyncDispose]());

const suspend = ({ account }: Member, until: number | null, reason: string) =>
  suspendUser(world.harness.services, commandLine, {
    identifier: String(account.id),
    terms: { until, reason },
  });
const until = Date.UTC(2101, 5, 1, 12) / 1000;

describe.each<readonly [Language, RegExp, RegExp]>([
  ["en", /^This account is suspended until 2101-06-01 12:00 UTC: Two <b>days<\/b>$/, /^This account is/],
  ["ru", /^Эта учётная запись заблокирована до 1 июн\. 2101 г\., .*: Two <b>days<\/b>$/, /^Эта учётная/],
  ["de", /^Dieses Konto ist bis 01\.06\.2101, .* gesperrt: Two <b>days<\/b>$/, /^Dieses Konto ist/],
  ["zh-Hans", /^这个账号已被停用，直到 2101年6月1日 .*：Two <b>days<\/b>$/, /^这个账号已被停用/],
])("in %s", (language, refused, problem) => {
  test("the sign-in page says until when and why, and leaves the form as it was", async () => {
    const { guest, shell } = (await browserWords[language].pages()).pages;
    const member = await addMember(world.harness, `Out_${language.replace("-", "")}`);
    await suspend(member, until, "Two <b>days</b>");
    await using visitor = await world.visit({ language, bypassCSP: true, expects: /403/ });
    const { page, open } = visitor;
    await open("/login?problem=suspended");
    await page.getByRole("alert").getByText(problem).waitFor();
    await page.getByLabel(guest.login).fill(member.name);
    await page.getByRole("textbox", { name: shell.password }).fill(member.password);
    await page.keyboard.press("Enter");
    await page.locator("form").getByRole("alert").getByText(refused).waitFor();
    expect(await page.getByLabel(guest.login).inputValue()).toBe(member.name);
    expect(await faultsEverywhere(visitor)).toEqual([]);
  });
});

describe("a person's page", () => {
  test("has the dialog and the state without fault, and takes the keyboard alone", async () => {
    const member = await addMember(world.harness, "Keys");
    await using visitor = await world.visit({ as: chief, bypassCSP: true });
    const { page, open } = visitor;
    await open(`/admin/users/${member.account.id}`);
    await page.getByRole("button", { name: "Suspend", exact: true }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Suspend Keys" });
    await dialog.waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Reason").focus();
    await page.keyboard.type("x".repeat(510));
    expect((await dialog.getByLabel("Reason").inputValue()).length).toBe(500);
    await page.keyboard.press("Enter");
    await page.getByText("Suspended without an end").first().waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await page.getByRole("button", { name: "End suspension" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Suspend", exact: true }).waitFor();
  });

  test("refuses an end in the past at its field", async () => {
    const member = await addMember(world.harness, "Past");
    await using visitor = await world.visit({ as: chief, expects: /400/ });
    const { page, open } = visitor;
    await open(`/admin/users/${member.account.id}`);
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Suspend Past" });
    await dialog.getByLabel("Until").fill("2001-06-01T12:30");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("Until: must lie in the future").waitFor();
    expect(await dialog.getByLabel("Until").getAttribute("aria-invalid")).toBe("true");
  });

  test("shows moderators the state, and no button; nor to oneself", async () => {
    const warden = await addMember(world.harness, "Warden", { level: 2 });
    const member = await addMember(world.harness, "Seen");
    await suspend(member, null, "for all to see");
    await using visitor = await world.visit({ as: warden });
    await visitor.open(`/admin/users/${member.account.id}`);
    await visitor.page.getByText("for all to see").waitFor();
    expect(await visitor.page.getByRole("button", { name: /suspen/i }).count()).toBe(0);
    await using own = await world.visit({ as: chief });
    await own.open(`/admin/users/${chief.account.id}`);
    await own.page.getByRole("heading", { name: "Role" }).waitFor();
    expect(await own.page.getByRole("heading", { name: "Suspension" }).count()).toBe(0);
    expect(await own.page.getByRole("button", { name: /suspen/i }).count()).toBe(0);
  });
});
