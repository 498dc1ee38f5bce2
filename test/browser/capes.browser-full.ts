/** The capes of a member in a real browser, by role and name: `bun run test:browser`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { commandLine } from "../../src/domain/model/actor.ts";
import { setCapes } from "../../src/domain/members/grants.ts";
import { addCape } from "../../src/domain/textures/capes.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsole, type Console } from "../support/console-browser.ts";
import { addMember, addSkin, edit, grantCape, type Member } from "../support/members.ts";
import { capePng, skinPng } from "../support/textures.ts";

let served: Console;
beforeAll(async () => {
  served = await openConsole();
});
afterAll(() => served[Symbol.asyncDispose]());

const day = 86_400;

/** A member with a cape without an end, and with one whose grant ends in ten days. */
async function memberWithCapes(name: string): Promise<Member> {
  const { harness } = served;
  const member = await addMember(harness, name);
  await grantCape(harness, [member]);
  await addCape(harness.services, commandLine, {
    file: capePng(4711),
    name: "Guests",
    owners: [member.account.id],
    expiresAt: harness.clock.nowSeconds() + 10 * day,
  });
  return member;
}

type Player = { readonly cape: string; readonly own_cape: string };
type Home = { readonly Capes: readonly { readonly Name: string; readonly Uuid: string }[] };

/** The name of the cape that the member's player shows; undefined: none. */
async function shownBy({ authorization }: Member): Promise<string | undefined> {
  const ask = async <Data>(path: string) => {
    const answer = await served.harness.fetch(path, { headers: { authorization } });
    return (await readJson<Envelope<Data>>(answer)).data;
  };
  const { players } = await ask<{ readonly players: readonly Player[] }>("/api/home/players");
  const { Capes } = await ask<Home>("/api/home");
  return Capes.find(({ Uuid }) => Uuid === players[0]?.cape)?.Name;
}

function partsOf(page: Page) {
  const list = page.getByRole("list", { name: "Capes" });
  return {
    list,
    item: (name: string) => list.getByRole("listitem").filter({ hasText: name }),
    button: (name: string) => page.getByRole("button", { name, exact: true }),
    says: (text: string) => page.getByRole("status").filter({ hasText: text }).waitFor(),
  };
}

test("what was granted is listed with its end, and worn on the worn skin", async () => {
  const member = await memberWithCapes("Anna");
  await addSkin(served.harness, member, { name: "Ember" });
  await using visitor = await served.visit({ as: member });
  await visitor.open("/home/capes");
  const { list, item, button, says } = partsOf(visitor.page);
  await item("Founders").getByText("Without an end").waitFor();
  await item("Guests")
    .getByText(/^Until /)
    .waitFor();
  await visitor.page.getByText("You wear Ember").waitFor();
  await visitor.page.getByRole("img", { name: "3D view of Ember" }).waitFor();
  await button("Wear Guests").click();
  await says("You wear Guests");
  expect(await item("Guests").getAttribute("aria-current")).toBe("true");
  expect(await shownBy(member)).toBe("Guests");
  await button("Wear Founders").click();
  await says("You wear Founders");
  expect(await list.locator("[aria-current]").count()).toBe(1);
  await button("Take off Founders").click();
  await says("You no longer wear Founders");
  expect(await shownBy(member)).toBeUndefined();
});

test("a cape is worn without a skin, too", async () => {
  const member = await memberWithCapes("Bare");
  await using visitor = await served.visit({ as: member });
  await visitor.open("/home/capes");
  const { button, says } = partsOf(visitor.page);
  await button("Wear Founders").click();
  await says("You wear Founders");
  expect(await shownBy(member)).toBe("Founders");
  await button("Take off Founders").click();
  await says("You no longer wear Founders");
  expect(await shownBy(member)).toBeUndefined();
});

test("a cape that was worn whatever the skin makes room for the one that is chosen", async () => {
  const member = await memberWithCapes("Fixed");
  await addSkin(served.harness, member, { name: "Ember" });
  await edit(served.harness, member, `PATCH /api/home/players/${member.uuid}`, { cloakid: "none" });
  await using visitor = await served.visit({ as: member });
  await visitor.open("/home/capes");
  const { button, says } = partsOf(visitor.page);
  await button("Wear Guests").click();
  await says("You wear Guests");
  expect(await shownBy(member)).toBe("Guests");
});

test("a cape that was taken back meanwhile is gone, and the page says so", async () => {
  const member = await memberWithCapes("Late");
  await using visitor = await served.visit({ as: member, expects: /400/ });
  await visitor.open("/home/capes");
  const { button, item } = partsOf(visitor.page);
  await item("Guests").waitFor();
  await setCapes(served.harness.services, commandLine, { account: member.account.id, grants: [] });
  await button("Wear Guests").click();
  await visitor.page
    .getByRole("alert")
    .filter({ hasText: "Guests is no longer among your capes." })
    .waitFor();
  await item("Guests").waitFor({ state: "detached" });
});

test("a member without capes reads where they come from", async () => {
  await using visitor = await served.visit({ as: await addMember(served.harness, "New") });
  await visitor.open("/home/capes");
  await visitor.page.getByText("You have no capes yet").waitFor();
  expect(await visitor.page.getByRole("link", { name: "Look at your skins" }).count()).toBe(1);
});

test("an administrator without capes is led to where they are added", async () => {
  const chief = await addMember(served.harness, "Owner", { level: 3 });
  await using visitor = await served.visit({ as: chief });
  await visitor.open("/home/capes");
  const { page } = visitor;
  await page.getByRole("link", { name: "Add capes" }).click();
  await page.waitForURL("**/admin/capes");
});

test("Take off is there while the figure shows what is worn alone", async () => {
  const member = await memberWithCapes("Offer");
  await addSkin(served.harness, member, { name: "Ember" });
  await addSkin(served.harness, member, { name: "Night", file: skinPng(77) });
  await using visitor = await served.visit({ as: member, width: 390, touch: true });
  const { page } = visitor;
  const preview = page.getByRole("region", { name: "Preview" });
  const takeOff = preview.getByRole("button", { name: /^Take off/ });
  for (const [path, worn, other] of [
    ["/home", "Ember", "Night"],
    ["/home/capes", "Founders", "Guests"],
  ] as const) {
    await visitor.open(path);
    // The first skin is worn at once.
    if (path !== "/home") await page.getByRole("button", { name: `Wear ${worn}`, exact: true }).tap();
    await preview.getByRole("button", { name: `Take off ${worn}` }).waitFor();
    const before = await preview.boundingBox();
    await page.getByRole("button", { name: `Show ${other}`, exact: true }).tap();
    await preview.getByRole("button", { name: "Wear", exact: true }).waitFor();
    expect([path, await takeOff.count()]).toEqual([path, 0]);
    expect((await preview.boundingBox())?.height).toBe(before?.height);
    await page.getByRole("button", { name: "Back to what you wear" }).tap();
    await preview.getByRole("button", { name: `Take off ${worn}` }).waitFor();
  }
});

test.each([320, 1280])("axe finds no fault at %i pixels", async (width) => {
  const member = await memberWithCapes(`Axe${width}`);
  for (const theme of ["light", "dark"] as const) {
    await using visitor = await served.visit({ as: member, theme, width, bypassCSP: true });
    await visitor.open("/home/capes");
    await partsOf(visitor.page).item("Founders").waitFor();
    expect(await visitor.faults()).toEqual([]);
  }
});
