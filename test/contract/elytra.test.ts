/** The elytra of a cape and of a player (docs/contract/delivery.md#elytra). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { deleteCape } from "../../src/domain/textures/capes.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { readPng } from "../render/png-reader.ts";
import { colourAt } from "../render/paint.ts";
import { caching, dashless, openDeliveryWorld } from "../support/delivery-world.ts";
import { addMember, addSkin, grantCape, wearCape } from "../support/members.ts";
import { checkHeaders } from "../support/scenario.ts";
import { capePng, sha256, sizeOf, skinPng } from "../support/textures.ts";

const { harness, get, alice, bare, cape: plain, nobody } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const flyer = await addMember(harness, "Flyer");
const skin = await addSkin(harness, flyer, { file: skinPng(9) });
const cape = await grantCape(harness, [flyer], capePng(5, { wings: true }));
await wearCape(harness, flyer, skin, cape);
const hd = await grantCape(harness, [], capePng(6, { width: 256, height: 128, wings: true }));

test.each([
  [cape.uuid, "64x32"],
  [dashless(cape.uuid), "64x32"],
  [String(cape.id), "64x32"],
  [`${cape.id}?type=skin`, "64x32"],
  [String(hd.id), "256x128"],
  [flyer.uuid, "64x32"],
  ["Flyer", "64x32"],
  ["fLYER", "64x32"],
  [`${cape.uuid}?size=100`, "100x50"],
  [`${hd.id}?size=64`, "64x32"],
  [`${cape.id}?type=player`, "100x200"],
  [`${hd.id}?type=player&size=48`, "48x96"],
  [`${flyer.uuid}?type=player`, "100x200"],
  ["Flyer?type=player&size=8", "8x16"],
  ["Flyer?type=player&size=1024", "1024x2048"],
])("GET /api/skin/elytra/%s is %s", async (rest, size) => {
  const path = `/api/skin/elytra/${rest}`;
  const response = await get(path, { origin: "https://elsewhere.example" });
  expect(response.status).toBe(200);
  checkHeaders(response, {
    "content-type": "image/png",
    "cache-control": caching.follows,
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
  const png = await response.bytes();
  expect(sizeOf(png)).toBe(size);
  const etag = response.headers.get("etag")!;
  const again = await get(path, { "if-none-match": etag });
  expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);
  expect((await harness.fetch(path, { method: "HEAD" })).headers.get("etag")).toBe(etag);
});

describe("the file", () => {
  test("is that of the wings, and everything else in it is transparent", async () => {
    const png = await (await get("/api/skin/elytra/Flyer")).bytes();
    expect(png).toEqual(await (await get(`/textures/${cape.wingsHash}`)).bytes());
    const picture = readPng(png);
    const whole = readPng(await (await get(`/api/skin/public/cape/${cape.uuid}`)).bytes());
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < 64; x++) {
        const isWing = x >= 22 && x < 46 && y < 22;
        if (isWing) expect(colourAt(picture, x, y)).toEqual(colourAt(whole, x, y));
        else expect(colourAt(picture, x, y)[3]).toBe(0);
      }
    }
  });

  test("has its own digest as tag", async () => {
    const response = await get("/api/skin/elytra/Flyer");
    expect(response.headers.get("etag")).toBe(`"${sha256(await response.bytes())}"`);
  });
});

test.each([
  [plain.uuid, 404],
  [`${plain.id}?type=player`, 404],
  [alice.uuid, 404],
  ["Alice?type=player", 404],
  [bare.uuid, 404],
  [nobody, 404],
  ["nobody", 404],
  ["999", 404],
  [skin, 404],
  ["Flyer?size=7", 400],
  ["Flyer?size=1025", 400],
  ["Flyer?type=front", 400],
  ["no*body", 400],
  ["%ff", 400],
])("GET /api/skin/elytra/%s: %d", async (rest, status) => {
  const response = await get(`/api/skin/elytra/${rest}`);
  expect([response.status, await response.json()]).toEqual([
    status,
    { error: true, msg: expect.any(String), url: null, data: {} },
  ]);
});

test("taking the cape off or deleting it shows at once", async () => {
  const glider = await addMember(harness, "Glider");
  const skin = await addSkin(harness, glider, { file: skinPng(10) });
  const path = "/api/skin/elytra/Glider?type=player&size=20";
  const cape = await grantCape(harness, [glider], capePng(7, { wings: true }));
  const byItself = `/api/skin/elytra/${cape.uuid}`;
  await wearCape(harness, glider, skin, cape);
  expect([(await get(path)).status, (await get(byItself)).status]).toEqual([200, 200]);
  await wearCape(harness, glider, skin, null);
  expect([(await get(path)).status, (await get(byItself)).status]).toEqual([404, 200]);
  await wearCape(harness, glider, skin, cape);
  expect((await get(path)).status).toBe(200);
  await deleteCape(harness.services, commandLine, cape.uuid);
  expect([(await get(path)).status, (await get(byItself)).status]).toEqual([404, 404]);
});
