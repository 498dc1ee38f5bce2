/** Files of textures in other forms (docs/contract/delivery.md#files-in-other-forms). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodePng } from "../../src/render/png-decode.ts";
import { legacySheet } from "../../src/render/legacy-sheet.ts";
import { reduce } from "../../src/render/reduce.ts";
import type { Bitmap } from "../../src/render/bitmap.ts";
import { caching, openDeliveryWorld } from "../support/delivery-world.ts";
import { addMember, addSkin, edit, grantCape, wearCape } from "../support/members.ts";
import { capePng, sha256, skinBitmap, skinPng } from "../support/textures.ts";

type World = Awaited<ReturnType<typeof openDeliveryWorld>>;
let world: World;
let paths: Readonly<Record<"slim" | "hd" | "old" | "hdCape" | "bare" | "wornCape" | "worn", string>>;
const hdCapePng = capePng(7, { width: 256, height: 128, wings: true });
const hdCape = () => decodePng(hdCapePng, { widthMax: 256, heightMax: 256, bytesMax: 1e6 });

beforeAll(async () => {
  world = await openDeliveryWorld();
  const { harness } = world;
  const fine = await addMember(harness, "Fine");
  const skin = await addSkin(harness, fine, { file: skinPng(9, { width: 512 }), slim: "true" });
  const cape = await grantCape(harness, [fine], hdCapePng);
  await wearCape(harness, fine, skin, cape);
  await edit(harness, fine, "POST /api/home/edit/skin/select", { skinid: skin });
  paths = {
    slim: `/api/skin/public/${world.skin}`,
    hd: `/api/skin/public/${world.hdSkin}`,
    old: `/api/skin/public/${world.legacySkin}`,
    hdCape: `/api/skin/public/cape/${cape.uuid}`,
    bare: "/api/skin/standart/Bare",
    worn: "/api/skin/standart/Fine",
    wornCape: "/api/skin/standart/cape/Fine",
  };
});
afterAll(() => world.harness[Symbol.asyncDispose]());

async function pixels(path: string) {
  const bytes = await (await world.get(path)).bytes();
  return shownAs(await decodePng(bytes, { widthMax: 1024, heightMax: 1024, bytesMax: 1e6 }));
}

const shownAs = ({ width, height, data }: Bitmap) => ({ width, height, data: [...data] });
const bytesOf = async (path: string) => sha256(await (await world.get(path)).bytes());

describe("layout=legacy", () => {
  test("is 64x32 by the skin's own arms, HD reduced first", async () => {
    const slim = legacySheet({ bitmap: skinBitmap(1), model: "slim" });
    expect(await pixels(`${paths.slim}?layout=legacy`)).toEqual(shownAs(slim));
    const fine = legacySheet({ bitmap: skinBitmap(9, { width: 512 }), model: "slim" });
    expect(await pixels(`${paths.worn}?layout=legacy`)).toEqual(shownAs(fine));
  });

  test("answers a 64x32 skin as it is stored", async () => {
    expect(await bytesOf(`${paths.old}?layout=legacy`)).toBe(await bytesOf(paths.old));
  });

  test("is 64 pixels wide whatever width is asked for", async () => {
    expect(await bytesOf(`${paths.worn}?layout=legacy&width=512`)).toBe(
      await bytesOf(`${paths.worn}?layout=legacy`),
    );
  });

  test("shows a default skin, and says so", async () => {
    const response = await world.get(`${paths.bare}?layout=legacy`);
    expect(response.headers.get("x-texture-default")).toMatch(/^(?:classic|slim)$/);
    expect((await world.get(`${paths.bare}?layout=legacy&default=none`)).status).toBe(404);
  });

  test("is another file to caches than the stored one, with a tag that stays", async () => {
    const [stored, legacy, again] = await Promise.all(
      ["", "?layout=legacy", "?layout=legacy"].map((query) => world.get(paths.slim + query)),
    );
    const tag = legacy?.headers.get("etag") ?? "";
    expect(tag).not.toBe(stored?.headers.get("etag"));
    expect(tag).toBe(again?.headers.get("etag") ?? "none");
    expect(legacy?.headers.get("cache-control")).toBe(caching.follows);
    expect((await world.get(`${paths.slim}?layout=legacy`, { "if-none-match": tag })).status).toBe(304);
  });
});

describe("width", () => {
  test.each([64, 128, 256])("%d reduces a finer skin", async (width) => {
    const reduced = reduce(skinBitmap(9, { width: 512 }), width);
    expect(await pixels(`${paths.worn}?width=${width}`)).toEqual(shownAs(reduced));
  });

  test.each([64, 128])("%d reduces a finer cape, worn, by its uuid and by its number", async (width) => {
    const reduced = shownAs(reduce(await hdCape(), width));
    const id = paths.hdCape.replace("/api/skin/public/cape/", "/api/skin/cloak/");
    for (const path of [paths.hdCape, paths.wornCape, id]) {
      expect(await pixels(`${path}?width=${width}`)).toEqual(reduced);
    }
  });

  test("never enlarges: the stored file is answered", async () => {
    for (const [path, width] of [
      [paths.slim, 64],
      [paths.slim, 512],
      [paths.hd, 128],
      [paths.old, 128],
      [paths.worn, 512],
      [paths.hdCape, 256],
      [paths.bare, 64],
    ] as const) {
      expect([path, width, await bytesOf(`${path}?width=${width}`)]).toEqual([
        path,
        width,
        await bytesOf(path),
      ]);
    }
  });

  test("means nothing where a picture is asked for", async () => {
    expect(await bytesOf(`${paths.wornCape}?size=32&width=64`)).toBe(
      await bytesOf(`${paths.wornCape}?size=32`),
    );
    const player = `${paths.wornCape}?type=player&size=16`;
    expect(await bytesOf(`${player}&width=64`)).toBe(await bytesOf(player));
  });
});

test.each([
  ["slim", "layout=modern", "layout: must be legacy, or be left out"],
  ["slim", "layout=", "layout: must be legacy, or be left out"],
  ["worn", "layout=Legacy", "layout: must be legacy, or be left out"],
  ["worn", "width=63", "width: must be 64, 128, 256, 512, or be left out"],
  ["worn", "width=1024", "width: must be 64, 128, 256, 512, or be left out"],
  ["slim", "width=064", "width: must be 64, 128, 256, 512, or be left out"],
  ["slim", "width=6e1", "width: must be 64, 128, 256, 512, or be left out"],
  ["hdCape", "width=", "width: must be 64, 128, 256, 512, or be left out"],
  ["wornCape", "width=-64", "width: must be 64, 128, 256, 512, or be left out"],
] as const)("%s?%s is refused with what is allowed", async (name, query, msg) => {
  const response = await world.get(`${paths[name]}?${query}`);
  expect([response.status, await response.json()]).toEqual([400, { error: true, msg, url: null, data: {} }]);
});

test("another skin shows at once, in every form", async () => {
  const { harness } = world;
  const member = await addMember(harness, "Switcher");
  for (const seed of [20, 21]) {
    const file = skinPng(seed, { width: 128 });
    const skinid = await addSkin(harness, member, { file, slim: "false" });
    await edit(harness, member, "POST /api/home/edit/skin/select", { skinid });
    const bitmap = skinBitmap(seed, { width: 128 });
    expect(await pixels("/api/skin/standart/Switcher?width=64")).toEqual(shownAs(reduce(bitmap, 64)));
    expect(await pixels("/api/skin/standart/Switcher?layout=legacy")).toEqual(
      shownAs(legacySheet({ bitmap, model: "classic" })),
    );
  }
});
