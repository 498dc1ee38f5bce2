/** What the sweep removes and leaves, and uploads of a bitmap whose last row is deleted meanwhile. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compose } from "../../src/boot/compose.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import { banTexture, finishBans } from "../../src/domain/textures/ban-texture.ts";
import { deleteSkin, uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { sweepTextures } from "../../src/domain/textures/files.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { parseTextureFile, parseTextureHash, type TextureHash } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, playerOf } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
const other = await compose(harness.config);
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});
const { services } = harness;
const player = await playerOf(harness, await addMember(harness, "Alice"));
const pathOf = (hash: TextureHash) => join(harness.folder, "textures", hash.slice(0, 2), `${hash}.png`);

let count = 100;
const input = () => ({ file: skinPng(count++), model: null, name: null, select: false });
const sweep = (hash: TextureHash) => sweepTextures({ ...services, clock: machine }, hash.slice(0, 2));
/** Files have the machine's time, and so has this. */
const machine = { ...services.clock, nowSeconds: () => Date.now() / 1000 };

function someHash(digits: string): TextureHash {
  return parseTextureHash(digits + crypto.randomUUID().replaceAll("-", "").padEnd(62, "0"))!;
}

async function plantFile(hash: TextureHash, minutesOld: number): Promise<void> {
  await mkdir(dirname(pathOf(hash)), { recursive: true });
  await Bun.write(pathOf(hash), "left behind");
  const then = new Date(Date.now() - minutesOld * 60_000);
  await utimes(pathOf(hash), then, then);
}

const plantRow = (hash: TextureHash) =>
  services.transact(system, ({ textures, now }) =>
    textures.insertTexture({
      hash,
      file: parseTextureFile(hash)!,
      digest: "0".repeat(64),
      width: 64,
      height: 64,
      createdAt: now,
    }),
  );

describe("the sweep", () => {
  test("removes files without a row once they are older than an hour, of its part alone", async () => {
    const [old, young, elsewhere] = [someHash("0a"), someHash("0a"), someHash("0b")];
    await plantFile(old, 61);
    await plantFile(young, 59);
    await plantFile(elsewhere, 61);
    expect(await sweep(old)).toBe(1);
    const there = [old, young, elsewhere].map((hash) => services.blobs.has(hash));
    expect(await Promise.all(there)).toEqual([false, true, true]);
    expect(await sweep(old)).toBe(0);
  });

  test("removes rows that nothing refers to, with their files", async () => {
    const [withFile, without] = [someHash("0c"), someHash("0c")];
    await plantFile(withFile, 1);
    for (const hash of [withFile, without]) await plantRow(hash);
    expect(await sweep(withFile)).toBe(2);
    expect(await services.reads.textures.findTexture(withFile)).toBeNull();
    expect(await services.reads.textures.findTexture(without)).toBeNull();
    expect(await services.blobs.has(withFile)).toBe(false);
  });

  test("leaves what a wardrobe holds, however old", async () => {
    const { texture } = await uploadSkin(services, commandLine, player, input());
    await utimes(pathOf(texture.hash), 1, 1);
    expect(await sweep(texture.hash)).toBe(0);
    expect(await services.blobs.has(texture.hash)).toBe(true);
  });

  test("leaves what an upload holds", async () => {
    const hash = someHash("0d");
    await plantFile(hash, 61);
    await using staged = await services.blobs.stage(new Uint8Array(1));
    await staged.hold(hash);
    await sweep(hash);
    expect(await services.blobs.has(hash)).toBe(true);
  });
});

describe("what a killed process left in staging/", () => {
  const staging = join(harness.folder, "textures", "staging");
  const plant = async (name: string, minutesOld: number) => {
    const then = new Date(Date.now() - minutesOld * 60_000);
    await Bun.write(join(staging, name), "");
    await utimes(join(staging, name), then, then);
  };

  test("goes with the sweep once it is older than an hour, so that its mark holds no file for good", async () => {
    const hash = someHash("0e");
    await plantFile(hash, 61);
    await plant(`${hash}.4711.held`, 61);
    await plant("half-a-file", 61);
    await plant("of-a-running-upload", 59);
    expect(await sweep(hash)).toBe(1);
    expect(await services.blobs.has(hash)).toBe(false);
    expect(await readdir(staging)).toEqual(["of-a-running-upload"]);
    await rm(join(staging, "of-a-running-upload"));
  });

  test("comes back with the sweep when it was a file being deleted that a row names", async () => {
    const { texture } = await uploadSkin(services, commandLine, player, input());
    const { hash } = texture;
    await rename(pathOf(hash), join(staging, `${hash}.4711.leaving`));
    await sweep(hash);
    expect(await services.blobs.has(hash)).toBe(true);
    expect(await readdir(staging)).toEqual([]);
  });
});

test("an upload stands whose mark cannot be removed", async () => {
  const staging = join(harness.folder, "textures", "staging");
  let mark = "";
  const transact: typeof services.transact = async (actor, work) => {
    const result = await services.transact(actor, work);
    const held = (await readdir(staging)).find((name) => name.endsWith(".held"));
    // A folder is not removed like a file.
    if (held !== undefined && mark === "") {
      mark = join(staging, held);
      await rm(mark);
      await mkdir(mark);
    }
    return result;
  };
  const { texture } = await uploadSkin({ ...services, transact }, commandLine, player, input());
  expect(mark).not.toBe("");
  await rm(mark, { recursive: true });
  expect(await services.blobs.has(texture.hash)).toBe(true);
});

/** Blobs whose `delete` fails. */
const stuck: BlobStore = { ...services.blobs, delete: () => Promise.reject(new Error("the disk is away")) };

test("a deletion whose file cannot be removed stands, and the sweep removes the file", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  await deleteSkin({ ...services, blobs: stuck }, commandLine, player, uuid);
  expect(await services.reads.textures.findTexture(texture.hash)).toBeNull();
  await utimes(pathOf(texture.hash), 1, 1);
  expect(await sweep(texture.hash)).toBe(1);
  expect(await services.blobs.has(texture.hash)).toBe(false);
});

test("a ban stands whose purge is interrupted, and housekeeping finishes it", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  const { hash } = texture;
  let transactions = 0;
  const transact: typeof services.transact = (actor, work) => {
    transactions += 1;
    if (transactions > 1) throw new AppError("limited", "Too many changes at once; try again in a moment");
    return services.transact(actor, work);
  };
  const { skins } = await banTexture({ ...services, transact }, commandLine, { hash, reason: "" });
  expect(skins).toBe(1);
  expect(await services.reads.textures.findSkin(uuid)).not.toBeNull();
  await finishBans(services);
  expect(await services.reads.textures.findSkin(uuid)).toBeNull();
  expect(await services.blobs.has(hash)).toBe(false);
});

test("the sweep reports a file that it cannot remove", async () => {
  const hash = someHash("0f");
  await plantFile(hash, 61);
  const swept = sweepTextures({ ...services, blobs: stuck, clock: machine }, "0f");
  expect(await swept.catch(String)).toBe("Error: the disk is away");
  await sweep(hash);
});

test("a file stays when only a reader of old rows does not know its row", async () => {
  const { texture } = await uploadSkin(services, commandLine, player, input());
  const reads = {
    ...services.reads,
    textures: { ...services.reads.textures, findTexture: () => Promise.resolve(null) },
  };
  await utimes(pathOf(texture.hash), 1, 1);
  await sweepTextures({ ...services, reads, clock: machine }, texture.hash.slice(0, 2));
  expect(await services.blobs.has(texture.hash)).toBe(true);
});

/** Blobs whose `publish` is followed by something that happens before the upload's transaction. */
function publishing(then: () => Promise<unknown>): BlobStore {
  const { blobs } = services;
  return {
    ...blobs,
    stage: async (bytes) => {
      const staged = await blobs.stage(bytes);
      return {
        ...staged,
        publish: async (hash) => {
          await staged.publish(hash);
          await then();
        },
      };
    },
  };
}

describe.each([
  ["in one process", services],
  ["in two processes", other],
])("an upload of a bitmap %s", (_, second) => {
  test("keeps its file when the bitmap's last skin is deleted before it commits", async () => {
    const given = input();
    const first = await uploadSkin(services, commandLine, player, given);
    const blobs = publishing(() => deleteSkin(second, commandLine, player, first.uuid));
    const { texture } = await uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(texture.hash).toBe(first.texture.hash);
    expect(await services.reads.textures.findTexture(texture.hash)).not.toBeNull();
    expect(await services.blobs.has(texture.hash)).toBe(true);
  });

  test("keeps its file when the sweep comes by before it commits", async () => {
    let swept = 0;
    const blobs = publishing(async () => {
      await utimes(pathOf(hash), 1, 1);
      swept += await sweepTextures({ ...second, clock: machine }, hash.slice(0, 2));
    });
    const given = input();
    const { hash } = (await services.importer.skin(given.file, null, "")).texture;
    await uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(swept).toBeLessThanOrEqual(1);
    expect(await services.blobs.has(hash)).toBe(true);
  });

  test("leaves neither row nor file when it is banned before it commits", async () => {
    const given = input();
    const { hash } = (await services.importer.skin(given.file, null, "")).texture;
    const blobs = publishing(() => banTexture(second, commandLine, { hash, reason: "" }));
    const refused = uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(await refused.catch(String)).toContain("this picture is banned here");
    expect(await services.reads.textures.findTexture(hash)).toBeNull();
    expect(await services.blobs.has(hash)).toBe(false);
  });
});

test("what an earlier release stored as other bytes stays as its row says", async () => {
  const given = input();
  const { hash, digest } = (await services.importer.skin(given.file, null, "")).texture;
  await plantFile(hash, 61);
  await plantRow(hash);
  await uploadSkin(services, commandLine, player, given);
  expect(digest).not.toBe("0".repeat(64));
  expect((await services.reads.textures.findTexture(hash))?.digest).toBe("0".repeat(64));
  expect(await Bun.file(pathOf(hash)).text()).toBe("left behind");
});

test("a file goes only once the disk has what removed its row", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  const events: string[] = [];
  const blobs: BlobStore = {
    ...services.blobs,
    delete: async (hash, isNeeded) => {
      await services.blobs.delete(hash, async () => {
        const needed = await isNeeded?.();
        events.push(`needed: ${needed}`);
        return needed ?? false;
      });
    },
  };
  const transact: typeof services.transact = async (actor, work) => {
    const result = await services.transact(actor, work);
    events.push(`kept, by ${actor.name}`);
    return result;
  };
  await deleteSkin({ ...services, blobs, transact }, commandLine, player, uuid);
  expect(events).toEqual(["kept, by cli", "kept, by system", "needed: false"]);
  expect(await services.blobs.has(texture.hash)).toBe(false);
});

test("a deletion that met a held file leaves it to the upload that holds it", async () => {
  const given = input();
  const { hash } = (await services.importer.skin(given.file, null, "")).texture;
  const taken = services.transact.bind(services);
  // The skin is gone again before the upload lets go of its file.
  const transact: typeof services.transact = async (actor, work) => {
    const result = await taken(actor, work);
    const [skin] = (await services.reads.textures.listSkins(player.accountId)).toReversed();
    if (skin?.texture.hash === hash) await deleteSkin(services, commandLine, player, skin.uuid);
    return result;
  };
  await uploadSkin({ ...services, transact }, commandLine, player, given);
  expect(await services.reads.textures.findTexture(hash)).toBeNull();
  expect(await services.blobs.has(hash)).toBe(false);
});
