/** A community whose textures are in a bucket, while it answers and while it does not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compose } from "../../src/boot/compose.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { uploadSkin } from "../../src/domain/textures/wardrobe.ts";
import { deleteDropped, sweepFiles } from "../../src/domain/textures/sweep.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { expectError } from "../support/scenario.ts";
import { bucketMissing, testBucket, type BucketAccess, type TestBucket } from "../support/bucket.ts";
import { openBucketProxy, type BucketProxy } from "../support/bucket-proxy.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, playerOf, upload, type Member } from "../support/members.ts";
import { bitmapHash, skinBitmap, skinPng } from "../support/textures.ts";
import { makeData, rowsOf } from "../backup/data-world.ts";
import { run, temporaryFolder, userCreation } from "../cli/run-program.ts";

if (bucketMissing !== null) console.error(`NOT RUN: a community with a bucket (${bucketMissing})`);

const settingsOf = (bucket: BucketAccess & { readonly url: string }) => ({
  BLOBS: bucket.url,
  S3_ENDPOINT: bucket.endpoint,
  S3_REGION: bucket.region,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
});

describe.skipIf(bucketMissing !== null)("textures in a bucket", () => {
  let bucket: TestBucket;
  let proxy: BucketProxy;
  let harness: Harness;
  let alice: Member;
  let seed = 1;
  beforeAll(async () => {
    bucket = await testBucket();
    proxy = await openBucketProxy(bucket);
    harness = await openHarness({ settings: settingsOf({ ...bucket, endpoint: proxy.endpoint }) });
    alice = await addMember(harness, "Alice");
  });
  afterAll(async () => {
    await harness[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await bucket[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await proxy.heal();
    proxy.onRequest(() => null);
    seed += 1;
    await eventually(() => harness.services.blobs.probe());
    harness.takeComplaints();
  });
  const objects = async () => {
    const { contents = [] } = await bucket.client.list({ prefix: `${bucket.prefix}/` });
    return contents.map(({ key }) => key.slice(bucket.prefix.length + 1));
  };
  const statusOf = async (path: string) => (await harness.fetch(path)).status;
  /** Deletes what other tests left: objects whose upload failed after them, and those of removed rows. */
  const clearAway = async () => {
    await sweepFiles(servicesAt(harness, 25), null);
    harness.clock.advance(3600);
    await deleteDropped(harness.services);
  };

  test("are stored there and not in the data folder, delivered, and deleted an hour after their rows", async () => {
    await clearAway();
    const hash = bitmapHash(skinBitmap(seed));
    const skin = await addSkin(harness, alice, { file: skinPng(seed) });
    const { file } = (await harness.services.reads.textures.findTexture(hash as never))!;
    expect(await objects()).toEqual(
      expect.arrayContaining(["cloakroom.json", `${hash.slice(0, 2)}/${file}`]),
    );
    expect(existsSync(join(harness.folder, "textures"))).toBe(false);
    expect(await statusOf(`/textures/${hash}`)).toBe(200);
    const removed = await edit(harness, alice, "DELETE /api/home/edit/skin", { skinid: skin });
    expect(removed.ok).toBe(true);
    expect(await statusOf(`/textures/${hash}`)).toBe(404);
    expect(await objects()).toContain(`${hash.slice(0, 2)}/${file}`);
    expect(await deleteDropped(harness.services)).toBe(0);
    harness.clock.advance(3600);
    expect(await deleteDropped(harness.services)).toBe(1);
    expect(await objects()).not.toContain(`${hash.slice(0, 2)}/${file}`);
  });

  test("without a row go with the sweep a day after they were stored", async () => {
    await clearAway();
    const stray = `ab/${"ab".repeat(32)}.${"0".repeat(32)}`;
    await bucket.client.write(`${bucket.prefix}/${stray}`, "left behind");
    expect(await sweepFiles(servicesAt(harness, 23), null)).toEqual({ removed: 0, next: null });
    expect(await objects()).toContain(stray);
    const before = await objects();
    expect(await sweepFiles(servicesAt(harness, 25), null)).toEqual({ removed: 1, next: null });
    // The claim on the prefix may come meanwhile.
    const after = await objects();
    expect(after).toEqual(expect.arrayContaining(before.filter((name) => name !== stray)));
    expect(after).not.toContain(stray);
  });

  test("that goes away is down in the metrics, although nothing else has asked it since, and up when it is back", async () => {
    const read = async () => {
      const { samples = [] } = parsePrometheusText(await harness.metrics()).get("cloakroom_bucket_up") ?? {};
      return samples.map(({ value }) => value);
    };
    expect(await read()).toEqual([1]);
    proxy.onRequest(() => "reset");
    expect(await read()).toEqual([0]);
    proxy.onRequest(() => null);
    await eventually(async () => expect(await read()).toEqual([1]));
    harness.takeComplaints();
  });

  test.each([
    ["answers 503", () => proxy.onRequest(() => ({ answer: 503 }))],
    ["refuses the keys", () => proxy.onRequest(() => ({ answer: 403 }))],
    ["resets", () => proxy.onRequest(() => "reset")],
    ["stalls", () => proxy.stall()],
    ["is not there", () => (proxy.refuse(), proxy.cut())],
  ])(
    "when the bucket %s: uploads are 503 and leave nothing, the rest goes on, and all works again",
    async (_, fail) => {
      const skin = await addSkin(harness, alice, { file: skinPng(seed * 1000) });
      const remembered = `/api/skin/head/${alice.uuid}?size=64`;
      expect(await statusOf(remembered)).toBe(200);
      const rows = harness.countRows("textures");
      fail();
      const began = performance.now();
      const refused = await upload(harness, alice, { file: skinPng(seed * 1000 + 1) });
      await expectError(refused, 503);
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(performance.now() - began).toBeLessThan(15_000);
      expect(harness.countRows("textures")).toBe(rows);
      // What memory holds, and what no file is needed for.
      expect(await statusOf(remembered)).toBe(200);
      expect(await statusOf(`/api/skin/launcher/${alice.uuid}`)).toBe(200);
      expect(await statusOf(`/api/skin/public/${skin}?fresh`)).toBeOneOf([200, 503]);
      const ready = await harness.fetch("/health/ready");
      expect({ status: ready.status, body: await ready.json() }).toMatchObject({
        status: 200,
        body: { data: { database: true, textures: false } },
      });
      await proxy.heal();
      proxy.onRequest(() => null);
      await eventually(async () => {
        harness.clock.advance(1);
        expect((await upload(harness, alice, { file: skinPng(seed * 1000 + 1) })).status).toBe(200);
      });
      expect(await statusOf(`/api/skin/public/${skin}`)).toBe(200);
      expect(JSON.stringify(harness.takeComplaints())).not.toMatch(/X-Amz|Signature/);
    },
  );

  test("an upload of a picture that is there needs the bucket, too, and stores nothing", async () => {
    const file = skinPng(seed);
    await addSkin(harness, alice, { file });
    const before = await objects();
    const asked: string[] = [];
    proxy.onRequest(({ method }) => (asked.push(method), null));
    expect((await upload(harness, alice, { file })).status).toBe(200);
    expect(asked).toEqual(["GET"]);
    expect(await objects()).toEqual(before);
  });

  test("a changed byte is never served, and an upload brings the picture back", async () => {
    const hash = bitmapHash(skinBitmap(seed));
    await addSkin(harness, alice, { file: skinPng(seed) });
    proxy.onRequest(() => "changeByte");
    const response = await harness.fetch(`/textures/${hash}`);
    await expectError(response, 500);
    expect(harness.takeComplaints()).toHaveLength(1);
    proxy.onRequest(() => null);
    expect(await statusOf(`/textures/${hash}`)).toBe(200);

    const { file } = (await harness.services.reads.textures.findTexture(hash as never))!;
    const key = `${bucket.prefix}/${hash.slice(0, 2)}/${file}`;
    await bucket.client.write(key, "damaged for good");
    await using second = await compose(harness.config, { clock: harness.clock });
    expect(
      await second.pictures.file((await second.reads.textures.findTexture(hash as never))!).catch(String),
    ).toContain("is damaged");
    const player = await playerOf(harness, alice);
    const given = { file: skinPng(seed), model: null, name: null, select: false };
    const { texture } = await uploadSkin(second, commandLine, player, given);
    expect(texture.file).not.toBe(file);
    expect((await second.pictures.file(texture)).size).toBeGreaterThan(0);
  });
});

describe.skipIf(bucketMissing !== null)("commands with a bucket", () => {
  test("fsck, backup and restore know it; another community is refused", async () => {
    await using bucket = await testBucket();
    await using folder = await temporaryFolder();
    const data = join(folder.path, "data");
    const environment = settingsOf(bucket);
    const go = (args: readonly string[], dataDir = data) =>
      run([...args, "--data-dir", dataDir], { environment });
    await Bun.write(join(folder.path, "skin.png"), skinPng(1));
    const user = userCreation("Anna", "correct horse 9");
    expect(await go(user)).toMatchObject({ code: 0 });
    expect(
      await go(["skin", "add", "--user", "Anna", "--file", join(folder.path, "skin.png")]),
    ).toMatchObject({
      code: 0,
    });
    const keys = async () =>
      ((await bucket.client.list({ prefix: `${bucket.prefix}/` })).contents ?? []).map(({ key }) => key);
    const texture = (await keys()).find((key) => !key.endsWith(".json")) ?? "";
    expect(await go(["fsck"])).toMatchObject({ code: 0, out: "1 textures checked, all in order\n" });

    const archive = join(folder.path, "archive");
    expect(await go(["backup", archive])).toMatchObject({ code: 0 });
    await bucket.client.write(texture, "damaged");
    const found = await go(["fsck"]);
    expect(found.code).toBe(1);
    expect(found.out).toStartWith(
      `damaged     ${bucket.url}/${texture.slice(bucket.prefix.length + 1)} (skins and capes: 1)`,
    );
    // Nothing is known to be better: it stays where it is.
    expect((await go(["fsck", "--mend"])).code).toBe(1);
    expect(await keys()).toContain(texture);
    expect((await go(["fsck", "--mend", "--from", archive])).code).toBe(0);
    expect(await go(["fsck"])).toMatchObject({ code: 0 });
    expect(await keys()).toHaveLength(4);

    const doctor = async (dataDir: string, more: Record<string, string> = {}) => {
      const { out } = await run(["doctor", "--json", "--data-dir", dataDir], {
        environment: { ...environment, ...more },
      });
      const { findings } = JSON.parse(out) as { findings: readonly NamedFinding[] };
      return findings.filter(({ check }) => check === "bucket");
    };
    expect(await doctor(data)).toMatchObject([
      { state: "ok", message: expect.stringContaining("can be read and written") },
    ]);
    expect(await doctor(data, { BLOBS: `${bucket.url}/new` })).toMatchObject([
      { state: "ok", message: expect.stringContaining("nothing was stored there yet") },
    ]);
    expect(await doctor(data, { S3_SECRET_ACCESS_KEY: "wrong" })).toMatchObject([
      { state: "problem", message: expect.stringMatching(/cannot be used.*: 403/) },
    ]);

    const elsewhere = join(folder.path, "elsewhere");
    expect((await go(user, elsewhere)).code).toBe(0);
    expect(await doctor(elsewhere)).toMatchObject([
      { state: "problem", message: expect.stringContaining("another community") },
    ]);
    const refused = await go(
      ["skin", "add", "--user", "Anna", "--file", join(folder.path, "skin.png")],
      elsewhere,
    );
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("holds the textures of another community");
    // Without it all textures would count as lost, and the rest as done.
    const other = join(folder.path, "other");
    const secret = { JWT_SECRET: "correct horse battery staple, twice" };
    for (const command of [
      ["backup", archive],
      ["move", "--to", other, "--blobs", "files"],
    ])
      expect(
        await run([...command, "--data-dir", elsewhere], { environment: { ...environment, ...secret } }),
      ).toEqual({
        code: 1,
        out: "",
        error: expect.stringContaining(
          `${bucket.url}/ holds the textures of another community: give BLOBS another prefix`,
        ),
      });
    expect(existsSync(other)).toBe(false);
    const started = await go(["serve", "--port", "0"], elsewhere);
    expect(started.code).toBe(1);
    expect(started.error).toContain("holds the textures of another community");
    expect(started.error).not.toContain(bucket.secretAccessKey);
  });
});

describe.skipIf(bucketMissing !== null)("a move", () => {
  test("takes textures into a bucket and back, and the bucket belongs to the community then", async () => {
    await using bucket = await testBucket();
    await using folder = await temporaryFolder();
    const [home, moved, back] = ["home", "moved", "back"].map((name) => join(folder.path, name));
    await makeData(home!);
    const keys = settingsOf(bucket);
    const { BLOBS: _, ...withoutPlace } = keys;
    const there = await run(["move", "--to", moved!, "--blobs", bucket.url, "--data-dir", home!], {
      environment: withoutPlace,
    });
    expect({ code: there.code, error: there.error }).toEqual({ code: 0, error: "" });
    const { contents = [] } = await bucket.client.list({ prefix: `${bucket.prefix}/` });
    expect(contents).toHaveLength(6);
    expect(existsSync(join(moved!, "textures"))).toBe(false);
    expect(await run(["fsck", "--data-dir", moved!], { environment: keys })).toMatchObject({
      code: 0,
      out: "4 textures checked, all in order\n",
    });
    const homewards = await run(["move", "--to", back!, "--blobs", "files", "--data-dir", moved!], {
      environment: keys,
    });
    expect({ code: homewards.code, error: homewards.error }).toEqual({ code: 0, error: "" });
    expect(await run(["fsck", "--data-dir", back!])).toMatchObject({ code: 0 });
    expect(texturesIn(back!)).toEqual(texturesIn(home!));
  });
});

function texturesIn(dataDir: string): readonly string[] {
  const { textures = [] } = rowsOf(dataDir);
  return textures.map((row) => JSON.stringify(row)).toSorted();
}

type NamedFinding = { readonly check: string; readonly state: string; readonly message: string };

/** So many hours from now by the machine's clock, as the bucket's server has it. */
function servicesAt({ services }: Harness, hours: number) {
  return { ...services, clock: { ...services.clock, nowSeconds: () => Date.now() / 1000 + hours * 3600 } };
}

/** Tries for a while, as the next look at a bucket that was away is a second off. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await Bun.sleep(200);
    }
  }
}
