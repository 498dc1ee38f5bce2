/** Labels of places of textures that cannot be left or read, or are lost, damaged or of a former database. */
import { describe, expect, test } from "bun:test";
import { cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { TextureFile } from "../../src/kernel/ids.ts";
import { texturesOf } from "../backup/data-world.ts";
import { mountSmallDisk, noSmallDisk, type SmallDisk } from "../faults/small-disk.ts";
import { openBlobBucket } from "../../src/adapters/blob-s3/blob-bucket.ts";
import { bucketMissing, testBucket } from "../support/bucket.ts";
import { openBucketProxy } from "../support/bucket-proxy.ts";
import { postgresMissing } from "../support/postgres.ts";
import { until } from "./node-processes.ts";
import {
  filesBelow,
  forgetPlace,
  openPlaceWorld,
  type PlaceChoice,
  type PlacedNode,
  type PlaceWorld,
} from "./texture-places.ts";

const missing = postgresMissing ?? bucketMissing;
if (missing !== null) console.error(`NOT RUN: labels of places of textures (${missing})`);
const noDisk = await noSmallDisk();
if (noDisk !== null) console.error(`NOT RUN: places that cannot be written (${noDisk})`);

const inFolder: PlaceChoice = { database: "sqlite", files: "folder" };
const choices: readonly PlaceChoice[] = [
  inFolder,
  { database: "postgres", files: "folder" },
  { database: "postgres", files: "bucket" },
];
const named = choices.map((choice) => [`${choice.database} and a ${choice.files}`, choice] as const);
const sound = (count: number) => ({ code: 0, out: `${count} textures checked, all in order\n` });

const texturesIn = ({ folder }: PlaceWorld) => join(folder, "data/textures");
const labelIn = (world: PlaceWorld) => join(texturesIn(world), "cloakroom-place.json");

async function fileIn({ folder }: PlaceWorld): Promise<TextureFile> {
  const [path = ""] = await texturesOf(join(folder, "data"));
  return (path.split("/").at(-1) ?? "").replace(".png", "") as TextureFile;
}

/** Puts the textures on a disk of their own. */
async function moveToDisk(world: PlaceWorld, disk: SmallDisk): Promise<void> {
  const textures = texturesIn(world);
  await cp(textures, join(disk.path, "textures"), { recursive: true });
  await rm(textures, { recursive: true });
  await symlink(join(disk.path, "textures"), textures);
}

const hash = "ab".repeat(32) as never;
const put = ({ services }: PlacedNode) => services.blobs.put(hash, new Uint8Array(9_000)).catch(String);

const states = {
  full: {
    begin: (disk: SmallDisk) => disk.leave(0),
    end: (disk: SmallDisk) => disk.leave(null),
  },
  "mounted read-only": {
    begin: async ({ path }: SmallDisk) => void (await Bun.$`mount -o remount,ro ${path}`.quiet()),
    end: async ({ path }: SmallDisk) => void (await Bun.$`mount -o remount,rw ${path}`.quiet()),
  },
};

describe.skipIf(missing !== null || noDisk !== null)("a label that cannot be left", () => {
  test.each(
    named
      .filter(([, { files }]) => files === "folder")
      .flatMap(([name, choice]) =>
        Object.entries(states).map(([state, disk]) => [name, state, choice, disk] as const),
      ),
  )("on %s keeps no texture back while its disk is %s, and is left later", async (_, state, choice, turn) => {
    await using world = await openPlaceWorld(choice);
    await world.addSkin(1);
    const file = await fileIn(world);
    await forgetPlace(world);
    await using disk = await mountSmallDisk(8 << 20);
    await moveToDisk(world, disk);
    await turn.begin(disk);
    const node = await world.start();
    expect(await node.services.blobs.read(file)).not.toBeNull();
    expect(await put(node)).toMatch(/rror/);
    expect(await node.services.blobs.probe().catch(String)).toMatch(/rror/);
    expect(await world.go(["user", "list"])).toMatchObject({ code: 0 });
    expect(await world.go(["fsck"])).toMatchObject(sound(1));
    expect({ state, warnings: node.warnings() }).toEqual({
      state,
      warnings: [expect.stringContaining("textures cannot be changed, so uploads fail")],
    });
    await turn.end(disk);
    await until(async () => (await filesBelow(texturesIn(world))).includes(labelIn(world)));
    expect(await put(node)).toStartWith("ab");
    await node.services.blobs.probe();
    expect(node.warnings()).toHaveLength(1);
  });
});

async function write(world: PlaceWorld, text: string): Promise<void> {
  const { bucket } = world;
  if (bucket === null) await Bun.write(labelIn(world), text);
  else await bucket.client.write(`${bucket.prefix}/cloakroom-place.json`, text);
}

describe.skipIf(missing !== null)("what is no label", () => {
  const pages = ["", "<html>busy</html>", '{"id":""}'];

  test.each(named)("ends no node of %s that runs", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    await world.addSkin(1);
    const { services, reason } = await world.start();
    for (const page of [...pages, ...pages]) {
      await write(world, page);
      await services.blobs.probe().catch(() => undefined);
      expect(reason()).toBeNull();
    }
    expect(await services.blobs.put(hash, new Uint8Array(1))).toStartWith("ab");
  });

  test.each(named.slice(1))("is named when a node of %s starts, with the cure", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    await world.addSkin(1);
    for (const page of pages) {
      await write(world, page);
      const refusal = await world.refusal();
      expect(refusal).toContain("is no label of cloakroom's");
      expect(refusal).toContain("cloakroom fsck --take-over makes it again");
    }
    expect(await world.go(["fsck", "--take-over"])).toMatchObject(sound(1));
    expect(await world.refusal()).toBe("");
  });

  test("is made again in a folder beside its database, which has the textures", async () => {
    await using world = await openPlaceWorld(inFolder);
    await world.addSkin(1);
    for (const page of pages) {
      await write(world, page);
      expect(await world.refusal()).toBe("");
      expect(await Bun.file(labelIn(world)).json()).toMatchObject({ id: expect.stringMatching(/^folder-/) });
    }
  });
});

test.skipIf(missing !== null)("a folder in the place of the label keeps no texture back", async () => {
  await using world = await openPlaceWorld(inFolder);
  await world.addSkin(1);
  await rm(labelIn(world));
  await mkdir(labelIn(world));
  const node = await world.start();
  expect(await node.services.blobs.read(await fileIn(world))).not.toBeNull();
  expect(node.warnings()).toEqual([expect.stringContaining("textures cannot be changed")]);
  await rm(labelIn(world), { recursive: true });
  await until(async () => (await filesBelow(texturesIn(world))).includes(labelIn(world)));
});

describe.skipIf(missing !== null)("a label that is lost while a node runs", () => {
  test("is left again by the one process of SQLite, unless the textures are lost as well", async () => {
    await using world = await openPlaceWorld(inFolder);
    await world.addSkin(1);
    const { services, reason } = await world.start();
    await rm(labelIn(world));
    await services.blobs.probe();
    expect(await Bun.file(labelIn(world)).exists()).toBe(true);
    await services.blobs.probe();
    await rename(texturesIn(world), `${texturesIn(world)}-away`);
    for (let i = 0; i < 3; i++)
      expect(await services.blobs.probe().catch(String)).toContain("has lost cloakroom-place.json");
    expect(reason()).toBeNull();
    expect(await filesBelow(texturesIn(world))).toEqual([]);
  });

  test("is named by doctor where several nodes share a folder", async () => {
    await using world = await openPlaceWorld({ database: "postgres", files: "folder" });
    await world.addSkin(1);
    const { services, reason } = await world.start();
    await rm(labelIn(world));
    expect(await services.blobs.probe().catch(String)).toContain("has lost cloakroom-place.json");
    expect(reason()).toBeNull();
    const { out } = await world.go(["doctor"]);
    expect(out).toContain("has no cloakroom-place.json");
    await world.go(["fsck", "--take-over"]);
    await services.blobs.probe();
  });
});

async function removeDatabase({ folder }: PlaceWorld): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(join(folder, `data/cloakroom.db${end}`), { force: true });
}

async function loseTextures(world: PlaceWorld): Promise<void> {
  for (const file of await texturesOf(join(world.folder, "data"))) await rm(file);
}

describe.skipIf(missing !== null)("a folder beside its database", () => {
  test("is taken after an upgrade though its textures were lost before, and refused when they are lost later", async () => {
    await using world = await openPlaceWorld(inFolder);
    await world.addSkin(1);
    await loseTextures(world);
    await forgetPlace(world);
    const { out } = await world.go(["doctor"]);
    expect(out).toContain("1 of 1 textures are missing or damaged");
    expect(await world.refusal()).toBe("");
    await rm(labelIn(world));
    const refusal = await world.refusal();
    expect(refusal).toStartWith("the textures of this database are not in their folder: ");
    expect(refusal).toContain("Does DATA_DIR lead to the right folder?");
    expect(refusal).not.toContain("BLOBS");
  });

  test("is an empty community's once its database is removed, unless it has textures", async () => {
    await using world = await openPlaceWorld(inFolder);
    expect(await world.refusal()).toBe("");
    await removeDatabase(world);
    expect(await world.refusal()).toBe("");
    expect(await world.go(["user", "create", "--mail", "b@example.org", "--username", "Anna"])).toMatchObject(
      {
        code: 0,
      },
    );
    expect(await world.addSkin(1)).toMatchObject({ code: 0 });
    await removeDatabase(world);
    expect(await world.refusal()).toContain("holds textures but no database");
  });

  test("keeps its label when its disk was missing at one start, before there was a texture", async () => {
    await using world = await openPlaceWorld(inFolder);
    expect(await world.refusal()).toBe("");
    const textures = texturesIn(world);
    await rename(textures, `${textures}-away`);
    expect(await world.refusal()).toBe("");
    await rm(textures, { recursive: true });
    await rename(`${textures}-away`, textures);
    const label = await Bun.file(labelIn(world)).text();
    expect(await world.refusal()).toBe("");
    expect(await Bun.file(labelIn(world)).text()).toBe(label);
    expect(await world.addSkin(1)).toMatchObject({ code: 0 });
  });

  test("is that of a former copy of the database, if the textures are there", async () => {
    await using world = await openPlaceWorld(inFolder);
    await world.addSkin(1);
    const copy = join(world.folder, "copy");
    await cp(join(world.folder, "data"), copy, { recursive: true });
    const kept = join(copy, "cloakroom.db");
    expect(await world.go(["restore", copy])).toMatchObject({ code: 0 });
    await removeDatabase(world);
    await cp(kept, join(world.folder, "data/cloakroom.db"));
    const labelled = await Bun.file(labelIn(world)).text();
    expect(await world.refusal()).toBe("");
    expect(await Bun.file(labelIn(world)).text()).toBe(labelled);
    expect(await world.go(["fsck"])).toMatchObject(sound(1));
    await removeDatabase(world);
    await cp(kept, join(world.folder, "data/cloakroom.db"));
    await loseTextures(world);
    expect(await world.refusal()).toContain("has 0 of 1 textures that were looked for");
  });
});

test.skipIf(missing !== null)(
  "of nodes that leave a label at once in a bucket that ignores conditions all go by the one that stays",
  async () => {
    await using bucket = await testBucket();
    await using proxy = await openBucketProxy(bucket);
    proxy.onRequest(() => "dropCondition");
    const { prefix, region, accessKeyId, secretAccessKey } = bucket;
    const access = { bucket: new URL(bucket.url).host, region, accessKeyId, secretAccessKey };
    const open = () =>
      openBlobBucket({ ...access, endpoint: proxy.endpoint, prefix: `${prefix}/` }, () =>
        Promise.resolve("community"),
      );
    const [first, second] = [open(), open()];
    await first.claim();
    const left = first.leaveLabel("first", "community");
    await until(async () => (await second.readLabel()).id !== null);
    // It found no label, too, before the first one's was there.
    const ids = await Promise.all([left, second.leaveLabel("second", "community")]);
    expect(ids).toEqual(["second", "second"]);
  },
);
