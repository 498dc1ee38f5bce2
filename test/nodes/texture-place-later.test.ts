/** Places of textures that nodes meet later: after an upgrade, an outage, a restore or a move. */
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bucketMissing, testBucket } from "../support/bucket.ts";
import { openBucketProxy } from "../support/bucket-proxy.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { until } from "./node-processes.ts";
import {
  forgetMark,
  forgetPlace,
  objectsOf,
  openPlaceWorld,
  settingsOf,
  type PlaceChoice,
} from "./texture-places.ts";

const missing = postgresMissing ?? bucketMissing;
if (missing !== null) console.error(`NOT RUN: places of textures that are met later (${missing})`);

const words = "BLOBS leads to another place than that which this database was used with";
const onPostgres: PlaceChoice = { database: "postgres", files: "bucket" };
const choices: readonly PlaceChoice[] = [
  { database: "sqlite", files: "folder" },
  { database: "sqlite", files: "bucket" },
  { database: "postgres", files: "folder" },
  onPostgres,
];
const named = choices.map((choice) => [`${choice.database} and a ${choice.files}`, choice] as const);
const sound = (count: number) => ({ code: 0, out: `${count} textures checked, all in order\n` });

describe.skipIf(missing !== null)("after an upgrade from a release without ids", () => {
  test.each(named)("the place that has the textures is taken, on %s", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    await world.addSkin(1);
    await world.addSkin(2);
    await forgetPlace(world);
    const nodes = await Promise.all([world.start(), choice.database === "postgres" ? world.start() : null]);
    expect(nodes.map((node) => node?.reason() ?? null)).toEqual([null, null]);
    const elsewhere =
      world.bucket === null
        ? { DATA_DIR: join(world.folder, "own") }
        : { BLOBS: `${world.bucket.url}/elsewhere` };
    if (choice.database === "postgres" || world.bucket !== null)
      expect(await world.refusal(elsewhere)).toContain(words);
    expect(await world.go(["fsck"])).toMatchObject(sound(2));
  });

  test("a node with a wrong BLOBS that comes first is refused, though some uploads went there", async () => {
    await using world = await openPlaceWorld(onPostgres);
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    for (const seed of [1, 2, 3]) await world.addSkin(seed);
    // As a node of a release before would have left it there.
    const moved = (await objectsOf(bucket)).find((name) => !name.endsWith(".json")) ?? "";
    await bucket.client.write(
      `${bucket.prefix}/wrong/${moved}`,
      bucket.client.file(`${bucket.prefix}/${moved}`),
    );
    await bucket.client.delete(`${bucket.prefix}/${moved}`);
    await forgetPlace(world);
    const wrong = { BLOBS: `${bucket.url}/wrong` };
    expect(await world.refusal(wrong)).toContain("has 1 of 3 textures that were looked for");
    expect(await objectsOf(bucket, "wrong/")).toEqual([`wrong/${moved}`]);
    expect(await world.refusal()).toBe("");
    expect(await world.refusal(wrong)).toContain("has no cloakroom-place.json");
  });

  test("a release before finds its own marker, and textures alone under names of textures", async () => {
    await using world = await openPlaceWorld(onPostgres);
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    await world.addSkin(1);
    const marker: unknown = JSON.parse(await bucket.client.file(`${bucket.prefix}/cloakroom.json`).text());
    expect(Object.keys(Object(marker))).toEqual(["community"]);
    expect((await objectsOf(bucket)).filter((name) => /^..\/[0-9a-f]{64}/.test(name))).toHaveLength(1);
  });
});

describe.skipIf(missing !== null)("half of an id", () => {
  test.each(named)("that a crash left in the place alone is kept, on %s", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    expect(await world.refusal()).toBe("");
    await forgetMark(world);
    expect(await world.refusal()).toBe("");
    expect(await world.addSkin(1)).toMatchObject({ code: 0 });
    await forgetMark(world);
    expect(await world.refusal()).toBe("");
    expect(await world.go(["fsck"])).toMatchObject(sound(1));
  });

  test("that is in the database alone is made whole by the one process of SQLite, where the textures are", async () => {
    await using world = await openPlaceWorld({ database: "sqlite", files: "bucket" });
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    await world.addSkin(1);
    await bucket.client.delete(`${bucket.prefix}/cloakroom-place.json`);
    expect(await world.refusal()).toBe("");
    for (const name of await objectsOf(bucket)) await bucket.client.delete(`${bucket.prefix}/${name}`);
    expect(await world.refusal()).toContain("has 0 of 1 textures that were looked for");
    expect(await objectsOf(bucket)).toEqual([]);
  });
});

describe.skipIf(missing !== null)("a bucket that is away when a node starts", () => {
  test.each([
    ["is asked when it answers, and a node with another place ends then", "/wrong"],
    ["is asked when it answers, and a node with the right one goes on", ""],
  ])("%s", async (_, below) => {
    await using world = await openPlaceWorld(onPostgres);
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    await world.addSkin(1);
    await using proxy = await openBucketProxy(bucket);
    proxy.onRequest(() => ({ answer: 403 }));
    const node = await world.start({ BLOBS: `${bucket.url}${below}`, S3_ENDPOINT: proxy.endpoint });
    const hash = "ab".repeat(32);
    const failure = await node.services.blobs.put(hash as never, new Uint8Array(1)).catch(String);
    expect(failure).toContain("does not answer right now");
    expect(node.reason()).toBeNull();
    proxy.onRequest(() => null);
    const isWrong = below !== "";
    await until(async () =>
      isWrong
        ? node.reason() !== null
        : await node.services.blobs.probe().then(
            () => true,
            () => false,
          ),
    );
    expect(node.reason()).toEqual(isWrong ? expect.stringContaining(words) : null);
    if (isWrong) expect(await objectsOf(bucket, "wrong")).toEqual([]);
    const put = await node.services.blobs.put(hash as never, new Uint8Array(1)).catch(String);
    if (isWrong) expect(put).toContain(words);
    else expect(put).toStartWith(hash);
  });

  test("a running node goes on when the id alone is lost, and ends when another database has taken the place", async () => {
    await using world = await openPlaceWorld(onPostgres);
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    const { services, reason } = await world.start();
    const key = `${bucket.prefix}/cloakroom-place.json`;
    const label: unknown = await bucket.client.file(key).json();
    await bucket.client.delete(key);
    expect(await services.blobs.probe().catch(String)).toContain("has lost cloakroom-place.json");
    expect(reason()).toBeNull();
    await bucket.client.write(key, JSON.stringify({ ...Object(label), id: "another" }));
    // One answer alone may be no one's: it is read again.
    expect(await services.blobs.probe().catch(String)).toContain("is another database's");
    expect(reason()).toBeNull();
    await services.blobs.probe().catch(() => undefined);
    expect(reason()).toContain(words);
  });
});

describe.skipIf(missing !== null)("a restore", () => {
  test.each(named.slice(0, 2))("over a data folder, on %s, goes on where it was", async (_, choice) => {
    await using world = await openPlaceWorld(choice);
    const archive = join(world.folder, "archive");
    await world.addSkin(1);
    expect(await world.go(["backup", archive])).toMatchObject({ code: 0 });
    await world.addSkin(2);
    const restored = await world.go(["restore", archive]);
    expect(restored).toMatchObject({ code: 0 });
    expect(await world.refusal()).toBe("");
    expect(await world.go(["fsck"])).toMatchObject({ out: expect.stringContaining("1 textures checked") });
    const before = /^the way back: cloakroom restore '(.*)'$/m.exec(restored.out)?.[1] ?? "";
    expect(await world.go(["restore", before])).toMatchObject({ code: 0 });
    expect(await world.refusal()).toBe("");
    expect(await world.go(["fsck"])).toMatchObject(sound(2));
  });

  test("beside the first database is refused its place, takes it over with the flag, and may have one of its own", async () => {
    await using world = await openPlaceWorld(onPostgres);
    const { bucket } = world;
    if (bucket === null) throw new Error("there is no bucket");
    await world.addSkin(1);
    const archive = join(world.folder, "archive");
    expect(await world.go(["backup", archive])).toMatchObject({ code: 0 });
    await using second = await emptyDatabase();
    const beside = { DATABASE_URL: second.url, DATA_DIR: join(world.folder, "second") };
    const refused = await world.go(["restore", archive], beside);
    expect(refused).toMatchObject({
      code: 1,
      error: expect.stringContaining("of another database of this community"),
    });
    const own = { ...beside, BLOBS: `${bucket.url}/second` };
    expect(await world.go(["restore", archive], own)).toMatchObject({ code: 0 });
    expect(await world.refusal(own)).toBe("");
    expect(await world.refusal(beside)).toContain(words);
    expect(await world.refusal()).toBe("");

    await using third = await emptyDatabase();
    const instead = { DATABASE_URL: third.url, DATA_DIR: join(world.folder, "third") };
    expect(await world.go(["restore", archive, "--take-over"], instead)).toMatchObject({ code: 0 });
    expect(await world.refusal(instead)).toBe("");
    expect(await world.refusal()).toContain(words);
    expect(await world.go(["fsck"], instead)).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 textures checked"),
    });
  });

  test("of a data folder that is lost takes its bucket over with the flag", async () => {
    await using world = await openPlaceWorld({ database: "sqlite", files: "bucket" });
    await world.addSkin(1);
    const archive = join(world.folder, "archive");
    await world.go(["backup", archive]);
    await rm(join(world.folder, "data"), { recursive: true });
    expect(await world.go(["restore", archive])).toMatchObject({
      code: 1,
      error: expect.stringContaining("say so with --take-over"),
    });
    expect(await world.go(["restore", archive, "--take-over"])).toMatchObject({ code: 0 });
    expect(await world.refusal()).toBe("");
    expect(await world.go(["fsck"])).toMatchObject(sound(1));
  });
});

describe.skipIf(missing !== null)("a move", () => {
  test("into a bucket gives it an id of its own, and a node that kept the old BLOBS is refused", async () => {
    await using world = await openPlaceWorld({ database: "sqlite", files: "folder" });
    await world.addSkin(1);
    await using target = await emptyDatabase();
    await using bucket = await testBucket();
    const { BLOBS, ...keys } = settingsOf(bucket);
    const moved = { DATABASE_URL: target.url, ...keys, BLOBS: BLOBS ?? "" };
    const { DATABASE_URL: MOVE_TO } = moved;
    expect(await world.go(["move", "--blobs", bucket.url], { ...keys, MOVE_TO })).toMatchObject({ code: 0 });
    expect(await world.refusal({ DATABASE_URL: target.url })).toContain(words);
    expect(await world.refusal(moved)).toBe("");
    expect(await world.refusal()).toBe("");
    expect(await world.go(["fsck"], moved)).toMatchObject(sound(1));

    await using again = await emptyDatabase();
    expect(await world.go(["move"], { ...moved, MOVE_TO: again.url })).toMatchObject({
      code: 0,
      out: expect.stringContaining("which stay where they are"),
    });
    expect(await world.refusal({ ...moved, DATABASE_URL: again.url })).toBe("");
    expect(await world.refusal({ DATABASE_URL: again.url })).toContain(words);

    const back = join(world.folder, "back");
    const home = await world.go(["move", "--to", back, "--blobs", "files"], moved);
    expect(home).toMatchObject({ code: 0 });
    expect(await world.refusal({ DATA_DIR: back })).toBe("");
    expect(await world.refusal({ ...keys, BLOBS: BLOBS ?? "", DATA_DIR: back })).toContain(words);
  });
});
