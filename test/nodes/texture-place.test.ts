/** A node or a command whose settings lead to another place of textures than that of its database. */
import { describe, expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { bucketMissing, testBucket } from "../support/bucket.ts";
import { postgresMissing } from "../support/postgres.ts";
import {
  filesBelow,
  makeBucket,
  objectsOf,
  openPlaceWorld,
  settingsOf,
  type PlaceChoice,
  type PlaceWorld,
} from "./texture-places.ts";

const missing = postgresMissing ?? bucketMissing;
if (missing !== null) console.error(`NOT RUN: places of textures (${missing})`);

const words = "BLOBS leads to another place than that which this database was used with";
const choices: readonly PlaceChoice[] = [
  { database: "sqlite", files: "folder" },
  { database: "sqlite", files: "bucket" },
  { database: "postgres", files: "folder" },
  { database: "postgres", files: "bucket" },
];
const named = choices.map((choice) => [`${choice.database} and a ${choice.files}`, choice] as const);

/** What a node forgets whose textures become files. */
const withoutBucket = {
  BLOBS: "",
  S3_ENDPOINT: "",
  S3_REGION: "",
  S3_ACCESS_KEY_ID: "",
  S3_SECRET_ACCESS_KEY: "",
};

/** Settings of a node that lead elsewhere, and what is in that place. */
type Elsewhere = {
  readonly settings: Record<string, string>;
  readonly holds: () => Promise<readonly string[]>;
};

/** Another place of each kind. */
async function placesBeside(
  world: PlaceWorld,
  stack: AsyncDisposableStack,
): Promise<Readonly<Record<string, Elsewhere>>> {
  const { bucket, folder } = world;
  const other = stack.use(await testBucket());
  const inBucket = { settings: { ...settingsOf(other) }, holds: () => objectsOf(other) };
  if (bucket === null) return { "a bucket": inBucket, ...(await folderBeside(world)) };
  const name = `other-${crypto.randomUUID()}`;
  await makeBucket(bucket, name);
  return {
    "another prefix": {
      settings: { BLOBS: `${bucket.url}/sub` },
      holds: () => objectsOf(bucket, "sub"),
    },
    "another bucket": { settings: { BLOBS: `s3://${name}` }, holds: () => Promise.resolve([]) },
    files: { settings: withoutBucket, holds: () => filesBelow(join(folder, "data/textures")) },
  };
}

/** Nodes of PostgreSQL may have folders of their own; a folder with SQLite is one with its database. */
async function folderBeside({ folder, settings }: PlaceWorld): Promise<Record<string, Elsewhere>> {
  if (!("DATABASE_URL" in settings)) return {};
  const own = join(folder, "own");
  return {
    "a folder of its own": { settings: { DATA_DIR: own }, holds: () => filesBelow(join(own, "textures")) },
  };
}

describe.skipIf(missing !== null)("another place", () => {
  test.each(named)("is refused by nodes and commands of %s, and nothing is changed", async (_, choice) => {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await openPlaceWorld(choice));
    expect(await world.refusal()).toBe("");
    expect(await world.addSkin(1)).toMatchObject({ code: 0 });
    const file = join(world.folder, "archive");
    for (const [name, { settings, holds }] of Object.entries(await placesBeside(world, stack))) {
      expect({ name, refusal: await world.refusal(settings) }).toEqual({
        name,
        refusal: expect.stringContaining(words),
      });
      for (const command of [
        ["fsck", "--mend"],
        ["backup", file],
        ["move", "--to", join(world.folder, "to")],
      ])
        expect({ name, command, ...(await world.go(command, settings)) }).toMatchObject({
          code: 1,
          out: "",
          error: expect.stringContaining(words),
        });
      expect(await world.addSkin(2, settings)).toMatchObject({
        code: 1,
        error: expect.stringContaining(words),
      });
      const { out } = await world.go(["doctor", "--json"], settings);
      const { findings } = JSON.parse(out) as { findings: readonly { check: string; remedy: string }[] };
      expect(findings.filter(({ check }) => check === "textures")).toMatchObject([
        {
          state: "problem",
          message: expect.stringContaining(words),
          remedy: expect.stringMatching(/same BLOBS|BLOBS missing/),
        },
      ]);
      expect({ name, holds: await holds() }).toEqual({ name, holds: [] });
    }
    expect(await world.go(["fsck"])).toMatchObject({ code: 0, out: "1 textures checked, all in order\n" });
    expect(await world.addSkin(3)).toMatchObject({ code: 0 });
  });

  test.each(named.slice(2))("is refused before there is a texture, on %s", async (_, choice) => {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await openPlaceWorld(choice));
    await world.start();
    for (const { settings, holds } of Object.values(await placesBeside(world, stack))) {
      expect(await world.refusal(settings)).toContain(words);
      expect(await holds()).toEqual([]);
    }
    await world.start();
  });

  test("ends the program as another JWT_SECRET does", async () => {
    await using world = await openPlaceWorld({ database: "postgres", files: "bucket" });
    await world.start();
    const serve = (settings: Record<string, string>) => world.go(["serve", "--port", "0"], settings);
    const refused = await serve(withoutBucket);
    const { code } = await serve({ JWT_SECRET: "another secret that is long enough" });
    expect(refused).toEqual({ code, out: "", error: expect.stringContaining(`cloakroom: ${words}`) });
  });

  test("may be taken by one process alone while there is no texture", async () => {
    await using world = await openPlaceWorld({ database: "sqlite", files: "folder" });
    await using bucket = await testBucket();
    await (await world.start()).services[Symbol.asyncDispose]();
    await (await world.start(settingsOf(bucket))).services[Symbol.asyncDispose]();
    expect(await world.refusal()).toContain(words);
    expect(await world.addSkin(1, settingsOf(bucket))).toMatchObject({ code: 0 });
  });
});

describe.skipIf(missing !== null)("one place", () => {
  test.each(named.slice(2))("is that of all nodes that start at once, on %s", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    const nodes = await Promise.all(Array.from({ length: 4 }, () => world.start()));
    await Promise.all(nodes.map(({ services }) => services.blobs.probe()));
    expect(nodes.map(({ reason }) => reason())).toEqual([null, null, null, null]);
  });

  test("is that of the first, of nodes that start at once in two", async () => {
    await using world = await openPlaceWorld({ database: "postgres", files: "bucket" });
    const settings = [0, 1, 0, 1].map((part) => ({ BLOBS: `${world.bucket?.url}/${part}` }));
    const refusals = await Promise.all(settings.map((one) => world.refusal(one)));
    const refused = refusals.map((text) => text.includes(words));
    expect(refused).toBeOneOf([
      [false, true, false, true],
      [true, false, true, false],
    ]);
  });

  test("goes on with a copied data folder", async () => {
    await using world = await openPlaceWorld({ database: "sqlite", files: "folder" });
    await world.addSkin(1);
    const copy = join(world.folder, "copy");
    await Bun.$`cp -a ${world.settings["DATA_DIR"]} ${copy}`.quiet();
    await world.start({ DATA_DIR: copy });
  });

  test.each(named.filter(([, { files }]) => files === "folder"))(
    "that is not mounted is refused, and taken again when it is, on %s",
    async (_, choice) => {
      await using world = await openPlaceWorld(choice);
      await (await world.start()).services[Symbol.asyncDispose]();
      await world.addSkin(1);
      const textures = join(world.folder, "data/textures");
      await rename(textures, `${textures}-away`);
      expect(await world.refusal()).toContain("is the disk of the textures mounted?");
      expect(await filesBelow(textures)).toEqual([]);
      await rename(`${textures}-away`, textures);
      expect(await world.refusal()).toBe("");
    },
  );

  test("whose objects were lost is taken when an operator says so", async () => {
    await using world = await openPlaceWorld({ database: "postgres", files: "bucket" });
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    await world.addSkin(1);
    const { services, reason } = await world.start();
    await bucket.client.delete(`${bucket.prefix}/cloakroom-place.json`);
    expect(await world.refusal()).toContain(`${bucket.url}/ has no cloakroom-place.json`);
    expect(await world.go(["fsck", "--take-over"])).toMatchObject({ code: 0 });
    expect(await world.refusal()).toBe("");
    // A node that ran meanwhile goes on.
    await services.blobs.probe();
    expect(reason()).toBeNull();
  });
});
