import { afterAll, beforeAll, expect, test } from "bun:test";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import type { Envelope } from "../support/answers.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, playerOf, wearCape, type Member } from "../support/members.ts";
import { capePng } from "../support/textures.ts";

let harness: Harness;
let alice: Member;
beforeAll(async () => {
  harness = await openHarness({
    settings: {
      COMMUNITY_NAME: "Ember",
      USERNAME_PATTERN: "^[^/?#]{2,64}$",
      PLAYERS_MAX: "20",
      RENAME_HOURS: "0",
    },
  });
  await addMember(harness, "Chief", { level: 3 });
  alice = await addMember(harness, "Alice");
});
afterAll(() => harness[Symbol.asyncDispose]());

const wide = "漢".repeat(64);

async function pageOf(name: string) {
  const response = await harness.fetch(`/u/${encodeURIComponent(name)}`);
  return { status: response.status, html: await response.text() };
}

function metaOf(html: string, property: string): string | undefined {
  return new RegExp(`<meta property="${property}" content="([^"]*)">`).exec(html)?.[1];
}

/** Makes a player of Alice's as she would, whatever she may call it. */
async function addPlayer(name: string): Promise<string> {
  const response = await harness.fetch("/api/home/players", {
    method: "POST",
    headers: { authorization: alice.authorization, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const { msg, data } = (await response.json()) as Envelope<{ readonly uuid: string }>;
  expect(msg).toBe("Player creation successfully");
  return data.uuid;
}

test("the page shows the player without a script, and its link in a chat", async () => {
  const uuid = (await playerOf(harness, alice)).uuid;
  for (const _ of ["at first", "again"]) {
    const { status, html } = await pageOf("alice");
    expect(status).toBe(200);
    expect(html).toContain('<h1 dir="auto">Alice</h1>');
    expect(html).toContain("<title>Alice · Ember</title>");
    const [, picture = "", alt = ""] = /<img src="([^"]+)" alt="([^"]+)"/.exec(html) ?? [];
    expect(alt).toContain("Alice");
    const shown = await harness.fetch(picture.replaceAll("&amp;", "&"));
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(metaOf(html, "og:title")).toBe("Alice");
    expect(metaOf(html, "og:site_name")).toBe("Ember");
    expect(metaOf(html, "og:url")).toBe(`${publicUrl}/u/Alice`);
    expect(metaOf(html, "og:description")).toContain("Alice");
    const preview = metaOf(html, "og:image")!.replaceAll("&amp;", "&");
    expect(preview).toStartWith(`${publicUrl}/api/skin/body/${uuid}?`);
    expect((await harness.fetch(preview.slice(publicUrl.length))).status).toBe(200);
  }
});

test("a further player of an account has a page, under its name until it has another", async () => {
  const uuid = await addPlayer("Second");
  expect((await pageOf("Second")).html).toContain('<h1 dir="auto">Second</h1>');
  expect((await pageOf(uuid)).html).toContain('<h1 dir="auto">Second</h1>');
  const { authorization } = alice;
  const renamed = await harness.fetch(`/api/home/players/${uuid}`, {
    method: "PATCH",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ name: "Other", password: alice.password }),
  });
  expect(renamed.status).toBe(200);
  expect((await pageOf("Second")).status).toBe(302);
  expect((await pageOf("Other")).html).toContain('<h1 dir="auto">Other</h1>');
  expect((await pageOf(uuid)).html).toContain('<h1 dir="auto">Other</h1>');
});

test("the offline uuid of a name leads to the page of the name, and is never remembered", async () => {
  const offline = offlineUuid("Alice");
  for (const asked of [offline, offline.replaceAll("-", "").toUpperCase()]) {
    const { status, headers } = await harness.fetch(`/u/${asked}`);
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
      302,
      "/u/Alice",
      "no-store",
    ]);
  }
});

test("the page shows since when the player is there, and its cape by name", async () => {
  const member = await addMember(harness, "Caped");
  await addSkin(harness, member, {});
  const { html: bare } = await pageOf("Caped");
  const { data } = (await (
    await harness.fetch("/api/home", { headers: { authorization: member.authorization } })
  ).json()) as Envelope<{ readonly Selected_Skin: string }>;
  expect(bare).not.toContain("<h2>");
  await wearCape(
    harness,
    member,
    data.Selected_Skin,
    await grantCape(harness, [member], capePng(1), "Moon & <Sun>"),
  );
  const { html } = await pageOf("Caped");
  expect(html).toContain('<h2>Cape</h2><img src="/api/skin/standart/cape/');
  expect(html).toContain('<p dir="auto">Moon &amp; &lt;Sun&gt;</p>');
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });
  expect(html).toContain(`Here since ${day.format(member.account.createdAt * 1000)}`);
});

test.each([
  [
    "a logo",
    { COMMUNITY_LOGO: new URL("../../docs/examples/cape.png", import.meta.url).pathname },
    "/console/logo",
  ],
  ["no logo", {}, "/console/preview.png"],
])("with %s the start page has a picture for chats", async (_, settings, path) => {
  await using other = await openHarness({ settings, readsFiles: true });
  const html = await (await other.fetch("/")).text();
  const picture = metaOf(html, "og:image")!;
  expect(picture).toStartWith(publicUrl + path);
  const shown = await other.fetch(picture.slice(publicUrl.length));
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect([...new Uint8Array(await shown.arrayBuffer()).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
});

test.each([
  ["<b>bold", "&lt;b&gt;bold"],
  ['"onerror="x', "&quot;onerror=&quot;x"],
  ["<title><script>", "&lt;title&gt;&lt;script&gt;"],
  ["<!--", "&lt;!--"],
  ["$&$1$`", "$&amp;$1$`"],
  ["משתמש", "משתמש"],
  [wide, wide],
  ["🧥🧥", "🧥🧥"],
])("the name %s is text", async (name, written) => {
  await addPlayer(name);
  const { status, html } = await pageOf(name);
  expect(status).toBe(200);
  expect(html).toContain(`<h1 dir="auto">${written}</h1>`);
  expect(html).not.toContain("<b>");
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html.match(/<title>/g)).toHaveLength(1);
  const markup = html.replaceAll(/<script.*?<\/script>/gs, "");
  expect(markup).not.toContain('"onerror');
});
