/** Textures in a bucket: the rules of every store, and what happens when the bucket or the network fails. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openBlobBucket, type BlobBucket } from "../../src/adapters/blob-s3/blob-bucket.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { newTextureFile, parseTextureFile, parseTextureHash } from "../../src/kernel/ids.ts";
import { bucketMissing, testBucket, type TestBucket } from "../support/bucket.ts";
import { openBucketProxy, type BucketProxy, type RequestFault } from "../support/bucket-proxy.ts";
import { blobStoreSuite, listAll } from "./blob-store.suite.ts";

if (bucketMissing !== null) console.error(`NOT RUN: textures in a bucket (${bucketMissing})`);

const hash = parseTextureHash("ab".repeat(32))!;
const bytes = new Uint8Array(5000).fill(7);

function openAt(
  access: Omit<TestBucket, typeof Symbol.asyncDispose>,
  more: { endpoint?: string; bucket?: string; onOutage?: (reason: string | null) => void } = {},
  community = "one",
): BlobBucket {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix } = access;
  const options = { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix: `${prefix}/`, ...more };
  return openBlobBucket(options, async () => community);
}

describe.skipIf(bucketMissing !== null)("in a bucket", () => {
  blobStoreSuite("a bucket", async () => {
    const bucket = await testBucket();
    return {
      blobs: openAt(bucket),
      reopen: async () => openAt(bucket),
      count: async () => {
        const { contents = [] } = await bucket.client.list({ prefix: `${bucket.prefix}/` });
        return contents.filter(({ key }) => !key.endsWith("/cloakroom.json")).length;
      },
      plant: (file, planted) =>
        bucket.client.write(`${bucket.prefix}/${file.slice(0, 2)}/${file}`, new Blob([Buffer.from(planted)])),
      [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose](),
    };
  });

  describe("a prefix", () => {
    test("belongs to the community that first wrote there; another one is refused and changes nothing", async () => {
      await using bucket = await testBucket();
      const [own, other] = [openAt(bucket), openAt(bucket, {}, "two")];
      const file = await own.put(hash, bytes);
      await own.claim();
      await openAt(bucket).claim();
      const refusal = await other.claim().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ kind: "conflict" });
      expect(String(refusal)).toContain(
        `s3://${bucket.bucket}/${bucket.prefix}/ holds the textures of another`,
      );
      // In words that are not shown to members.
      expect(await other.put(hash, bytes).catch((error: unknown) => error)).not.toBeInstanceOf(AppError);
      expect(await other.delete(file).catch((error: unknown) => error)).not.toBeInstanceOf(AppError);
      expect(await own.read(file)).toEqual(bytes);
      expect(await listAll(own)).toHaveLength(1);
    });

    test("goes to one of several communities that come at once", async () => {
      await using bucket = await testBucket();
      const names = Array.from({ length: 10 }, (_, i) => `community ${i}`);
      const outcomes = await Promise.allSettled(names.map((name) => openAt(bucket, {}, name).claim()));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });

    test("whose marker is not one is refused", async () => {
      await using bucket = await testBucket();
      await bucket.client.write(`${bucket.prefix}/cloakroom.json`, "{");
      expect(await openAt(bucket).claim().catch(String)).toContain("another community");
    });

    test("is looked through with what is not ours, but for the marker", async () => {
      await using bucket = await testBucket();
      const blobs = openAt(bucket);
      const file = await blobs.put(hash, bytes);
      await bucket.client.write(`${bucket.prefix}/note.txt`, "mine");
      await bucket.client.write(`${bucket.prefix}/cd/${file}`, "elsewhere");
      const found = await Array.fromAsync(blobs.files());
      expect(found.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
        "stranger cd/" + file,
        "stranger note.txt",
        `texture ab/${file}`,
      ]);
      expect((await listAll(blobs)).map((one) => one.file)).toEqual([file]);
    });
  });
});

describe.skipIf(bucketMissing !== null)("when the bucket fails", () => {
  let bucket: TestBucket;
  let proxy: BucketProxy;
  let blobs: BlobBucket;
  let news: (string | null)[];
  let asked: string[];
  beforeAll(async () => {
    bucket = await testBucket();
    proxy = await openBucketProxy(bucket);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await bucket[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await proxy.heal();
    proxy.onRequest(() => null);
    news = [];
    blobs = openAt(bucket, { endpoint: proxy.endpoint, onOutage: (reason) => news.push(reason) });
    await blobs.claim();
    asked = [];
  });

  /** Does this to the first requests that are no list, and lets the others pass. */
  const failing = (fault: RequestFault, times = Number.POSITIVE_INFINITY) => {
    let left = times;
    proxy.onRequest(({ method }) => {
      asked.push(method);
      return left-- > 0 ? fault : null;
    });
  };
  const passing: readonly RequestFault[] = [
    { answer: 503 },
    { answer: 500 },
    { answer: 502 },
    { answer: 429 },
    { answerAfter: 500 },
    "reset",
    "loseAnswer",
  ];

  test.each(passing.map((fault) => [JSON.stringify(fault), fault] as const))(
    "%s twice is made good by a third try",
    async (_, fault) => {
      failing(fault, 2);
      const file = await blobs.put(hash, bytes);
      expect(asked).toEqual(["PUT", "PUT", "PUT"]);
      expect(await blobs.read(file)).toEqual(bytes);
      expect(news).toEqual([]);
    },
  );

  test("every request has three tries", async () => {
    const file = await blobs.put(hash, bytes);
    failing({ answer: 503 }, 2);
    expect(await blobs.read(file)).toEqual(bytes);
    failing({ answer: 503 }, 2);
    await blobs.delete(file);
    expect(asked).toEqual(["GET", "GET", "GET", "DELETE", "DELETE", "DELETE"]);
    failing({ answer: 503 }, 2);
    expect(await listAll(blobs)).not.toContainEqual(expect.objectContaining({ file }));
    expect(await blobs.read(file)).toBeNull();
    expect(news).toEqual([]);
  });

  test.each(["half", "stallHalf"] as const)(
    "an answer that is cut (%s) is asked for again",
    async (fault) => {
      const file = await blobs.put(hash, bytes);
      failing(fault, 1);
      expect(await blobs.read(file)).toEqual(bytes);
      expect(asked).toEqual(["GET", "GET"]);
    },
  );

  test("a changed byte passes: the row's digest finds it", async () => {
    const file = await blobs.put(hash, bytes);
    failing("changeByte", 1);
    const read = await blobs.read(file);
    expect(read).toHaveLength(bytes.length);
    expect(read).not.toEqual(bytes);
  });

  test("an upload whose answer was lost is stored once", async () => {
    const before = await listAll(openAt(bucket));
    failing("loseAnswer", 2);
    const file = await blobs.put(hash, bytes);
    const after = await listAll(openAt(bucket));
    expect(after).toHaveLength(before.length + 1);
    expect(await openAt(bucket).read(file)).toEqual(bytes);
  });

  test.each([400, 403, 405])("%d is not tried again", async (status) => {
    failing({ answer: status });
    expect(await outcome(blobs.put(hash, bytes))).toBe("unavailable");
    expect(asked).toEqual(["PUT"]);
    expect(news).toEqual([expect.stringContaining(String(status))]);
  });

  test("a name that is taken is a fault, and nothing is overwritten", async () => {
    const file = await blobs.put(hash, bytes);
    failing({ answer: 412 });
    expect(await outcome(blobs.put(hash, bytes))).toContain("has an object named");
    proxy.onRequest(() => null);
    expect(await blobs.read(file)).toEqual(bytes);
  });

  test.each([
    ["answers 503", { answer: 503 }],
    ["resets", "reset"],
  ] as const)(
    "a bucket that %s is unavailable after three tries, then at once, and back by itself",
    async (_, fault) => {
      const file = await blobs.put(hash, bytes);
      failing(fault);
      expect(await outcome(blobs.read(file))).toBe("unavailable");
      expect(asked).toHaveLength(3);
      const crowd = await Promise.all(Array.from({ length: 200 }, () => outcome(blobs.read(file))));
      expect(new Set(crowd)).toEqual(new Set(["unavailable"]));
      expect(asked.length).toBeLessThanOrEqual(4);
      expect(news).toEqual([expect.any(String)]);
      expect(blobs.outage()).toBe(news[0]!);
      proxy.onRequest(() => null);
      await eventually(async () => expect(await outcome(blobs.read(file))).toEqual(bytes));
      expect(news).toEqual([expect.any(String), null]);
      expect(blobs.outage()).toBeNull();
    },
  );

  test("a bucket that stalls is given up within ten seconds, by all that wait at once", async () => {
    const file = await blobs.put(hash, bytes);
    proxy.stall();
    const began = performance.now();
    const all = [
      ...Array.from({ length: 50 }, () => blobs.read(file)),
      blobs.put(hash, bytes),
      blobs.delete(file),
    ];
    expect(new Set(await Promise.all(all.map(outcome)))).toEqual(new Set(["unavailable"]));
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(news).toEqual([expect.stringContaining("no answer in time")]);
    await proxy.heal();
    await eventually(async () => expect(await outcome(blobs.read(file))).toEqual(bytes));
  });

  test("a list that stalls is given up, and so many lists hang at most", async () => {
    proxy.stall();
    const lists = await Promise.all(Array.from({ length: 6 }, () => outcome(blobs.list(null))));
    expect(new Set(lists)).toEqual(new Set(["unavailable"]));
    await proxy.heal();
    proxy.cut();
    await eventually(async () => expect(await outcome(blobs.list(null))).toMatchObject({ next: null }));
  });

  test("a bucket where nothing listens is unavailable, and has its requests again", async () => {
    proxy.refuse();
    proxy.cut();
    expect(await outcome(blobs.put(hash, bytes))).toBe("unavailable");
    expect(news).toEqual([expect.stringContaining("nothing listens there")]);
    await proxy.heal();
    await eventually(async () =>
      expect(parseTextureFile(String(await outcome(blobs.put(hash, bytes))))).not.toBeNull(),
    );
  });

  test("a bucket that is missing is unavailable: its textures are not", async () => {
    const elsewhere = openAt(bucket, { bucket: "no-such-bucket" });
    expect(await outcome(elsewhere.read(newTextureFile(hash)))).toBe("unavailable");
    expect(elsewhere.outage()).toBe("404 NoSuchBucket");
    expect(await outcome(openAt(bucket, { bucket: "no-such-bucket" }).put(hash, bytes))).toBe("unavailable");
    expect(await outcome(openAt(bucket, { bucket: "no-such-bucket" }).list(null))).toBe("unavailable");
  });

  test("no reason and no error holds a key or an address", async () => {
    const found: string[] = [];
    // The proxy answers instead of the bucket, which would refuse these.
    const secret = { ...bucket, accessKeyId: "another-key", secretAccessKey: "another secret" };
    for (const fault of [{ answer: 403 }, "reset", { answer: 503 }, "half"] as const) {
      failing(fault);
      const mine = openAt(secret, {
        endpoint: proxy.endpoint,
        onOutage: (reason) => found.push(String(reason)),
      });
      const error = await mine.read(newTextureFile(hash)).catch((cause: unknown) => cause);
      found.push(Bun.inspect(error), JSON.stringify(error instanceof AppError ? error.report : null));
    }
    const text = found.join("\n");
    for (const hidden of ["another-key", "another secret", "X-Amz", "Signature=", "://"])
      expect(text).not.toContain(hidden);
    expect(found.length).toBeGreaterThan(8);
  });

  test("requests are counted by operation and result", async () => {
    const mine = openAt(bucket, { endpoint: proxy.endpoint });
    failing({ answer: 503 }, 1);
    const file = await mine.put(hash, bytes);
    await mine.read(file);
    await mine.read(newTextureFile(hash));
    await mine.list(null);
    const counts = mine.counts().map(({ operation, result, count }) => `${operation} ${result} ${count}`);
    expect(counts.toSorted()).toEqual([
      "GET missing 1",
      "GET ok 2",
      "GET repeated 1",
      "LIST ok 1",
      "PUT ok 1",
    ]);
  });
});

/** What the work gives, or the code or words of its failure. */
function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => value,
    (error: unknown) => (error instanceof AppError ? error.kind : String(error)),
  );
}

/** Tries for a while, as the next probe is a second away. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await Bun.sleep(100);
    }
  }
}
