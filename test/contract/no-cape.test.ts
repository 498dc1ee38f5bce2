/** Players without a cape (docs/contract/delivery.md#defaults). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readPng } from "../render/png-reader.ts";
import { caching, dashless, openDeliveryWorld } from "../support/delivery-world.ts";
import { addMember, addSkin, edit, grantCape, wearCape } from "../support/members.ts";
import { checkHeaders, expectError } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const { harness, get, alice, bare, unfinished, cape, nobody } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const skinned = await addMember(harness, "Skinned");
await addSkin(harness, skinned, { file: skinPng(40) });
const of = ({ uuid }: { readonly uuid: string }, query = "") => `/api/skin/standart/cape/${uuid}${query}`;

describe("a player without a cape, with default=transparent", () => {
  test.each<[string, number, number]>([
    ["", 64, 32],
    ["&type=skin", 64, 32],
    ["&size=128", 128, 64],
    ["&size=8", 8, 4],
    ["&size=9&type=skin", 9, 5],
    ["&size=1024", 1024, 512],
    ["&type=player", 100, 200],
    ["&type=player&size=9", 9, 18],
    ["&type=player&size=1024", 1024, 2048],
  ])("is a transparent picture as large as a cape's: %p", async (query, width, height) => {
    const response = await get(of(bare, `?default=transparent${query}`));
    expect(response.status).toBe(200);
    checkHeaders(response, {
      "content-type": "image/png",
      etag: /^"[\x21\x23-\x7e]+"$/,
      "cache-control": caching.follows,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": /X-Texture-Default/,
      "x-texture-default": "transparent",
    });
    const png = await response.bytes();
    expect(png.length).toBeLessThan(1000);
    const picture = readPng(png);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(picture.data.every((byte) => byte === 0)).toBe(true);
    // As large as that of somebody who wears one.
    const worn = readPng(await (await get(of(alice, `?${query}`))).bytes());
    expect([worn.width, worn.height]).toEqual([width, height]);
  });

  test("is the same for every player, and 304 to a client that has it", async () => {
    const query = "?default=transparent&size=50";
    const tags = await Promise.all(
      [
        of(bare, query),
        of(skinned, query),
        of({ uuid: dashless(bare.uuid) }, query),
        of({ uuid: "bARE" }, query),
      ].map(async (path) => (await get(path)).headers.get("etag") ?? ""),
    );
    expect(new Set(tags).size).toBe(1);
    for (const path of [of(bare, query), of(skinned, query)]) {
      const response = await get(path, { "if-none-match": tags[0] ?? "" });
      expect([response.status, await response.text()]).toEqual([304, ""]);
      checkHeaders(response, { etag: tags[0] ?? "", "x-texture-default": "transparent" });
    }
  });

  test("has another tag at every size and type, and than a cape", async () => {
    const queries = ["", "&size=50", "&size=51", "&type=player", "&type=player&size=50"];
    const paths = [bare, alice].flatMap((who) =>
      queries.map((query) => of(who, `?default=transparent${query}`)),
    );
    const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get("etag")));
    expect(new Set(tags).size).toBe(tags.length);
  });

  test("gets the cape as soon as there is one, and loses it again", async () => {
    const member = await addMember(harness, "Later");
    const path = of(member, "?default=transparent");
    const shown = async () => (await get(path)).headers.get("x-texture-default");
    expect([await shown(), await shown()]).toEqual(["transparent", "transparent"]);
    const skinid = await addSkin(harness, member, { file: skinPng(41) });
    await wearCape(harness, member, skinid, await grantCape(harness, [member], capePng(41)));
    expect([await shown(), await shown()]).toEqual([null, null]);
    await edit(harness, member, "PUT /api/home/edit/skin", { skinid, cloakid: null });
    expect(await shown()).toBe("transparent");
  });
});

test.each(["", "&size=32", "&type=player&size=32"])(
  "a player who wears a cape shows it: %p",
  async (query) => {
    const [wanted, plain] = await Promise.all([
      get(of(alice, `?default=transparent${query}`)),
      get(of(alice, `?${query}`)),
    ]);
    expect(wanted.headers.get("etag")).toBe(plain.headers.get("etag"));
    checkHeaders(wanted, { "x-texture-default": null });
  },
);

test.each(["", "?type=player", "?default=none", "?default=none&size=32"])(
  "a player without a cape is not found without it: %p",
  async (query) => {
    await expectError(await get(of(bare, query)), 404, /^This player wears no cape$/);
  },
);

test.each([
  ["an unknown uuid", nobody],
  ["an unknown name", "Nobody"],
  ["a user who is no player yet", unfinished.uuid],
  ["a cape", cape.uuid],
])("%s is not found with it either", async (_, uuid) => {
  await expectError(await get(of({ uuid }, "?default=transparent")), 404);
});

test.each(["?default=", "?default=TRANSPARENT", "?default=steve", "?default=transparent%20", "?default=1"])(
  "%s is refused",
  async (query) => {
    for (const who of [alice, bare]) {
      await expectError(await get(of(who, query)), 400, /^default: must be none or transparent/);
    }
  },
);

test.each(["7", "1025", "abc", ""])("a size of %p is refused", async (size) => {
  await expectError(await get(of(bare, `?default=transparent&size=${size}`)), 400, /^size: /);
});

test.each(["head", "body", "standart"])("a %s is never transparent", async (view) => {
  const path = `/api/skin/${view}/${bare.uuid}?default=transparent`;
  await expectError(await get(path), 400, /^default: must be none/);
});
