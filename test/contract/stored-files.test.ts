/** The files themselves (docs/contract/delivery.md#pictures, docs/contract/textures.md#files). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { Bitmap } from "../../src/render/bitmap.ts";
import { pngOf } from "../render/png-fixtures.ts";
import { readPng } from "../render/png-reader.ts";
import { openDeliveryWorld } from "../support/delivery-world.ts";
import { addMember, addSkin, grantCape } from "../support/members.ts";
import { bitmapHash, capePng, sha256, skinBitmap, skinPng } from "../support/textures.ts";

const { harness, get, alice, skin, skinHash } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

let count = 0;
const someone = () => addMember(harness, `member${(count += 1)}`);

describe("stored files", () => {
  test("hold exactly the pixels that were uploaded", async () => {
    const png = readPng(await (await get(`/api/skin/public/${skin}`)).bytes());
    const want = skinBitmap(1);
    expect([png.width, png.height]).toEqual([64, 64]);
    expect(bitmapHash(png)).toBe(bitmapHash(want));
  });

  test("are the same under every address", async () => {
    const paths = [`standart/${alice.uuid}`, `public/${skin}`, `cloak/${skin}`].map(
      (path) => `/api/skin/${path}`,
    );
    const digests = await Promise.all(
      [...paths, `/textures/${skinHash}`].map(async (path) => sha256(await (await get(path)).bytes())),
    );
    expect(new Set(digests).size).toBe(1);
  });

  test("flat pictures show the texture's own pixels, the player's right arm on the left", async () => {
    const texture = skinBitmap(50);
    const member = await someone();
    await addSkin(harness, member, { file: skinPng(50), slim: "false" });
    const body = readPng(await (await get(`/api/skin/body/${member.uuid}?size=16`)).bytes());
    expect(pixel(body, 0, 8)).toEqual(pixel(texture, 44, 36));
    expect(pixel(body, 4, 20)).toEqual(pixel(texture, 4, 36));
    expect(pixel(body, 0, 0)).toEqual([0, 0, 0, 0]);
  });

  test("equal bitmaps are stored once: colour under alpha 0 does not count, and the first file stays", async () => {
    const hidden = skinBitmap(60);
    const first = await addSkin(harness, await someone(), { file: skinPng(60) });
    for (let i = 0; i < hidden.data.length; i += 4)
      if (hidden.data[i + 3] === 0) hidden.data.set([9, 9, 9], i);
    const files = await harness.countFiles();
    const second = await addSkin(harness, await someone(), { file: pngOf(hidden) });
    expect(await harness.countFiles()).toBe(files);
    expect(await digestOf(second)).toBe(await digestOf(first));
  });

  test.each([
    [22, 17],
    [46, 22],
    [44, 34],
  ])("a cape of %d x %d is padded to the full sheet", async (width, height) => {
    const padded = await grantCape(harness, [], capePng(7, { width, height }));
    const png = readPng(await (await get(`/api/skin/public/cape/${padded.uuid}`)).bytes());
    const scale = width === 44 ? 2 : 1;
    expect([png.width, png.height]).toEqual([64 * scale, 32 * scale]);
    expect([...png.data.subarray(0, 4)]).toEqual([7, 0, 90, 255]);
    expect(png.data.at(-1)).toBe(0);
  });
});

async function digestOf(uuid: string): Promise<string> {
  return sha256(await (await get(`/api/skin/public/${uuid}`)).bytes());
}

function pixel({ width, data }: Bitmap, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}
