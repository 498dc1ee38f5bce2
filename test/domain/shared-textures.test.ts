/**
 * Uploads and deletions of one bitmap at once, in two processes' worth of handles: never a row without its
 * file.
 */
import { afterAll, expect, test } from "bun:test";
import { compose, type Ports } from "../../src/boot/compose.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { addCape, deleteCape } from "../../src/domain/textures/capes.ts";
import { deleteSkin, uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import type { Cape, Skin } from "../../src/domain/model/texture.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, playerOf } from "../support/members.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
const other = await compose(harness.config);
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

/** What other tests have left counts as well. */
const kept = async () => ({ files: await harness.countFiles(), textures: harness.countRows("textures") });

test.each([
  ["one process", harness.services],
  ["two processes", other],
])("uploads and deletions cross in %s, and every skin keeps its file", async (where, second) => {
  const before = await kept();
  const file = skinPng(where.length);
  const [alice, bob] = await Promise.all(
    ["alice", "bob"].map((name) => addMember(harness, name + where.length)),
  );
  const [one, two] = [await playerOf(harness, alice!), await playerOf(harness, bob!)];
  const upload = (services: Ports, player: typeof one) =>
    uploadSkin(services, commandLine, player, { file, model: null, name: null, select: false });
  let mine = await upload(harness.services, one);
  for (let round = 0; round < 10; round++) {
    const [theirs] = await Promise.all([
      upload(second, two),
      deleteSkin(harness.services, commandLine, one, mine.uuid),
    ]);
    await expectFile(theirs);
    [mine] = await Promise.all([
      upload(harness.services, one),
      deleteSkin(second, commandLine, two, theirs.uuid),
    ]);
    await expectFile(mine);
  }
  await deleteSkin(second, commandLine, one, mine.uuid);
  expect(await kept()).toEqual(before);
});

test("many uploads of one bitmap at once are one file and one row", async () => {
  const before = await kept();
  const members = await Promise.all(Array.from({ length: 6 }, (_, i) => addMember(harness, `many${i}`)));
  const file = skinPng(70);
  const skins = await Promise.all(
    members.map(async (member, i) =>
      uploadSkin(i % 2 ? other : harness.services, commandLine, await playerOf(harness, member), {
        file,
        model: null,
        name: null,
        select: false,
      }),
    ),
  );
  expect(new Set(skins.map(({ texture }) => texture.hash)).size).toBe(1);
  expect(await kept()).toEqual({ files: before.files + 1, textures: before.textures + 1 });
  for (const member of members) await deleteAccount(harness.services, commandLine, member.name);
  expect(await kept()).toEqual(before);
});

test.each([
  ["one process", harness.services],
  ["two processes", other],
])("capes of one bitmap come and go at once in %s, and every cape keeps its file", async (where, second) => {
  const before = await kept();
  const file = capePng(where.length);
  const input = { file, name: "Founders", owners: [], expiresAt: null };
  const add = async (services: Ports) => (await addCape(services, commandLine, input)).cape;
  let mine = await add(harness.services);
  for (let round = 0; round < 10; round++) {
    const [theirs] = await Promise.all([add(second), deleteCape(harness.services, commandLine, mine.uuid)]);
    await expectFile(theirs);
    [mine] = await Promise.all([add(harness.services), deleteCape(second, commandLine, theirs.uuid)]);
    await expectFile(mine);
  }
  await deleteCape(second, commandLine, mine.uuid);
  expect(await kept()).toEqual(before);
});

test("a skin keeps the file of a cape that is deleted, and a cape that of a skin", async () => {
  const before = await kept();
  const player = await playerOf(harness, await addMember(harness, "twice"));
  const file = capePng(99);
  const { services } = harness;
  const addBoth = async () => {
    const skin = await uploadSkin(services, commandLine, player, {
      file,
      model: null,
      name: null,
      select: false,
    });
    const owned = await addCape(services, commandLine, { file, name: "Both", owners: [], expiresAt: null });
    expect(owned.cape.texture).toEqual(skin.texture);
    return { skin, cape: owned.cape };
  };
  const first = await addBoth();
  await deleteCape(services, commandLine, first.cape.uuid);
  await expectFile(first.skin);
  await deleteSkin(services, commandLine, player, first.skin.uuid);
  expect(await kept()).toEqual(before);
  const second = await addBoth();
  await deleteSkin(services, commandLine, player, second.skin.uuid);
  await expectFile(second.cape);
});

async function expectFile({ texture }: Skin | Cape): Promise<void> {
  expect(await harness.services.reads.textures.findTexture(texture.hash)).not.toBeNull();
  expect(await harness.services.blobs.read(texture.file)).not.toBeNull();
}
