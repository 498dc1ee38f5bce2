/** Skins and capes, as staff use them: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, addSkin, grantCape, type Member } from "../support/members.ts";
import { haveTexts } from "../support/page-parts.ts";
import { capePng, skinPng } from "../support/textures.ts";

let world: Console;
let chief: Member;
let warden: Member;
let alice: Member;
let bob: Member;
beforeAll(async () => {
  world = await openConsole();
  chief = await addMember(world.harness, "Chief", { level: 3 });
  warden = await addMember(world.harness, "Warden", { level: 2 });
  alice = await addMember(world.harness, "Alice");
  bob = await addMember(world.harness, "Bob");
});
afterAll(() => world[Symbol.asyncDispose]());

const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const png = (name: string, file: Uint8Array) => ({
  name,
  mimeType: "image/png",
  buffer: Buffer.from(file),
});

describe("skins", () => {
  test("are shown the newest first, changed, deleted and banned by moderators", async () => {
    await addSkin(world.harness, alice, { file: skinPng(1), slim: "false", name: "First" });
    await addSkin(world.harness, alice, { file: skinPng(2), name: "Second" });
    await using visitor = await world.visit({ as: warden, bypassCSP: true });
    const { page, open } = visitor;
    await open("/admin/skins");
    const skins = page.getByRole("list", { name: "Skins" });
    const names = skins.getByRole("heading");
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(["Second", "First"]);

    await skins.getByRole("button", { name: "Edit First" }).click();
    const edit = page.getByRole("dialog", { name: "Edit First" });
    await edit.getByRole("textbox", { name: "Name" }).fill("Renamed");
    await edit.getByRole("radio", { name: "Slim" }).check();
    await edit.getByRole("button", { name: "Save" }).click();
    await status(page, "Renamed is saved").waitFor();
    await skins.getByRole("listitem").filter({ hasText: "Renamed" }).getByText("Slim").waitFor();

    await skins.getByRole("button", { name: "Delete Renamed" }).click();
    const removal = page.getByRole("dialog", { name: "Delete Renamed" });
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await removal.getByRole("textbox", { name: "Reason" }).fill("Copied from another server");
    await removal.getByRole("checkbox", { name: /Ban this picture/ }).check();
    await removal.getByRole("button", { name: "Delete", exact: true }).click();
    await status(page, "Renamed is deleted and its picture banned").waitFor();

    const bans = page.getByRole("list", { name: "Banned pictures" });
    await bans.getByText("Copied from another server").waitFor();
    await bans.getByRole("button", { name: /^Lift ban/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift", exact: true }).click();
    await status(page, "The ban is lifted").waitFor();
    await page.getByText("No picture is banned.").waitFor();
  });
});

describe("capes", () => {
  test("are uploaded with owners and an end, by keyboard", async () => {
    await using visitor = await world.visit({ as: chief, bypassCSP: true });
    const { page, open } = visitor;
    await open("/admin/capes");
    await page.getByText("There are no capes yet.").waitFor();
    await page.getByLabel("Upload a cape").setInputFiles(png("Founders.png", capePng(1)));
    const dialog = page.getByRole("dialog", { name: "New cape" });
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Founders");
    const owners = dialog.getByRole("combobox", { name: "Owners" });
    // The person who adds a cape is suggested.
    await dialog.getByRole("button", { name: "Remove Chief" }).click();
    await owners.fill("ali");
    await dialog.getByRole("option", { name: /Alice/ }).waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await owners.press("Enter");
    await owners.fill(String(bob.account.id));
    await dialog.getByRole("option", { name: /Bob/ }).waitFor();
    await owners.press("Enter");
    await dialog.getByRole("button", { name: "Remove Alice" }).waitFor();
    await dialog.getByLabel("Until", { exact: true }).fill("2101-06-01T12:30");
    await dialog.getByRole("button", { name: "Add cape" }).click();
    await status(page, "Founders is added").waitFor();

    const capes = page.getByRole("list", { name: "Capes" });
    await capes.getByRole("button", { name: "2 owners of Founders" }).click();
    const shown = page.getByRole("dialog", { name: "Owners of Founders" });
    await shown.getByRole("link", { name: "Bob" }).waitFor();
    expect(await shown.getByRole("link").allTextContents()).toEqual(["Alice", "Bob"]);
    expect(await shown.getByText(/^until/).count()).toBe(2);
    await shown.getByRole("button", { name: "Take away from Bob" }).click();
    await shown.getByRole("status").getByText("It was taken from 1 person").waitFor();
    await haveTexts(shown.getByRole("link"), ["Alice"]);
    const people = shown.getByRole("combobox", { name: "People" });
    await people.fill("bob");
    await shown.getByRole("option", { name: /Bob/ }).waitFor();
    await people.press("Enter");
    await shown.getByRole("button", { name: "Give", exact: true }).click();
    await shown.getByRole("status").getByText("1 person got it").waitFor();
    await haveTexts(shown.getByRole("link"), ["Alice", "Bob"]);
    await shown.getByRole("button", { name: "Close" }).click();
    await capes.getByRole("button", { name: "Delete Founders" }).click();
    const removal = page.getByRole("dialog", { name: "Delete Founders" });
    await removal.getByText(/2 people may wear it/).waitFor();
    await removal.getByRole("button", { name: "Delete", exact: true }).click();
    await status(page, "Founders is deleted").waitFor();
    await page.getByText("There are no capes yet.").waitFor();
  });

  test("are given to everybody, and to the owners of another, after a question with a number", async () => {
    await using own = await openConsole();
    const { harness } = own;
    const owner = await addMember(harness, "Owner", { level: 3 });
    await grantCape(harness, [await addMember(harness, "Alice")], capePng(31), "Moon");
    const sun = await grantCape(harness, [], capePng(32), "Sun");
    await using visitor = await own.visit({ as: owner, bypassCSP: true });
    const { page, open } = visitor;
    await open("/admin/capes");
    await page.getByRole("button", { name: "0 owners of Sun" }).click();
    const owners = page.getByRole("dialog", { name: "Owners of Sun" });
    await owners.getByRole("button", { name: "Give", exact: true }).click();
    await owners.getByRole("alert").getByText("Choose people first").waitFor();

    await owners.getByRole("radio", { name: "The owners of another cape" }).check();
    const other = owners.getByRole("combobox", { name: "The other cape" });
    await other.fill("Moon");
    await owners.getByRole("option", { name: "Moon" }).waitFor();
    await other.press("Enter");
    await owners.getByRole("button", { name: "Remove Moon" }).waitFor();
    await owners.getByRole("button", { name: "Give", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Give Sun" });
    await question.getByText(/owners of Moon that lack the cape get it: 1 person at most/).waitFor();
    expect(await faultsEverywhere(visitor)).toEqual([]);
    await question.getByRole("button", { name: "Give", exact: true }).click();
    await haveTexts(owners.getByRole("link"), ["Alice"]);

    await owners.getByRole("radio", { name: "Everybody" }).check();
    await owners.getByRole("button", { name: "Give", exact: true }).click();
    await question.getByText(/A person who registers later does not get it/).waitFor();
    await question.getByRole("button", { name: "Give", exact: true }).click();
    // Alice has it already.
    await owners.getByRole("status").getByText("1 person got it").waitFor();
    await haveTexts(owners.getByRole("link"), ["Alice", "Owner"]);
    expect(await harness.services.reads.textures.countOwners(sun.id)).toBe(2);

    await owners.getByRole("radio", { name: "Take away" }).check();
    await owners.getByRole("button", { name: "Take away", exact: true }).first().click();
    const taking = page.getByRole("dialog", { name: "Take away Sun" });
    await taking.getByText(/All owners lose the cape: 2 people/).waitFor();
    await taking.getByRole("button", { name: "Take away", exact: true }).click();
    await owners.getByText("No one may wear it yet.").waitFor();
    await owners.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "0 owners of Sun" }).waitFor();
  });

  test("are given to a person whose choice comes after the focus has left the field", async () => {
    const sun = await grantCape(world.harness, [], capePng(41), "Late");
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    await open("/admin/capes");
    await page.getByRole("button", { name: "0 owners of Late" }).click();
    const owners = page.getByRole("dialog", { name: "Owners of Late" });
    const people = owners.getByRole("combobox", { name: "People" });
    const held = Promise.withResolvers<void>();
    await page.route("**/api/admin/users?*q=bob*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await people.fill("bob");
    await people.press("Enter");
    await owners.getByRole("button", { name: "Give", exact: true }).click();
    await owners.getByRole("alert").getByText("Choose people first").waitFor();
    held.resolve();
    await owners.getByRole("button", { name: "Remove Bob" }).waitFor();
    await owners.getByRole("button", { name: "Give", exact: true }).click();
    await haveTexts(owners.getByRole("link"), ["Bob"]);
    expect(await world.harness.services.reads.textures.countOwners(sun.id)).toBe(1);
  });

  test("are refused in the dialog when the file can be no cape, before anything is sent", async () => {
    await using visitor = await world.visit({ as: chief });
    const { page, open } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
    await open("/admin/capes");
    const input = page.getByLabel("Upload a cape");
    const dialog = page.getByRole("dialog", { name: "New cape" });
    await input.setInputFiles(png("note.png", new TextEncoder().encode("no picture")));
    await dialog
      .getByRole("alert")
      .getByText(/not a PNG picture/)
      .waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await input.setInputFiles(png("skin.png", skinPng(3)));
    await dialog
      .getByRole("alert")
      .getByText(/this file 64x64/)
      .waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Kept");
    await dialog.getByRole("button", { name: "Add cape" }).click();
    expect(
      await dialog
        .getByRole("alert")
        .getByText(/this file 64x64/)
        .count(),
    ).toBe(1);
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Kept");
    expect(sent).toEqual([]);
  });

  test("are refused in the server's words where only it knows, and the input is kept", async () => {
    await using visitor = await world.visit({ as: chief, expects: /status of 400/ });
    const { page, open } = visitor;
    await open("/admin/capes");
    await page.getByLabel("Upload a cape").setInputFiles(png("old.png", capePng(5)));
    const dialog = page.getByRole("dialog", { name: "New cape" });
    await dialog.getByLabel("Until", { exact: true }).fill("2020-01-01T12:00");
    await dialog.getByRole("button", { name: "Add cape" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/future/)
      .waitFor();
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("old");
  });

  test("are only looked at by moderators", async () => {
    await grantCape(world.harness, [alice]);
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open("/admin/capes");
    await page
      .getByRole("list", { name: "Capes" })
      .getByRole("heading", { name: "Founders" })
      .first()
      .waitFor();
    expect(await page.getByLabel("Upload a cape").count()).toBe(0);
    expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
  });
});
