/** What the sweep removes and leaves, and uploads of a bitmap whose last row is deleted meanwhile. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compose } from "../../src/boot/compose.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import { banTexture, finishBans } from "../../src/domain/textures/ban-texture.ts";
import { deleteDropped, sweepFiles, sweepRows } from "../../src/domain/textures/sweep.ts";
import { deleteSkin, uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import {
  newTextureFile,
  parseTextureFile,
  parseTextureHash,
  type TextureFile,
  type TextureHash,
} from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, playerOf } from "../support/members.ts";
import { skinPng, textureFile, textureFiles } from "../support/textures.ts";

const harness = await openHarness({ on: { files: "files" } });
const other = await compose(harness.config);
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});
const { services } = harness;
const player = await playerOf(harness, await addMember(harness, "Alice"));
const pathOf = (file: TextureFile) => join(harness.folder, "textures", file.slice(0, 2), `${file}.png`);
const isThere = (file: TextureFile) => Bun.file(pathOf(file)).exists();
const filesOf = (hash: TextureHash) => textureFiles(harness.folder, hash);
const find = (hash: TextureHash) => services.reads.textures.findTexture(hash);

let count = 100;
const input = () => ({ file: skinPng(count++), model: null, name: null, select: false });
/** Files have the machine's time, and so has this. */
const machine = { ...services.clock, nowSeconds: () => Date.now() / 1000 };

/** All files, and the rows of the part. */
async function sweep(hash: TextureHash, deps: typeof services = services): Promise<number> {
  const now = { ...deps, clock: machine };
  let removed = await sweepRows(now, hash.slice(0, 2));
  for (let after: string | null | undefined; after !== null;) {
    const step = await sweepFiles(now, after ?? null);
    removed += step.removed;
    after = step.next;
  }
  return removed;
}

function someHash(digits: string): TextureHash {
  return parseTextureHash(digits + crypto.randomUUID().replaceAll("-", "").padEnd(62, "0"))!;
}

async function plantFile(file: TextureFile, minutesOld: number): Promise<void> {
  await mkdir(dirname(pathOf(file)), { recursive: true });
  await Bun.write(pathOf(file), "left behind");
  const then = new Date(Date.now() - minutesOld * 60_000);
  await utimes(pathOf(file), then, then);
}

const plantRow = (hash: TextureHash, file = newTextureFile(hash)) =>
  services.transact(system, ({ textures, now }) =>
    textures.insertTexture({ hash, file, digest: "0".repeat(64), width: 64, height: 64, createdAt: now }),
  );

describe("the sweep", () => {
  test("removes files without a row once they are older than an hour", async () => {
    const hash = someHash("0a");
    const [old, early, young, elsewhere] = [
      newTextureFile(hash),
      parseTextureFile(hash)!,
      newTextureFile(hash),
      newTextureFile(someHash("0b")),
    ];
    for (const file of [old, early, elsewhere]) await plantFile(file, 61);
    await plantFile(young, 59);
    expect(await sweep(hash)).toBe(3);
    const there = [old, early, young, elsewhere].map(isThere);
    expect(await Promise.all(there)).toEqual([false, false, true, false]);
    expect(await sweep(hash)).toBe(0);
    await rm(pathOf(young));
  });

  test("removes an old file beside another one that the bitmap's row names", async () => {
    const { texture } = await uploadSkin(services, commandLine, player, input());
    const old = newTextureFile(texture.hash);
    await plantFile(old, 61);
    await utimes(pathOf(texture.file), 1, 1);
    expect(await sweep(texture.hash)).toBe(1);
    expect(await Promise.all([old, texture.file].map(isThere))).toEqual([false, true]);
  });

  test("removes what a killed upload left half-written", async () => {
    const file = newTextureFile(someHash("0d"));
    await plantFile(file, 61);
    const half = join(harness.folder, "textures", "staging", `${file}.png`);
    await rename(pathOf(file), half);
    expect(await sweep(someHash("00"))).toBe(1);
    expect(await Bun.file(half).exists()).toBe(false);
  });

  test("removes rows that nothing refers to, with their files", async () => {
    const [withFile, without] = [someHash("0c"), someHash("0c")];
    const file = newTextureFile(withFile);
    await plantFile(file, 1);
    await plantRow(withFile, file);
    await plantRow(without);
    expect(await sweep(withFile)).toBe(2);
    expect(await find(withFile)).toBeNull();
    expect(await find(without)).toBeNull();
    expect(await isThere(file)).toBe(false);
  });

  test("leaves what a wardrobe holds, however old", async () => {
    const { texture } = await uploadSkin(services, commandLine, player, input());
    await utimes(pathOf(texture.file), 1, 1);
    expect(await sweep(texture.hash)).toBe(0);
    expect(await isThere(texture.file)).toBe(true);
  });

  test("reports a file that it cannot remove", async () => {
    const file = newTextureFile(someHash("0f"));
    await plantFile(file, 61);
    const swept = sweepFiles({ ...services, blobs: stuck, clock: machine }, null);
    expect(await swept.catch(String)).toBe("Error: the disk is away");
    await rm(pathOf(file));
  });
});

/** Blobs whose `delete` fails. */
const stuck: BlobStore = { ...services.blobs, delete: () => Promise.reject(new Error("the disk is away")) };

test("a deletion whose file cannot be removed stands, and the sweep removes the file", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  await deleteSkin({ ...services, blobs: stuck }, commandLine, player, uuid);
  expect(await find(texture.hash)).toBeNull();
  await utimes(pathOf(texture.file), 1, 1);
  expect(await sweep(texture.hash)).toBe(1);
  expect(await isThere(texture.file)).toBe(false);
});

describe("on a store where files stay for an hour", () => {
  /** As a bucket does, on this folder. */
  const lingering = { ...services, blobs: { ...services.blobs, lingerSeconds: 3600 } };

  test("a deleted texture's file goes an hour later", async () => {
    const { uuid, texture } = await uploadSkin(lingering, commandLine, player, input());
    await deleteSkin(lingering, commandLine, player, uuid);
    expect(await find(texture.hash)).toBeNull();
    harness.clock.advance(3599);
    expect(await deleteDropped(lingering)).toBe(0);
    expect(await isThere(texture.file)).toBe(true);
    harness.clock.advance(1);
    expect(await deleteDropped(lingering)).toBe(1);
    expect(await isThere(texture.file)).toBe(false);
    expect(await deleteDropped(lingering)).toBe(0);
    expect(harness.countRows("dropped_files")).toBe(0);
  });

  test("the same bitmap comes back under another name, which stays", async () => {
    const given = input();
    const first = await uploadSkin(lingering, commandLine, player, given);
    await deleteSkin(lingering, commandLine, player, first.uuid);
    const second = await uploadSkin(lingering, commandLine, player, given);
    expect(second.texture.hash).toBe(first.texture.hash);
    harness.clock.advance(3600);
    expect(await deleteDropped(lingering)).toBe(1);
    expect(await filesOf(first.texture.hash)).toEqual([pathOf(second.texture.file)]);
  });

  test("a row of the sweep leaves its file for an hour, too", async () => {
    const hash = someHash("1c");
    const file = newTextureFile(hash);
    await plantFile(file, 1);
    await plantRow(hash, file);
    expect(await sweepRows(lingering, "1c")).toBe(1);
    expect(await isThere(file)).toBe(true);
    harness.clock.advance(3600);
    expect(await deleteDropped(lingering)).toBe(1);
    expect(await isThere(file)).toBe(false);
  });

  test("a file that cannot be deleted is tried again", async () => {
    const { uuid, texture } = await uploadSkin(lingering, commandLine, player, input());
    await deleteSkin(lingering, commandLine, player, uuid);
    harness.clock.advance(3600);
    const blobs = { ...stuck, lingerSeconds: 3600 };
    expect(await deleteDropped({ ...services, blobs }).catch(String)).toBe("Error: the disk is away");
    expect(await deleteDropped(lingering)).toBe(1);
    expect(await isThere(texture.file)).toBe(false);
  });

  test("a name that a row has is never deleted", async () => {
    const { texture } = await uploadSkin(lingering, commandLine, player, input());
    await services.transact(system, ({ textures }) => textures.insertDroppedFiles([texture.file], 0));
    expect(await deleteDropped(lingering)).toBe(1);
    expect(await isThere(texture.file)).toBe(true);
  });
});

test("a ban stands whose purge is interrupted, and housekeeping finishes it", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  const { hash } = texture;
  let transactions = 0;
  const transact: typeof services.transact = (actor, work) => {
    transactions += 1;
    if (transactions > 1) throw new PlainError("limited", "Too many changes at once; try again in a moment");
    return services.transact(actor, work);
  };
  const { skins } = await banTexture({ ...services, transact }, commandLine, { hash, reason: "" });
  expect(skins).toBe(1);
  expect(await services.reads.textures.findSkin(uuid)).not.toBeNull();
  await finishBans(services);
  expect(await services.reads.textures.findSkin(uuid)).toBeNull();
  expect(await filesOf(hash)).toEqual([]);
});

/** Blobs whose `put` is followed by something that happens before the upload's transaction. */
function putting(then: (file: TextureFile) => Promise<unknown>): BlobStore {
  const { blobs } = services;
  return {
    ...blobs,
    put: async (hash, bytes) => {
      const file = await blobs.put(hash, bytes);
      await then(file);
      return file;
    },
  };
}

/** Blobs whose `read`, with which an upload looks at a file that is there, is followed by something. */
function reading(then: () => Promise<unknown>): BlobStore {
  const { blobs } = services;
  return {
    ...blobs,
    read: async (file) => {
      const bytes = await blobs.read(file);
      await then();
      return bytes;
    },
  };
}

/** Runs once. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | null = null;
  return () => (done ??= work());
}

describe.each([
  ["in one process", services],
  ["in two processes", other],
])("an upload of a bitmap %s", (_, second) => {
  test("stores it again when its last skin is deleted before it commits", async () => {
    const given = input();
    const first = await uploadSkin(services, commandLine, player, given);
    const blobs = reading(once(() => deleteSkin(second, commandLine, player, first.uuid)));
    const { texture } = await uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(texture.hash).toBe(first.texture.hash);
    expect(texture.file).not.toBe(first.texture.file);
    expect(await find(texture.hash)).toEqual(texture);
    expect(await filesOf(texture.hash)).toEqual([pathOf(texture.file)]);
  });

  test("gives up when that happens again and again, and leaves nothing", async () => {
    const given = input();
    const { hash } = (await services.importer.skin(given.file, null, "")).texture;
    let transactions = 0;
    const transact: typeof services.transact = async (actor, work) => {
      // The row that the upload found is gone when its transaction begins.
      const found = await find(hash);
      const [skin] = (await services.reads.textures.listSkins(player.accountId)).toReversed();
      if (found !== null && skin?.texture.hash === hash)
        await deleteSkin(second, commandLine, player, skin.uuid);
      transactions += 1;
      return services.transact(actor, work);
    };
    const reads = {
      ...services.reads,
      textures: {
        ...services.reads.textures,
        findTexture: async (one: TextureHash) => {
          if (one === hash) await uploadSkin(second, commandLine, player, given);
          return services.reads.textures.findTexture(one);
        },
      },
    };
    const refused = uploadSkin({ ...services, reads, transact }, commandLine, player, given);
    expect(await refused.catch(String)).toContain("is being deleted again and again");
    expect(transactions).toBe(3);
    expect(await filesOf(hash)).toEqual([]);
  });

  test("keeps its file when the sweep comes by before it commits", async () => {
    const blobs = putting(() => sweep(someHash("00"), second));
    const { texture } = await uploadSkin({ ...services, blobs }, commandLine, player, input());
    expect(await isThere(texture.file)).toBe(true);
  });

  test("that waited for so long that a sweep has removed its file stores it again", async () => {
    const blobs = putting(
      onceWith(async (file) => {
        await utimes(pathOf(file), 1, 1);
        await sweep(someHash("00"), second);
        harness.clock.advance(3600);
      }),
    );
    const { texture } = await uploadSkin({ ...services, blobs }, commandLine, player, input());
    expect(await filesOf(texture.hash)).toEqual([pathOf(texture.file)]);
  });

  test("leaves neither row nor file when it is banned before it commits", async () => {
    const given = input();
    const { hash } = (await services.importer.skin(given.file, null, "")).texture;
    const blobs = putting(() => banTexture(second, commandLine, { hash, reason: "" }));
    const refused = uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(await refused.catch(String)).toContain("this picture is banned here");
    expect(await find(hash)).toBeNull();
    expect(await filesOf(hash)).toEqual([]);
  });

  test("drops its own file when another upload of it commits first", async () => {
    const given = input();
    const blobs = putting(() => uploadSkin(second, commandLine, player, given));
    const { texture } = await uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(await filesOf(texture.hash)).toEqual([pathOf(texture.file)]);
    expect(await find(texture.hash)).toEqual(texture);
  });
});

/** Runs once, with the first file. */
function onceWith(work: (file: TextureFile) => Promise<unknown>): (file: TextureFile) => Promise<unknown> {
  let done: Promise<unknown> | null = null;
  return (file) => (done ??= work(file));
}

describe("an upload of a bitmap that has a row", () => {
  test("stores nothing while the row's file is sound", async () => {
    const given = input();
    const first = await uploadSkin(services, commandLine, player, given);
    const blobs = putting(() => Promise.reject(new Error("stored")));
    const second = await uploadSkin({ ...services, blobs }, commandLine, player, given);
    expect(second.texture).toEqual(first.texture);
  });

  test.each([
    ["missing", (path: string) => rm(path)],
    ["damaged", (path: string) => Bun.write(path, "other bytes")],
    [
      "a folder",
      async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
    ],
  ])("brings back a file that is %s, under another name", async (_, harm) => {
    const given = input();
    const first = await uploadSkin(services, commandLine, player, given);
    const path = await textureFile(harness.folder, first.texture.hash);
    await harm(path);
    const { texture } = await uploadSkin(services, commandLine, player, given);
    expect(texture.file).not.toBe(first.texture.file);
    expect(texture.digest).toBe(first.texture.digest);
    const old = (await services.reads.textures.findSkin(first.uuid))?.texture;
    expect(old).toEqual(texture);
    expect(await services.blobs.read(texture.file)).not.toBeNull();
    await rm(path, { recursive: true, force: true });
  });

  test("leaves what an earlier release stored as other bytes", async () => {
    const given = input();
    const { hash, digest } = (await services.importer.skin(given.file, null, "")).texture;
    const file = parseTextureFile(hash)!;
    await plantFile(file, 61);
    await plantRow(hash, file);
    await uploadSkin(services, commandLine, player, given);
    expect(digest).not.toBe("0".repeat(64));
    expect(await find(hash)).toMatchObject({ file, digest: "0".repeat(64) });
    expect(await filesOf(hash)).toEqual([pathOf(file)]);
    expect(await Bun.file(pathOf(file)).text()).toBe("left behind");
  });
});

test.each([
  ["unavailable", new PlainError("unavailable", "The database cannot be asked now")],
  ["a fault", new Error("the connection ended during the commit")],
])("an upload whose commit may stand keeps its file: %s", async (_, fault) => {
  const given = input();
  const { hash } = (await services.importer.skin(given.file, null, "")).texture;
  const transact: typeof services.transact = async (actor, work) => {
    await services.transact(actor, work);
    throw fault;
  };
  expect(await uploadSkin({ ...services, transact }, commandLine, player, given).catch(String)).toBe(
    String(fault),
  );
  expect(await filesOf(hash)).toEqual([pathOf((await find(hash))!.file)]);
});

test("a file goes only once the disk has what removed its row", async () => {
  const { uuid, texture } = await uploadSkin(services, commandLine, player, input());
  const events: string[] = [];
  const blobs: BlobStore = {
    ...services.blobs,
    delete: async (file) => {
      events.push(`deleted: ${file === texture.file}`);
      await services.blobs.delete(file);
    },
  };
  const transact: typeof services.transact = async (actor, work) => {
    const result = await services.transact(actor, work);
    events.push(`kept, by ${actor.name}`);
    return result;
  };
  await deleteSkin({ ...services, blobs, transact }, commandLine, player, uuid);
  expect(events).toEqual(["kept, by cli", "deleted: true"]);
  expect(await isThere(texture.file)).toBe(false);
});
