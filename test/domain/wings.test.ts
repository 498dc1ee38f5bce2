/** A cape's wings, as a texture of their own: from the upload, and from files of earlier releases. */
import { Database } from "bun:sqlite";
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { commandLine } from "../../src/domain/model/actor.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { deleteCape } from "../../src/domain/textures/capes.ts";
import { seekWings } from "../../src/domain/textures/seek-wings.ts";
import type { Cape } from "../../src/domain/model/texture.ts";
import type { CapeId, TextureHash } from "../../src/kernel/ids.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { openCopy } from "../../src/adapters/sqlite/database-copy.ts";
import { createCanvas, type Bitmap } from "../../src/render/bitmap.ts";
import { fill } from "../render/paint.ts";
import { pngOf } from "../render/png-fixtures.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape } from "../support/members.ts";
import { bitmapHash, capePng, skinPng, textureFile } from "../support/textures.ts";
import { isLeftOut } from "../support/storages.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

let seed = 10;
/** A sheet with a cape, wings, and something beside them; each sheet differs from the others. */
function sheet(scale = 1): Bitmap {
  const canvas = createCanvas(64 * scale, 32 * scale);
  fill(canvas, [0, 0, canvas.width, canvas.height], [seed, 1, 1]);
  fill(canvas, [22 * scale, 0, 24 * scale, 22 * scale], [1, seed++, 200]);
  return canvas;
}

/** Where wings lie, by the game's layout. */
function wingsOnly({ width, height, data }: Bitmap): Bitmap {
  const scale = width / 64;
  const kept = data.map((value, i) => {
    const [x, y] = [(i >> 2) % width, Math.floor((i >> 2) / width)];
    return x >= 22 * scale && x < 46 * scale && y < 22 * scale ? value : 0;
  });
  return { width, height, data: kept };
}

const counts = async (world: Harness = harness) => ({
  files: await world.countFiles(),
  rows: world.countRows("textures"),
});
const find = async ({ id }: Cape) =>
  (await harness.services.reads.textures.findCape({ by: "id", value: id }))!;

describe("an uploaded cape", () => {
  test.each([1, 2, 16])("of scale %d keeps its wings as a texture, which is served", async (scale) => {
    const before = await counts();
    const bitmap = sheet(scale);
    const cape = await grantCape(harness, [], pngOf(bitmap));
    expect(cape.wingsHash).toBe(bitmapHash(wingsOnly(bitmap)) as TextureHash);
    expect((await find(cape)).wingsHash).toBe(cape.wingsHash);
    expect(await counts()).toEqual({ files: before.files + 2, rows: before.rows + 2 });
    const served = await harness.fetch(`/textures/${cape.wingsHash}`);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"]);
    await deleteCape(harness.services, commandLine, cape.uuid);
    expect(await counts()).toEqual(before);
    expect((await harness.fetch(`/textures/${cape.wingsHash}`)).status).toBe(404);
  });

  test.each([
    ["without wings", capePng(3)],
    ["in the old crop", capePng(4, { width: 22, height: 17 })],
  ])("%s has one texture", async (_, file) => {
    const before = await counts();
    const cape = await grantCape(harness, [], file);
    expect(cape.wingsHash).toBeNull();
    expect((await counts()).rows).toBe(before.rows + 1);
    await deleteCape(harness.services, commandLine, cape.uuid);
    expect(await counts()).toEqual(before);
  });

  test("of wings alone is its own wings", async () => {
    const before = await counts();
    const cape = await grantCape(harness, [], pngOf(wingsOnly(sheet())));
    expect(cape.wingsHash).toBe(cape.texture.hash);
    expect(await counts()).toEqual({ files: before.files + 1, rows: before.rows + 1 });
    await deleteCape(harness.services, commandLine, cape.uuid);
    expect(await counts()).toEqual(before);
  });

  test("shares its wings with others that have the same", async () => {
    const before = await counts();
    const bitmap = sheet();
    const other = createCanvas(64, 32);
    other.data.set(bitmap.data);
    fill(other, [1, 1, 10, 16], [7, 7, 7]);
    const [one, two] = [
      await grantCape(harness, [], pngOf(bitmap)),
      await grantCape(harness, [], pngOf(other)),
    ];
    expect(two.wingsHash).toBe(one.wingsHash);
    expect((await counts()).rows).toBe(before.rows + 3);
    await deleteCape(harness.services, commandLine, one.uuid);
    expect((await harness.fetch(`/textures/${two.wingsHash}`)).status).toBe(200);
    await deleteCape(harness.services, commandLine, two.uuid);
    expect(await counts()).toEqual(before);
  });

  test("is what its wearers show", async () => {
    const anna = await addMember(harness, "Anna");
    const skin = await addSkin(harness, anna, { file: skinPng(1) });
    const cape = await grantCape(harness, [anna], pngOf(sheet()));
    await wearCape(harness, anna, skin, cape);
    const shown = await harness.services.reads.textures.findAppearance({ by: "name", value: "anna" });
    expect(shown?.cape?.wings).toMatchObject({ hash: cape.wingsHash!, width: 64, height: 32 });
  });
});

describe("a ban", () => {
  test("of the wings is refused while a cape has them", async () => {
    const cape = await grantCape(harness, [], pngOf(sheet()));
    const ban = banTexture(harness.services, commandLine, { hash: cape.wingsHash!, reason: "" });
    expect(await ban.catch(String)).toContain("cape");
    expect((await harness.fetch(`/textures/${cape.wingsHash}`)).status).toBe(200);
  });

  test("of wings refuses every cape that has them, and leaves nothing behind", async () => {
    const before = await counts();
    const bitmap = sheet();
    const hash = bitmapHash(wingsOnly(bitmap)) as TextureHash;
    await banTexture(harness.services, commandLine, { hash, reason: "" });
    expect(await grantCape(harness, [], pngOf(bitmap)).catch(String)).toContain("banned");
    expect(await counts()).toEqual(before);
  });
});

/** Makes the capes what an earlier release has left: their wings are in their own files alone. */
async function forgetWings(world: Harness): Promise<void> {
  world.database.change("UPDATE capes SET wings_hash = NULL, wings_sought = FALSE");
  // Reads of one turn of the event loop share a snapshot.
  await yieldToEventLoop();
}

const fileOf = (world: Harness, hash: string) => textureFile(world.folder, hash);

describe("capes of an earlier release", () => {
  test("are searched a few at a time, each once", async () => {
    await using world = await openHarness();
    const capes: Cape[] = [];
    for (let i = 0; i < 13; i++)
      capes.push(await grantCape(world, [], i % 2 === 0 ? pngOf(sheet(i === 4 ? 8 : 1)) : capePng(50 + i)));
    await forgetWings(world);
    const runs = [];
    for (let after: CapeId | null = null; ;) {
      const run = await seekWings(world.services, after);
      runs.push(run.searched);
      if (run.last === null) break;
      after = run.last;
    }
    expect(runs).toEqual([10, 3, 0]);
    for (const { id, wingsHash } of capes) {
      const found = await world.services.reads.textures.findCape({ by: "id", value: id });
      expect(found?.wingsHash).toBe(wingsHash);
      if (wingsHash !== null) expect((await world.fetch(`/textures/${wingsHash}`)).status).toBe(200);
    }
    expect(await seekWings(world.services, null)).toMatchObject({ searched: 0, unreadable: [] });
  });

  test("whose file is lost or damaged are reported once, and the others searched", async () => {
    await using world = await openHarness({ on: { files: "files" } });
    const capes = [];
    for (let i = 0; i < 4; i++) capes.push(await grantCape(world, [], pngOf(sheet())));
    await forgetWings(world);
    await rm(await fileOf(world, capes[0]!.texture.hash));
    await Bun.write(await fileOf(world, capes[2]!.texture.hash), "damaged");
    const job = startHousekeeping({ ...world.services, log: world.log });
    const wingsOf = async (cape: Cape) =>
      (await world.services.reads.textures.findCape({ by: "id", value: cape.id }))?.wingsHash;
    while ((await wingsOf(capes[3]!)) === null) await Bun.sleep(20);
    await job[Symbol.asyncDispose]();
    expect(await Promise.all(capes.map(wingsOf))).toEqual([
      null,
      capes[1]!.wingsHash,
      null,
      capes[3]!.wingsHash,
    ]);
    const told = world.takeComplaints();
    expect(told.map(({ cape }) => cape)).toEqual([capes[0]!.uuid, capes[2]!.uuid]);
  });

  test("have no wings where their bitmap is banned", async () => {
    await using world = await openHarness();
    const bitmap = sheet();
    const hash = bitmapHash(wingsOnly(bitmap)) as TextureHash;
    const cape = await grantCape(world, [], pngOf(bitmap));
    await forgetWings(world);
    await banTexture(world.services, commandLine, { hash, reason: "" });
    expect(await seekWings(world.services, null)).toMatchObject({ searched: 1 });
    const found = await world.services.reads.textures.findCape({ by: "id", value: cape.id });
    expect(found?.wingsHash).toBeNull();
    expect((await seekWings(world.services, null)).last).toBeNull();
  });
});

test.skipIf(isLeftOut("sqlite", "the copy is a file of SQLite"))(
  "a copy of the database that forgets the wings keeps the cape, to be searched again",
  async () => {
    await using world = await openHarness();
    const cape = await grantCape(world, [], pngOf(sheet()));
    const path = join(world.folder, "copy.db");
    using live = new Database(join(world.folder, "cloakroom.db"));
    live.query("VACUUM INTO ?").run(path);
    {
      using copy = openCopy(path);
      expect(copy.countUses(cape.wingsHash!)).toBe(1);
      copy.forgetTexture(cape.wingsHash!);
      expect([copy.countUses(cape.wingsHash!), copy.countUses(cape.texture.hash)]).toEqual([0, 1]);
    }
    using copied = new Database(path);
    expect(copied.query("SELECT wings_hash, wings_sought FROM capes").all()).toEqual([
      { wings_hash: null, wings_sought: 0 },
    ]);
  },
);
