/**
 * What becomes of open pages when the session ends or changes, and of browsers that can do less:
 * `bun run test:browser`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { consolePages } from "../support/console-pages.ts";
import { addMember, addSkin, grantCape, type Member } from "../support/members.ts";
import { alertOf, fill, form, hasLoaded, heading, memberButton, press } from "../support/page-parts.ts";

let served: Console;
let community: Community;
beforeAll(async () => {
  served = await openConsole({ settings: { COMMUNITY_NAME: "Lantern" } });
  community = await fillCommunity(served.harness);
});
afterAll(() => served[Symbol.asyncDispose]());

let count = 0;
const newMember = () => addMember(served.harness, `Anna_${++count}`);

/** Ends all sessions of a member on the server. */
async function endSessions(member: Member): Promise<void> {
  const headers = { authorization: community.chief.authorization };
  const path = `/api/admin/user/${member.account.id}/sessions`;
  const answer = await served.harness.fetch(path, { headers });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  for (const { id } of data) await served.harness.fetch(`${path}/${id}`, { method: "DELETE", headers });
}

async function signInBy(page: Page, { name, password }: Member): Promise<void> {
  const shown = page.getByRole("main");
  await fill(shown, { "Player name or e-mail": name });
  await shown.getByLabel("Password", { exact: true }).fill(password);
  await press(shown, "Sign in");
}

const refused = /status of 401/;

describe("a session that ended meanwhile", () => {
  test("leads every page of members to the sign-in, and from there back", async () => {
    const chief = await addMember(served.harness, "Returning", { level: 3 });
    for (const { path, level, heading: title } of consolePages("Lantern", community)) {
      if (level === 0 || path === "/home/mail") continue;
      await using visitor = await served.visit({ as: chief, expects: refused });
      const { page } = visitor;
      const held = Promise.withResolvers<void>();
      await page.route("**/api/**", async (route) => {
        if (route.request().resourceType() === "fetch") await held.promise;
        await route.continue();
      });
      await visitor.open(path);
      await page.locator("main [aria-busy=true]").first().waitFor({ state: "attached" });
      await memberButton(page).waitFor();
      await endSessions(chief);
      held.resolve();
      await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`);
      await heading(page, "Sign in").waitFor();
      await signInBy(page, chief);
      await heading(page, title).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });

  test("leaves what was entered, but no password, to the same person alone", async () => {
    const member = await newMember();
    const other = await newMember();
    await using visitor = await served.visit({ as: member, expects: refused });
    const { page } = visitor;
    const name = page.getByRole("textbox", { name: "New player name", exact: true });
    const password = form(page, "Player name").getByLabel("Current password", { exact: true });
    const mail = page.getByRole("textbox", { name: "New e-mail", exact: true });
    const enter = async () => {
      await name.fill("Someone");
      await password.fill("a password of mine");
      await mail.fill("new@example.org");
      await endSessions(member);
      await press(form(page, "Player name"), "Change name");
      await page.waitForURL("**/login?next=%2Fhome%2Faccount");
    };
    await visitor.open("/home/account");
    await enter();
    await signInBy(page, member);
    await name.waitFor();
    expect([await name.inputValue(), await mail.inputValue()]).toEqual(["Someone", "new@example.org"]);
    expect(await password.inputValue()).toBe("");
    await enter();
    await signInBy(page, other);
    await name.waitFor();
    expect([await name.inputValue(), await mail.inputValue()]).toEqual(["", ""]);
  });

  test("leaves a dialog's input to the dialog of the same thing", async () => {
    const member = await newMember();
    for (const name of ["Ember", "Night"]) await addSkin(served.harness, member, { name });
    const cape = await grantCape(served.harness, [member]);
    await using visitor = await served.visit({ as: member, expects: refused });
    const { page } = visitor;
    const dialog = page.getByRole("dialog", { name: "Edit skin" });
    const parts = { name: dialog.getByLabel("Name"), slim: dialog.getByRole("radio", { name: "Slim" }) };
    await visitor.open("/home");
    await page.getByRole("button", { name: "Edit Ember" }).click();
    await parts.name.fill("Ash");
    await parts.slim.check();
    await dialog.getByRole("combobox", { name: "Cape" }).selectOption("Founders");
    await endSessions(member);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/login?next=%2Fhome");
    await signInBy(page, member);
    await page.getByRole("button", { name: "Edit Night" }).click();
    expect([await parts.name.inputValue(), await parts.slim.isChecked()]).toEqual(["Night", false]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit Ember" }).click();
    expect([await parts.name.inputValue(), await parts.slim.isChecked()]).toEqual(["Ash", true]);
    const answered = page.waitForRequest((request) => request.method() === "PUT");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await answered).postDataJSON()).toMatchObject({ name: "Ash", slim: true, cloakid: cape.uuid });
    await dialog.waitFor({ state: "detached" });
  });
});

describe("another tab", () => {
  test("shows the person who is signed in now", async () => {
    const [first, second] = [await newMember(), await newMember()];
    await addSkin(served.harness, second, { name: "Hers" });
    await using visitor = await served.visit({ as: first });
    await visitor.open("/home");
    await visitor.page.getByText("Your wardrobe is empty").waitFor();
    const tab = await visitor.context.newPage();
    await tab.goto("/login");
    await signInBy(tab, second);
    await heading(tab, "Wardrobe").waitFor();
    await visitor.page.getByRole("heading", { name: "Hers" }).waitFor();
  });

  test("that comes back from another site with a session shows it to the tabs of guests", async () => {
    const member = await newMember();
    await using visitor = await served.visit();
    await visitor.open("/login");
    await heading(visitor.page, "Sign in").waitFor();
    const answer = await visitor.context.request.post("/console/session", {
      headers: { "X-Cloakroom-Console": "1" },
      data: { username: member.name, password: member.password },
    });
    expect(answer.status()).toBe(200);
    const tab = await visitor.context.newPage();
    await tab.goto("/home");
    await memberButton(visitor.page).waitFor();
  });

  test("stays signed in when a sign-in as another person is refused", async () => {
    const member = await newMember();
    await using visitor = await served.visit({ as: member, expects: refused });
    const { page } = visitor;
    await visitor.open("/login");
    await page.getByText(`signed in as ${member.name}`).waitFor();
    await signInBy(page, { ...member, password: "not the password" });
    await alertOf(page, "Invalid username or password").waitFor();
    expect(await memberButton(page).count()).toBe(1);
  });
});

/** Makes the server have no files any more but those that the page has loaded, as after an update. */
async function updateServer(page: Page): Promise<() => Promise<void>> {
  const assets = "**/console/assets/**";
  await page.route(assets, (route) => {
    const url = route
      .request()
      .url()
      .replace(/-[^-]+$/, "-00000000.js");
    return route.continue({ url });
  });
  return () => page.unroute(assets);
}

describe("a tab whose files are gone after an update", () => {
  const notFound = /status of 404/;

  test("offers to load the page again", async () => {
    await using visitor = await served.visit({ as: await newMember(), expects: notFound });
    const { page } = visitor;
    await visitor.open("/home/account");
    await form(page, "Password").waitFor();
    const load = await updateServer(page);
    await page.getByRole("link", { name: "Capes", exact: true }).click();
    await heading(page, "A new version is here").waitFor();
    await load();
    await page.getByRole("button", { name: "Load again" }).click();
    await heading(page, "Capes").waitFor();
  });

  test("says so where another language or Go to is asked for", async () => {
    await using visitor = await served.visit({ as: await newMember(), expects: notFound });
    const { page } = visitor;
    await visitor.open("/home/account");
    await form(page, "Password").waitFor();
    await updateServer(page);
    const language = page.getByRole("combobox", { name: "Language" });
    await language.selectOption("ru");
    await alertOf(page, "A new version is here").waitFor();
    expect(await language.inputValue()).toBe("en");
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("says that the server cannot be reached when that is why", async () => {
    await using visitor = await served.visit({ as: await newMember(), expects: /ERR_INTERNET_DISCONNECTED/ });
    const { page } = visitor;
    await visitor.open("/home/account");
    await form(page, "Password").waitFor();
    await visitor.context.setOffline(true);
    await page.getByRole("link", { name: "Capes", exact: true }).click();
    await heading(page, "The server cannot be reached").waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    await alertOf(page, "The server cannot be reached").waitFor();
    await visitor.context.setOffline(false);
    await again.click();
    await heading(page, "Capes").waitFor();
  });
});

describe("a browser", () => {
  test("that keeps no cookies reads why it is not signed in", async () => {
    const member = await newMember();
    await using visitor = await served.visit();
    const { page } = visitor;
    await page.route("**/console/session", async (route) => {
      const response = await route.fetch();
      await visitor.context.clearCookies();
      const { "set-cookie": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await visitor.open("/login?next=/home");
    await signInBy(page, member);
    await alertOf(page, "the browser kept no cookie").waitFor();
    expect(await page.getByRole("main").getByLabel("Player name or e-mail").inputValue()).toBe(member.name);
  });

  test("without storage, channels and WebGL goes on with less on every page", async () => {
    await using visitor = await served.visit({ as: community.chief });
    const { page } = visitor;
    await visitor.context.addInitScript(`
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, options);
      };
      for (const name of ["localStorage", "sessionStorage", "indexedDB"])
        Object.defineProperty(window, name, { get() { throw new DOMException("off", "SecurityError"); } });
      delete window.BroadcastChannel;
    `);
    for (const { path, heading: title } of consolePages("Lantern", community)) {
      await visitor.open(path);
      await heading(page, title).waitFor();
      await memberButton(page).waitFor();
      await hasLoaded(page);
      expect([path, await page.getByRole("alert").filter({ hasText: /./ }).count()]).toEqual([path, 0]);
    }
    await visitor.open(`/u/${community.player.name}`);
    const figure = page.getByRole("img", { name: `3D view of ${community.player.name}` });
    expect(await figure.getAttribute("src")).toMatch(/^\/api\/skin\/body\//);
    await page.getByRole("combobox", { name: "Theme" }).selectOption("Dark");
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.getByRole("link", { name: "Garderobe" }).waitFor();
  });

  test("without scripts reads that JavaScript is needed, and sees a player all the same", async () => {
    await using visitor = await served.visit({ scripts: false });
    const { page } = visitor;
    for (const { path } of consolePages("Lantern", community)) {
      await visitor.open(path);
      // Pages that show something without scripts say what else needs them.
      await seen(page.getByText(/needs? JavaScript/), path);
    }
    await visitor.open(`/u/${community.player.name}`);
    await heading(page, community.player.name).waitFor();
    await seen(page.getByRole("img", { name: `The figure of ${community.player.name}` }), "the picture");
  });
});

async function seen(part: Locator, what: string): Promise<void> {
  expect([what, await part.isVisible()]).toEqual([what, true]);
}
