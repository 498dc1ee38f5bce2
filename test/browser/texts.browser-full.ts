/**
 * Long words, large letters and hostile names on every page: nothing is lost and nothing breaks out:
 * `bun run test:browser`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addCape } from "../../src/domain/textures/capes.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { fillCommunity, type Community } from "../support/community.ts";
import { openConsole, type Console, type Visitor } from "../support/console-browser.ts";
import { consolePages, type ConsolePage } from "../support/console-pages.ts";
import { addMember, addSkin, wearCape, type Member } from "../support/members.ts";
import { brokenWordsOn, lossesOn } from "../support/page-layout.ts";
import { hasLoaded } from "../support/page-parts.ts";
import { capePng, skinPng } from "../support/textures.ts";

/** What people may call a skin or a cape: text, whatever it looks like. */
const names = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e2}\u{5d5}\u{5dc}\u{5dd}",
  "漢".repeat(64),
  "W".repeat(64),
  "🦊".repeat(64),
  "Z̷͉̈́a̵̱͝l̸̜̚g̸̟̈o̷̦͠".repeat(2),
  "{{7*7}} ${7*7} %s &lt;b&gt; '\"`",
];

let served: Console;
let community: Community;
let pages: readonly ConsolePage[];
/** A person whose every text is hostile. */
let mallory: Member;
beforeAll(async () => {
  const settings = {
    COMMUNITY_NAME: "Überlandstraßenbahngesellschaft Ōkunoshima",
    USERNAME_PATTERN: "^[^\\p{C}]{1,64}$",
  };
  served = await openConsole({ settings });
  const { harness } = served;
  community = await fillCommunity(harness);
  pages = consolePages(settings.COMMUNITY_NAME, community);
  mallory = await addMember(harness, "W".repeat(60), { level: 3 });
  const skins: string[] = [];
  for (const [at, name] of names.entries())
    skins.push(await addSkin(harness, mallory, { name, file: skinPng(200 + at) }));
  for (const [at, name] of names.entries()) {
    const owners = [mallory.account.id];
    const input = { file: capePng(200 + at), name, owners, expiresAt: null };
    const { cape } = await addCape(harness.services, commandLine, input);
    if (at === 3) await wearCape(harness, mallory, skins[4] ?? "", cape);
  }
});
afterAll(() => served[Symbol.asyncDispose]());

/** Opens every page, for staff as well as for guests, and gives what each of them loses. */
async function lossesBy(look: (visitor: Visitor) => Promise<Readonly<Record<string, readonly string[]>>>) {
  const found: Record<string, readonly string[]> = {};
  await using closing = new AsyncDisposableStack();
  const guest = closing.use(await served.visit());
  const member = closing.use(await served.visit({ as: mallory }));
  const own = [`/u/${mallory.name}`, `/admin/users/${mallory.account.id}`];
  for (const { path, level } of [...pages, ...own.map((path) => ({ path, level: 1 }))]) {
    const visitor = level === 0 ? guest : member;
    await visitor.open(path);
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    await hasLoaded(visitor.page);
    for (const [how, lost] of Object.entries(await look(visitor)))
      if (lost.length > 0) found[`${path} ${how}`] = lost;
  }
  return found;
}

describe("every page", () => {
  test("has room for all its languages, and for hostile names, at 320 pixels", async () => {
    const found = await lossesBy(async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 800 });
      const lost: Record<string, readonly string[]> = {};
      for (const language of ["ru", "zh-Hans", "de", "en"]) {
        await page.getByRole("contentinfo").getByRole("combobox").first().selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        lost[language] = [...(await lossesOn(page)), ...(await brokenWordsOn(page))];
      }
      return lost;
    });
    expect(found).toEqual({});
  });

  test("has room for letters of twice the size", async () => {
    const found = await lossesBy(async ({ page }) => {
      await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
      return { "200 %": await lossesOn(page) };
    });
    expect(found).toEqual({});
  });
});

describe("hostile names", () => {
  test("are text on cards, in dialogs and in messages", async () => {
    await using visitor = await served.visit({ as: mallory, width: 320 });
    const { page } = visitor;
    await visitor.open("/home");
    const skins = page.getByRole("list", { name: "Skins" });
    await skins.getByRole("listitem").first().waitFor();
    expect((await skins.getByRole("heading").allTextContents()).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      const button = (verb: string) => page.getByRole("button", { name: `${verb} ${name}`, exact: true });
      await button("Edit").click();
      const dialog = page.getByRole("dialog", { name: "Edit skin" });
      expect(await dialog.getByLabel("Name").inputValue()).toBe(name);
      expect([name, await lossesOn(page)]).toEqual([name, []]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await button("Delete").click();
      await page.getByRole("status").getByText(`${name} is deleted`).waitFor();
      expect([name, await lossesOn(page)]).toEqual([name, []]);
      await page.getByRole("button", { name: "Undo" }).click();
    }
    await visitor.open("/admin/capes");
    const capes = page.getByRole("list", { name: "Capes" });
    await capes.getByRole("listitem").first().waitFor();
    expect(await capes.getByRole("heading").allTextContents()).toEqual(expect.arrayContaining([...names]));
    for (const name of names) {
      await page.getByRole("button", { name: `Delete ${name}`, exact: true }).click();
      const dialog = page.getByRole("dialog", { name: `Delete ${name}`, exact: true });
      await dialog.waitFor();
      expect([name, await lossesOn(page)]).toEqual([name, []]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });
});
