/** Sign-in through a provider that ends in the console, in a real browser: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { addMember, type Member } from "../support/members.ts";
import {
  alertOf,
  field,
  fill,
  form,
  heading,
  press,
  refused,
  signOut,
  status,
} from "../support/page-parts.ts";
import { profileOf } from "../support/registration.ts";
import { startProvider, type ProviderServer } from "../support/social/provider-server.ts";
import { discordShape } from "../support/social/provider-shapes.ts";
import { discordPerson, settingsOf } from "../support/social/social-world.ts";

let provider: ProviderServer;
let world: Console;
beforeAll(async () => {
  provider = startProvider(discordShape, () => `${world.address}/auth/social/callback`);
  world = await openConsole({ settings: settingsOf("discord", provider.url), secrets: provider.secrets });
});
afterAll(async () => {
  expect(provider.takeFaults()).toEqual([]);
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

let people = 0;
/** Another person is at the provider from now on. Gives their name there. */
function newPerson(): string {
  const username = `nelly${++people}`;
  provider.become(discordPerson({ id: `1000${people}`, username, email: `${username}@example.net` }));
  return username;
}

/** A window that leaves for the provider, which is on another port. */
function visit(as?: Member): Promise<Visitor> {
  const expects = new RegExp(`^foreign request: ${provider.url}/|${refused.source}`);
  return world.visit({ expects, ...(as && { as }) });
}

/** Signs in through the provider, up to the page that it ends on. */
async function comeFromProvider({ page, open }: Visitor, ends: string, begins = "/login"): Promise<void> {
  await open(begins);
  await page.getByRole("link", { name: "Sign in with Discord" }).click();
  await page.waitForURL(`**${ends}`);
}

describe("a new person", () => {
  test("gets an account, and may choose a name and a password for it", async () => {
    const name = newPerson();
    await using visitor = await visit();
    const { page } = visitor;
    await comeFromProvider(visitor, "/social");
    await heading(page, "Link or create").waitFor();
    await page.getByText(`You signed in with Discord as ${name}.`).waitFor();
    await press(page.getByRole("main"), "Create an account");
    await page.waitForURL("**/home");
    await status(page, `Welcome, ${name}`).waitFor();

    await page.getByRole("link", { name: "Account", exact: true }).click();
    await heading(page, "Account").waitFor();
    const connections = form(page, "Connections");
    await fill(connections, { "Current password": "there is none" });
    await press(connections, "Disconnect");
    await alertOf(connections, "this account has none yet").waitFor();
    await page.getByRole("link", { name: "Choose name and password" }).click();
    await heading(page, "Choose your name").waitFor();
    expect(await field(page, "Player name").inputValue()).toBe(name);
    await fill(page, { "Player name": `Chosen${people}`, Password: "seven horses in the rain" });
    await press(page.getByRole("main"), "Finish");
    await page.waitForURL("**/home");
    await page.goto("/home/account");
    await form(page, "Player name").getByText(`Your name is Chosen${people}.`).waitFor();
  });

  test("comes back to the page that was asked for, once there is an account", async () => {
    newPerson();
    await using visitor = await visit();
    const { page } = visitor;
    await comeFromProvider(visitor, "/social");
    await press(page.getByRole("main"), "Create an account");
    await page.waitForURL("**/home");
    await signOut(page);
    await heading(page, "127.0.0.1").waitFor();
    await comeFromProvider(visitor, "/home/account", "/home/account");
    await heading(page, "Account").waitFor();
  });
});

describe("a member", () => {
  test("links an account by its password, which a wrong one leaves as it was", async () => {
    newPerson();
    const member = await addMember(world.harness, "Linker");
    await using visitor = await visit();
    const { page } = visitor;
    await comeFromProvider(visitor, "/social");
    const link = form(page, "Link");
    await fill(link, { "Player name or e-mail": member.name, Password: "not the password" });
    await press(link, "Link");
    await alertOf(link, "Invalid username or password").waitFor();
    await fill(link, { Password: member.password });
    await press(link, "Link");
    await page.waitForURL("**/home");
    expect(await profileOf(world.harness, member)).toMatchObject({ Social_integration: true });
  });

  test("may sign out on the way, and is then offered the other ways", async () => {
    newPerson();
    const member = await addMember(world.harness, "Leaver");
    await using visitor = await visit(member);
    const { page, open } = visitor;
    await open("/home/account");
    await page.getByRole("link", { name: "Connect Discord" }).click();
    await page.waitForURL("**/social**");
    await press(page.getByRole("main"), "Sign out");
    await field(form(page, "Link"), "Player name or e-mail").waitFor();
    await press(page.getByRole("main"), "Create an account");
    await page.waitForURL("**/home/account");
  });

  test("connects and disconnects an account on the account's page", async () => {
    const name = newPerson();
    const member = await addMember(world.harness, "Connector");
    await using visitor = await visit(member);
    const { page, open } = visitor;
    await open("/home/account");
    await page.getByRole("link", { name: "Connect Discord" }).click();
    await page.waitForURL("**/social**");
    const link = form(page, `Link Discord to ${member.name}`);
    await link.getByText(`You are signed in as ${member.name}.`).waitFor();
    expect(await page.getByText("You have an account here").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Create an account" }).count()).toBe(0);
    await fill(link, { "Current password": "not the password" });
    await press(link, "Link");
    await alertOf(link, "Invalid username or password").waitFor();
    await fill(link, { "Current password": member.password });
    await press(link, "Link");
    await page.waitForURL("**/home/account");
    await status(page, "The accounts are linked").waitFor();

    const connections = form(page, "Connections");
    await connections.getByText(`You are connected as ${name}`).waitFor();
    await fill(connections, { "Current password": member.password });
    await press(connections, "Disconnect");
    await status(page, "Disconnected").waitFor();
    await page.getByRole("link", { name: "Connect Discord" }).waitFor();
    expect(await profileOf(world.harness, member)).toMatchObject({ Social_integration: false });
  });
});

describe("what fails", () => {
  test("leads to the sign-in page, which says why", async () => {
    newPerson();
    provider.answer(discordShape.token, () => Response.json({}, { status: 503 }));
    await using visitor = await visit();
    const { page, open } = visitor;
    await open("/login");
    await page.getByRole("link", { name: "Sign in with Discord" }).click();
    await page.waitForURL("**/login?problem=**");
    provider.answer(discordShape.token, null);
    await alertOf(page, "The other site does not answer as it should.").waitFor();
  });

  test("the page without a person who waits leads back", async () => {
    await using visitor = await visit();
    await visitor.open("/social");
    await visitor.page.getByText("This page has nothing to link any more.").waitFor();
    await visitor.page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await heading(visitor.page, "Sign in").waitFor();
  });
});

test.each([
  [320, "light"],
  [1280, "dark"],
] as const)("the choice has no fault at %i px in the %s theme", async (width, theme) => {
  newPerson();
  const expects = new RegExp(`^foreign request: ${provider.url}/`);
  await using visitor = await world.visit({ width, theme, bypassCSP: true, expects });
  await comeFromProvider(visitor, "/social");
  await form(visitor.page, "Link").waitFor();
  expect(await visitor.faults()).toEqual([]);
});
