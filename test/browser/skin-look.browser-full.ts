/** One skin, as staff look at it: `bun run test:browser`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openConsole, type Console } from "../support/console-browser.ts";
import { faultsEverywhere } from "../support/everywhere.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { status } from "../support/page-parts.ts";
import { ask } from "../support/registration.ts";
import { skinPng } from "../support/textures.ts";

let world: Console;
let warden: Member;
beforeAll(async () => {
  world = await openConsole();
  warden = await addMember(world.harness, "Warden", { level: 2 });
});
afterAll(() => world[Symbol.asyncDispose]());

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };
/** The accessible name of what has the focus. */
const focused = "document.activeElement.ariaLabel";

describe("a skin in its dialog", () => {
  test("shows figure, file, owner, others with the picture and removals, by keyboard as well", async () => {
    const file = skinPng(41);
    const owner = await addMember(world.harness, "Dealer");
    const other = await addMember(world.harness, "Copier");
    const gone = await addSkin(world.harness, owner, { file: skinPng(42), name: "Gone" });
    await ask(world.harness, `DELETE /api/admin/skin/${gone}`, { reason: "Stolen" }, warden);
    await addSkin(world.harness, owner, { file, slim: "false", name: "Looked at" });
    await addSkin(world.harness, other, { file, slim: "false", name: "The copy" });
    for (const size of [wide, narrow]) {
      await using visitor = await world.visit({ as: warden, bypassCSP: true });
      const { page, open } = visitor;
      await page.setViewportSize(size);
      await open("/admin/skins?q=Looked");
      const inspect = page.getByRole("button", { name: "Inspect Looked at" });
      await inspect.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Inspect Looked at" });
      await dialog.getByRole("img", { name: "3D view of Looked at" }).waitFor();
      await dialog.getByRole("button", { name: "Turn left" }).waitFor();
      expect(await page.locator("canvas").count()).toBe(1);
      const sheet = dialog.getByRole("img", { name: "The file of Looked at" });
      await sheet.waitFor();
      const rendering = `getComputedStyle(document.querySelector(".skin-sheet")).imageRendering`;
      expect(await page.evaluate<string>(rendering)).toBe("pixelated");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("link", { name: "Download the file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("Looked at.png");
      await dialog.getByText("1 other skin has it.").waitFor();
      await dialog.getByText(/Warden · Stolen/).waitFor();
      expect(await faultsEverywhere(visitor)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await page.evaluate<string>(focused)).toBe("Inspect Looked at");
      await inspect.click();
      await dialog.getByRole("link", { name: "Copier" }).click();
      await page.getByRole("heading", { level: 1, name: "Copier" }).waitFor();
      expect(await dialog.count()).toBe(0);
    }
  });

  test("renames and removes, on a person's page", async () => {
    const owner = await addMember(world.harness, "Changer");
    await addSkin(world.harness, owner, { file: skinPng(43), slim: "false", name: "To change" });
    await using visitor = await world.visit({ as: warden });
    const { page, open } = visitor;
    await open(`/admin/users/${owner.account.id}?tab=skins`);
    await page.getByRole("button", { name: "Inspect To change" }).click();
    const dialog = page.getByRole("dialog", { name: "Inspect To change" });
    const edit = dialog.getByRole("button", { name: "Edit To change" });
    await edit.click();
    expect(await edit.getAttribute("aria-expanded")).toBe("true");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.evaluate<string>(focused)).toBe("Edit To change");
    await edit.click();
    const name = dialog.getByRole("textbox", { name: "Name" });
    // 64 characters have room, of two units each, and no more.
    await name.fill("");
    await name.pressSequentially("🦊🦊");
    await page.keyboard.insertText("🦊".repeat(70));
    expect(await name.inputValue()).toBe("🦊".repeat(64));
    await name.fill("👩‍🚀 می‌خواهم");
    await dialog.getByRole("radio", { name: "Slim" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await status(page, "👩‍🚀 می‌خواهم is saved").waitFor();
    // Two Chinese characters are searched, one is not.
    await addSkin(world.harness, owner, { file: skinPng(44), name: "小明的皮肤" });
    await open("/admin/skins?q=皮");
    await page.getByText("Type three characters or more").waitFor();
    await page.getByRole("searchbox").fill("皮肤");
    await page.getByRole("button", { name: "Inspect 小明的皮肤" }).waitFor();
    await open(`/admin/users/${owner.account.id}?tab=skins`);
    await page.getByRole("button", { name: "Inspect 👩‍🚀 می‌خواهم" }).click();
    const changed = page.getByRole("dialog", { name: "Inspect 👩‍🚀 می‌خواهم" });
    await changed.getByText("64x64 pixels · Slim").waitFor();
    await changed.getByRole("button", { name: /^Delete/ }).click();
    await changed.getByRole("textbox", { name: "Reason" }).fill("Enough");
    await changed.getByRole("button", { name: "Delete", exact: true }).click();
    await status(page, "👩‍🚀 می‌خواهم is deleted").waitFor();
  });
});
