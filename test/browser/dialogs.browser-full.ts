/**
 * Every dialog of the console: by the keyboard, without a connection, and as axe sees it:
 * `bun run test:browser`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, addPlayer, addSkin, allowPlayers, type Member } from "../support/members.ts";
import { brokenWordsOn, lossesOn } from "../support/page-layout.ts";
import { alertOf } from "../support/page-parts.ts";
import { capePng, skinPng } from "../support/textures.ts";

let served: Console;
let community: Community;
/** A person with a second player and a skin. */
let user: Member;
beforeAll(async () => {
  served = await openConsole();
  community = await fillCommunity(served.harness);
  const { harness } = served;
  user = await addMember(harness, "Thistle");
  await allowPlayers(harness, user);
  await addPlayer(harness, user, "Burdock");
  await addSkin(harness, user, { name: "Meadow" });
  await allowPlayers(harness, community.chief);
  await addPlayer(harness, community.chief, "Polo");
  const banned = await addSkin(harness, user, { name: "Banned", file: skinPng(99) });
  await ask(`DELETE /api/admin/skin/${banned}`, { ban: true, reason: "not ours" });
  await ask("POST /api/admin/tokens", { name: "shop" });
});
afterAll(() => served[Symbol.asyncDispose]());

async function ask(request: string, json: unknown): Promise<void> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { authorization: community.chief.authorization, "content-type": "application/json" };
  const answer = await served.harness.fetch(path, { method, headers, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`${request}: ${await answer.text()}`);
}

type DialogCase = {
  /** Its name. */
  readonly title: string | RegExp;
  /** What opens it: a button by its name, or a file input with a file for it. */
  readonly opener: string | RegExp;
  readonly file?: Uint8Array;
  /** The button that sends its form; without one there is nothing to send. */
  readonly send?: string;
  /** What its text fields get where any text does not do. */
  readonly text?: string;
  /** Done on the page before. */
  readonly before?: (page: Page) => Promise<void>;
};

/** Asks for the preview of a mail, which offers to send it. */
async function preview(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Subject" }).fill("Friday");
  await page.getByRole("textbox", { name: "Message" }).fill("See you");
  await page.getByRole("button", { name: "Preview" }).click();
}

/** The dialogs by their page. */
function dialogs(): Readonly<Record<string, readonly DialogCase[]>> {
  return {
    "/home": [
      { title: "New skin", opener: "Upload a skin", file: skinPng(7), send: "Add to wardrobe" },
      { title: "Edit skin", opener: "Edit Everyday", send: "Save" },
      { title: "Go to", opener: "Go to" },
    ],
    "/home/account": [
      { title: "New player", opener: "New player", send: "Add player" },
      { title: "Rename Polo", opener: "Rename Polo", send: "Rename" },
      { title: "Delete Polo", opener: "Delete Polo", send: "Delete" },
    ],
    [`/admin/users/${user.account.id}`]: [
      { title: "New player", opener: "New player", send: "Add player" },
      { title: "Rename Burdock", opener: "Rename Burdock", send: "Rename" },
      { title: "Delete Burdock", opener: "Delete Burdock", send: "Delete" },
      { title: "End all sessions: Thistle", opener: "End all sessions", send: "End all sessions" },
    ],
    [`/admin/users/${user.account.id}?tab=skins`]: [
      { title: "Edit Meadow", opener: "Edit Meadow", send: "Save" },
      { title: "Delete Meadow", opener: "Delete Meadow", send: "Delete" },
    ],
    [`/admin/users/${user.account.id}?tab=account`]: [
      { title: "Delete Thistle", opener: "Delete Thistle", send: "Delete", text: "Thistle" },
    ],
    "/admin/skins": [
      { title: "Edit Meadow", opener: "Edit Meadow", send: "Save" },
      { title: "Delete Meadow", opener: "Delete Meadow", send: "Delete" },
      { title: /^Lift ban/, opener: /^Lift ban/, send: "Lift" },
    ],
    "/admin/capes": [
      { title: "New cape", opener: "Upload a cape", file: capePng(7), send: "Add cape" },
      { title: "Owners of Founders", opener: /owners.*Founders/ },
      { title: "Delete Founders", opener: "Delete Founders", send: "Delete" },
    ],
    "/admin/mail": [{ title: /^Send to \d/, opener: /^Send to \d/, send: "Send", before: preview }],
    "/admin/outbox": [{ title: "Send test mail", opener: "Send test mail", send: "Send" }],
    "/admin/services": [
      { title: "New token", opener: "New token", send: "Create token" },
      { title: "Revoke shop", opener: "Revoke shop", send: "Revoke" },
    ],
  };
}

/** Opens a dialog by the keyboard, from what has the focus then. */
async function open(page: Page, { title, opener, file }: DialogCase) {
  const from =
    file === undefined
      ? page.getByRole("button", { name: opener, exact: true }).first()
      : page.getByLabel(opener, { exact: true });
  await from.focus();
  if (file === undefined) await page.keyboard.press("Enter");
  else await from.setInputFiles({ name: "file.png", mimeType: "image/png", buffer: Buffer.from(file) });
  const dialog = page.getByRole("dialog", { name: title, exact: true });
  await dialog.waitFor();
  return { from, dialog };
}

function focusIn(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const at = document.activeElement;
    return at.closest("dialog[open]") ? "dialog" : at === document.body ? "browser" : at.outerHTML;
  })()`);
}

/**
 * Goes through what the keyboard reaches: a dialog, the browser itself, and nothing behind it. Ends in the
 * dialog.
 */
async function tabThrough(page: Page): Promise<void> {
  expect(await focusIn(page)).toBe("dialog");
  for (let steps = 12; steps > 0 || (await focusIn(page)) !== "dialog"; steps--) {
    await page.keyboard.press("Tab");
    expect(["dialog", "browser"]).toContain(await focusIn(page));
  }
}

/** Fills every text field that is required, and gives what all of them hold. */
async function fillIn(dialog: Locator, text = "probe1"): Promise<readonly string[]> {
  const required = dialog.locator("input[required]:is([type=text], [type=password])");
  for (const field of await required.all()) await field.fill(text);
  return valuesOf(dialog);
}

function valuesOf(dialog: Locator): Promise<readonly string[]> {
  return dialog
    .locator("input")
    .all()
    .then((fields) => Promise.all(fields.map((field) => field.inputValue())));
}

describe("every dialog", () => {
  test("keeps the focus in it, its input while no server answers, and gives the focus back", async () => {
    await using visitor = await served.visit({ as: community.chief, expects: /ERR_INTERNET_DISCONNECTED/ });
    const { page, context } = visitor;
    for (const [path, cases] of Object.entries(dialogs())) {
      await visitor.open(path);
      for (const one of cases) {
        await one.before?.(page);
        const { from, dialog } = await open(page, one);
        await tabThrough(page);
        if (one.send !== undefined) {
          const entered = await fillIn(dialog, one.text);
          await context.setOffline(true);
          await dialog.getByRole("button", { name: one.send, exact: true }).click();
          await alertOf(dialog, "The server cannot be reached").waitFor();
          expect(await valuesOf(dialog)).toEqual(entered);
          await context.setOffline(false);
        }
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await from.and(page.locator(":focus")).waitFor();
      }
    }
  });

  test("has no fault that axe finds and loses no text, in both themes, wide and narrow", async () => {
    await using visitor = await served.visit({ as: community.chief, bypassCSP: true });
    const { page } = visitor;
    const found: Record<string, readonly string[]> = {};
    for (const [path, cases] of Object.entries(dialogs())) {
      await visitor.open(path);
      for (const one of cases) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await one.before?.(page);
        const { dialog } = await open(page, one);
        const wide = await lossesOn(page);
        const faults = [...wide, ...(await faultsEverywhere(visitor)), ...(await lossesOn(page))];
        faults.push(...(await brokenWordsOn(page)));
        if (faults.length > 0) found[`${path} ${String(one.title)}`] = faults;
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      }
    }
    expect(found).toEqual({});
  });
});
