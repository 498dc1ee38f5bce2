import { describe, expect, test } from "bun:test";
import { bucketMissing, testBucket } from "../support/bucket.ts";

if (bucketMissing !== null) console.error(`NOT RUN: buckets of tests (${bucketMissing})`);

describe.skipIf(bucketMissing !== null)("buckets of tests", () => {
  test("the server keeps objects with their tags and honours conditions", async () => {
    await using bucket = await testBucket();
    const put = (body: string) => {
      const url = bucket.client.presign(`${bucket.prefix}/once`, { method: "PUT", expiresIn: 60 });
      return fetch(url, { method: "PUT", body, headers: { "if-none-match": "*" } });
    };
    expect([(await put("first")).status, (await put("second")).status]).toEqual([200, 412]);
    const kept = await fetch(bucket.client.presign(`${bucket.prefix}/once`));
    expect([await kept.text(), kept.headers.get("etag")]).toEqual([
      "first",
      '"8b04d5e3775d298e78455efc5ca404d5"',
    ]);
  });

  test("a test's objects go with it, and those of others stay", async () => {
    await using other = await testBucket();
    await other.client.write(`${other.prefix}/a`, "x");
    const bucket = await testBucket();
    await bucket.client.write(`${bucket.prefix}/b/c`, "x");
    await bucket[Symbol.asyncDispose]();
    const keys = async (prefix: string) =>
      (await other.client.list({ prefix })).contents?.map(({ key }) => key);
    expect([await keys(bucket.prefix), await keys(other.prefix)]).toEqual([undefined, [`${other.prefix}/a`]]);
  });
});
