/**
 * Pictures, their headers, HEAD and 304 (docs/contract/delivery.md#pictures,
 * docs/contract/delivery.md#caching).
 */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readPng } from "../render/png-reader.ts";
import { caching, openDeliveryWorld } from "../support/delivery-world.ts";
import { checkHeaders } from "../support/scenario.ts";
import { sha256, sizeOf } from "../support/textures.ts";

const { harness, get, alice, bare, skin, skinHash, legacySkin, hdSkin, cape, nobody } =
  await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

/** Every address that answers with a picture, and the picture's size. */
const pictures: readonly (readonly [path: string, size: string, cacheControl?: string])[] = [
  [`/api/skin/head/${alice.uuid}`, "100x100"],
  [`/api/skin/head/${alice.uuid}?type=skin&size=8`, "8x8"],
  [`/api/skin/head/${alice.uuid}?type=player`, "100x100"],
  [`/api/skin/head/${alice.uuid}?type=player&size=1024`, "1024x1024"],
  [`/api/skin/head/Alice`, "100x100"],
  [`/api/skin/head/aLICE?size=33`, "33x33"],
  [`/api/skin/head/${skin}`, "100x100"],
  [`/api/skin/head/${legacySkin}?type=player`, "100x100"],
  [`/api/skin/head/${hdSkin}?size=17`, "17x17"],
  [`/api/skin/head/${bare.uuid}`, "100x100"],
  [`/api/skin/body/${alice.uuid}`, "100x200"],
  [`/api/skin/body/${alice.uuid}?size=8&type=player`, "8x16"],
  [`/api/skin/body/${alice.uuid}?size=1024`, "1024x2048"],
  [`/api/skin/body/Alice?size=31`, "31x62"],
  [`/api/skin/body/${legacySkin}?type=player&size=50`, "50x100"],
  [`/api/skin/body/${hdSkin}`, "100x200"],
  [`/api/skin/body/${bare.uuid}?type=player`, "100x200"],
  [`/api/skin/cloak/${cape.uuid}`, "64x32"],
  [`/api/skin/cloak/${cape.id}`, "64x32"],
  [`/api/skin/cloak/${cape.uuid}?type=skin&size=128`, "128x64"],
  [`/api/skin/cloak/${cape.uuid}?size=32`, "32x16"],
  [`/api/skin/cloak/${cape.id}?type=player`, "100x200"],
  [`/api/skin/cloak/${cape.uuid}?type=player&size=60`, "60x120"],
  [`/api/skin/cloak/${skin}`, "64x64"],
  [`/api/skin/cloak/${legacySkin}`, "64x32"],
  [`/api/skin/cloak/${skin}?type=player`, "100x200"],
  [`/api/skin/cloak/${hdSkin}?type=player&size=40`, "40x80"],
  [`/api/skin/standart/${alice.uuid}`, "64x64"],
  [`/api/skin/standart/Alice`, "64x64"],
  [`/api/skin/standart/${bare.uuid}`, "64x64"],
  [`/api/skin/standart/cape/${alice.uuid}`, "64x32"],
  [`/api/skin/standart/cape/alice?type=skin`, "64x32"],
  [`/api/skin/standart/cape/${alice.uuid}?type=player`, "100x200"],
  [`/api/skin/standart/cape/${alice.uuid}?type=player&size=20`, "20x40"],
  [`/api/skin/standart/cape/${alice.uuid}?size=100`, "100x50"],
  [`/api/skin/public/${skin}`, "64x64"],
  [`/api/skin/public/${legacySkin}`, "64x32"],
  [`/api/skin/public/${hdSkin}`, "128x128"],
  [`/api/skin/public/cape/${cape.uuid}`, "64x32"],
  [`/textures/${skinHash}`, "64x64", caching.immutable],
];

describe.each(pictures)("GET %s", (path, size, cacheControl = caching.follows) => {
  test("answers with a PNG of the right size and all headers", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    checkHeaders(response, {
      "content-type": "image/png",
      etag: /^"[\x21\x23-\x7e]+"$/,
      "cache-control": cacheControl,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
    const png = await response.bytes();
    expect(sizeOf(png)).toBe(size);
    // The tests' own reader is slow, so it does not look into the largest.
    if (png.length < 100_000 && !size.startsWith("1024"))
      expect(readPng(png).data.some((byte) => byte > 0)).toBe(true);
  });

  test("answers the same again, and 304 to a client that has it already", async () => {
    const first = await get(path);
    const tag = first.headers.get("etag") ?? "";
    const again = await get(path);
    expect(again.headers.get("etag")).toBe(tag);
    expect(sha256(await again.bytes())).toBe(sha256(await first.bytes()));
    for (const condition of [tag, `W/${tag}`, "*", `"other", ${tag}`]) {
      const response = await get(path, { "if-none-match": condition });
      expect([condition, response.status, await response.text()]).toEqual([condition, 304, ""]);
      checkHeaders(response, {
        etag: tag,
        "cache-control": cacheControl,
        "access-control-allow-origin": "*",
      });
    }
    for (const condition of ['"other"', tag.slice(1, -1), '""', ","]) {
      expect([condition, (await get(path, { "if-none-match": condition })).status]).toEqual([condition, 200]);
    }
  });
});

test("answers 304 to the first request for a picture, too", async () => {
  const path = `/api/skin/head/${alice.uuid}?size=77&type=player`;
  const tag = (await get(path.replace("size=77", "size=78"))).headers.get("etag") ?? "";
  const response = await get(path, { "if-none-match": tag.replace("78", "77") });
  expect(response.status).toBe(304);
});

describe("HEAD", () => {
  const server = harness.listen();
  const paths = [
    ...pictures.map(([path]) => path),
    `/api/skin/launcher/${alice.uuid}`,
    `/api/skin/head/${nobody}`,
    "/nothing",
  ];
  test.each(paths)("%s answers with GET's headers and no body", async (path) => {
    // The first pair of requests goes the long way, the second may be answered from memory.
    for (let round = 0; round < 2; round++) {
      const head = await fetch(server.address + path, { method: "HEAD" });
      const got = await fetch(server.address + path);
      expect(headersOf(head)).toEqual(headersOf(got));
      expect(head.headers.get("content-length")).toBe(String((await got.bytes()).length));
      expect((await head.bytes()).length).toBe(0);
    }
  });

  test("with a matching tag answers 304", async () => {
    const path = `${server.address}/api/skin/head/${alice.uuid}`;
    const tag = (await fetch(path)).headers.get("etag") ?? "";
    const response = await fetch(path, { method: "HEAD", headers: { "if-none-match": tag } });
    expect(response.status).toBe(304);
  });
});

/** Everything that both methods must answer alike; the date may move on between them. */
function headersOf({ status, headers }: Response) {
  const { date: _, ...rest } = Object.fromEntries(headers);
  return { status, ...rest };
}
