/** The page that says what to enter into which launcher: with scripts and without. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember, type Member } from "../support/members.ts";
import { heading, status } from "../support/page-parts.ts";

let console: Console;
let anna: Member;
beforeAll(async () => {
  console = await openConsole();
  await addMember(console.harness, "Chief", { level: 3 });
  anna = await addMember(console.harness, "Anna");
});
afterAll(() => console[Symbol.asyncDispose]());

test("without scripts the steps are there in the reader's language, and nothing is wider than a phone", async () => {
  await using visitor = await console.visit({ scripts: false, language: "ru", width: 320 });
  const { page } = visitor;
  await visitor.open("/play");
  await heading(page, "Играть").waitFor();
  await page.getByRole("link", { name: "HMCL" }).click();
  const part = page.getByRole("region", { name: "HMCL" });
  await part.getByText(`${console.address}/api/yggdrasil`).waitFor();
  await part.getByText("Новый сервер авторизации").waitFor();
  expect(await part.getByRole("button").count()).toBe(0);
  const box = await page.locator(".play").boundingBox();
  expect(box!.width).toBeLessThanOrEqual(320);
});

test("a member copies the address, drags it, and reads the own name", async () => {
  await using visitor = await console.visit({ as: anna });
  const { page, context } = visitor;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visitor.open("/home");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Play" }).click();
  await heading(page, "Play").waitFor();
  const part = page.getByRole("region", { name: "PCL" });
  await part.getByText("Anna", { exact: true }).waitFor();
  await part.getByRole("button", { name: "Copy address" }).click();
  await status(page, "Copied").waitFor();
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(
    `${console.address}/api/yggdrasil`,
  );
  const dragged = await page.evaluate<string>(`(() => {
    const dataTransfer = new DataTransfer();
    document.querySelector("#hmcl .play-address").dispatchEvent(new DragEvent("dragstart", { dataTransfer }));
    return dataTransfer.getData("text/plain");
  })()`);
  expect(dragged).toBe(
    `authlib-injector:yggdrasil-server:${encodeURIComponent(`${console.address}/api/yggdrasil`)}`,
  );
});

test("another language brings its steps, and an anchor its launcher", async () => {
  await using visitor = await console.visit();
  const { page } = visitor;
  await visitor.open("/play#fjord");
  const part = page.getByRole("region", { name: "Prism Launcher and Fjord Launcher" });
  await part.getByRole("button", { name: "Copy address" }).waitFor();
  expect((await part.boundingBox())!.y).toBeLessThan(200);
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("region", { name: "Prism Launcher und Fjord Launcher" }).waitFor();
  await page.getByRole("button", { name: "Kopieren: Adresse" }).first().waitFor();
  expect(await part.count()).toBe(0);
});
