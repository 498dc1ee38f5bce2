import { expect, test } from "bun:test";
import { createTextureImporter } from "../../src/adapters/texture-threads/texture-importer.ts";
import { openThreadPool } from "../../src/adapters/texture-threads/thread-pool.ts";
import { importCape, importSkin } from "../../src/domain/textures/import.ts";
import { capePng, skinPng } from "../support/textures.ts";

const rules = { skinWidthMax: 1024, bytesMax: 1024 * 1024 };
const standIn = new URL("./faulty-worker.ts", import.meta.url);

/** A clock that stands still. */
const now = () => 0;

/** A PNG whose image data is not what its header promises, with every CRC right. */
function withoutItsRows(width: number): Uint8Array {
  const whole = skinPng(1, { width });
  const small = skinPng(1, { width: 64 });
  const header = whole.subarray(0, 33);
  return Uint8Array.from([...header, ...small.subarray(33)]);
}

test.each([64, 128, 256, 1024])("imports a skin of %d pixels as anywhere else", async (width) => {
  await using pool = openThreadPool("imports");
  const importer = createTextureImporter(pool, rules);
  const file = skinPng(7, { width });
  expect(await importer.skin(file, null, "me")).toEqual(await importSkin(file, null, rules));
  expect(await importer.skin(file, "slim", "me")).toMatchObject({
    model: "slim",
    texture: { width, height: width },
  });
});

test.each([
  [64, 32],
  [22, 17],
  [512, 256],
  [220, 170],
])("imports a cape of %dx%d pixels as anywhere else", async (width, height) => {
  await using pool = openThreadPool("imports");
  const file = capePng(7, { width, height });
  expect(await createTextureImporter(pool, rules).cape(file, "me")).toEqual(await importCape(file, rules));
});

test.each([
  ["a small skin", "on the spot", skinPng(1, { width: 128 })],
  ["a large skin", "in a thread", skinPng(1, { width: 192 })],
])("imports %s %s", async (_, place, file) => {
  await using pool = openThreadPool("imports", { entry: standIn });
  const takenByStandIn =
    (await createTextureImporter(pool, rules).skin(file, null, "me")) instanceof Uint8Array;
  expect(takenByStandIn).toBe(place === "in a thread");
});

test.each([
  ["small", "less than its header promises", withoutItsRows(128)],
  ["large", "less than its header promises", withoutItsRows(256)],
  ["large", "a shape that no skin has", skinPng(1, { width: 256, height: 255 })],
])("refuses a %s skin with %s, and takes the next", async (_size, _fault, file) => {
  await using pool = openThreadPool("imports");
  const importer = createTextureImporter(pool, rules);
  const expected = await importSkin(file, null, rules).catch((error: unknown) => error);
  expect(expected).toMatchObject({ name: "AppError", kind: "invalid" });
  expect(await importer.skin(file, null, "me").catch((error: unknown) => error)).toEqual(expected);
  expect(await importer.skin(skinPng(2, { width: 256 }), null, "me")).toMatchObject({
    texture: { width: 256 },
  });
});

test.each([64, 512])("refuses slim arms on a legacy skin of %d pixels with the field", async (width) => {
  await using pool = openThreadPool("imports");
  const file = skinPng(1, { width, height: width / 2 });
  const refused = createTextureImporter(pool, rules).skin(file, "slim", "me");
  expect(await refused.catch((error: unknown) => error)).toMatchObject({
    kind: "invalid",
    field: "model",
    message: "model: a 64x32 skin has no slim arms; send a 64x64 one",
  });
});

test.each([
  ["too many bytes", "too_large", new Uint8Array(rules.bytesMax + 1)],
  ["no PNG", "invalid", new Uint8Array(100)],
  ["too many pixels", "invalid", skinPng(1, { width: 1088, height: 64 })],
  ["a wrong CRC", "invalid", skinPng(1, { width: 256 }).with(100, 99).with(101, 98)],
] as const)("refuses what has %s before it waits for anything", async (_, kind, file) => {
  await using pool = openThreadPool("imports", { entry: standIn, threads: 1, waitingMax: 0 });
  const importer = createTextureImporter(pool, rules);
  expect(importer.skin(file, null, "me")).rejects.toMatchObject({ name: "AppError", kind });
  expect(importer.cape(file, "me")).rejects.toMatchObject({ name: "AppError", kind });
});

test("refuses what more come than may wait, and keeps the others", async () => {
  await using pool = openThreadPool("imports", { entry: standIn });
  const importer = createTextureImporter(pool, rules);
  const file = skinPng(1, { width: 192 });
  const taken = await Promise.allSettled(Array.from({ length: 40 }, () => importer.skin(file, null, "me")));
  const refused = taken.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(40 - 33);
  expect(refused[0]).toMatchObject({ reason: { name: "AppError", kind: "limited" } });
});

test.each([
  ["small", 64],
  ["large", 192],
])("takes %s textures in turn from their clients", async (_, width) => {
  await using pool = openThreadPool("imports", { entry: standIn, now });
  const importer = createTextureImporter(pool, rules, now);
  const done: string[] = [];
  const send = (who: string) =>
    importer.skin(skinPng(1, { width }), null, who).then(() => void done.push(who));
  await Promise.all([...Array.from({ length: 20 }, () => send("many")), send("late")]);
  // Four small ones are under way when it comes, and four more may overtake it on their last steps.
  expect(done.indexOf("late")).toBeLessThan(9);
});
