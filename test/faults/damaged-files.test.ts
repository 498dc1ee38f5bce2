import { expect, test } from "bun:test";
import { mkdir, rm, truncate } from "node:fs/promises";
import { limits } from "../../src/kernel/limits.ts";
import { expectError } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, upload } from "../support/members.ts";
import { bitmapHash, skinBitmap, skinPng, textureFile } from "../support/textures.ts";

/** What can become of a file on a disk, and in hands that should have left it alone. */
const damages: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ["is missing", (path) => rm(path)],
  ["is empty", (path) => Bun.write(path, "")],
  ["is cut in half", async (path) => Bun.write(path, (await Bun.file(path).bytes()).slice(0, 100))],
  ["is another file", (path) => Bun.write(path, skinPng(77))],
  ["is a folder", (path) => rm(path).then(() => mkdir(path))],
  ["is larger than any texture", (path) => truncate(path, limits.storedTextureBytesMax + 1)],
  ["is no picture", (path) => Bun.write(path, "<html>")],
  [
    "has one bit turned",
    async (path) => {
      const bytes = await Bun.file(path).bytes();
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return Bun.write(path, bytes);
    },
  ],
];

const views = [
  ["its file", "public/"],
  ["its wearer's head", "head/"],
] as const;

test.each(damages.flatMap(([damage, harm]) => views.map(([view, path]) => ({ damage, harm, view, path }))))(
  "a texture file that $damage is a fault where $view is asked for, and nowhere else",
  async ({ harm, path }) => {
    await using harness = await openHarness();
    const alice = await addMember(harness, "Alice");
    const bob = await addMember(harness, "Bob");
    const [damaged, whole] = [
      await addSkin(harness, alice, {}),
      await addSkin(harness, bob, { file: skinPng(2) }),
    ];
    const hash = bitmapHash(skinBitmap(1));
    await harm(await textureFile(harness.folder, hash));

    const response = await harness.fetch(`/api/skin/${path}${damaged}`);
    expect(response.status).toBe(500);
    await expectError(response, 500, /^Internal error \(request /);
    const [fault] = harness.takeComplaints();
    expect(fault).toMatchObject({ level: "error" });
    expect(JSON.stringify(fault)).toContain(hash);
    await expectWell(harness, `/api/skin/${path}${whole}`);
    await expectWell(harness, `/api/skin/launcher/${alice.uuid}`);
  },
);

test("a texture file that is missing is back once the same picture is uploaded again", async () => {
  await using harness = await openHarness();
  const alice = await addMember(harness, "Alice");
  const skin = await addSkin(harness, alice, {});
  const hash = bitmapHash(skinBitmap(1));
  const path = await textureFile(harness.folder, hash);
  const before = await Bun.file(path).bytes();
  await rm(path);
  expect((await upload(harness, alice, {})).status).toBe(200);
  await expectWell(harness, `/api/skin/public/${skin}`);
  expect(await Bun.file(await textureFile(harness.folder, hash)).bytes()).toEqual(before);
});

async function expectWell(harness: Harness, path: string): Promise<void> {
  expect((await harness.fetch(path)).status).toBe(200);
  expect(harness.takeComplaints()).toEqual([]);
}
