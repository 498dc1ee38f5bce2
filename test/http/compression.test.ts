import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { checkHeaders } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

let harness: Harness;
let rich: Member;
let poor: Member;
beforeAll(async () => {
  harness = await openHarness();
  rich = await addMember(harness, "Alice");
  poor = await addMember(harness, "Bob");
  for (let number = 1; number <= 12; number++) await addSkin(harness, rich, { file: skinPng(number) });
});
afterAll(() => harness[Symbol.asyncDispose]());

const ask = (path: string, codings: string | null, member: Member = rich, method = "GET") =>
  harness.fetch(path, {
    method,
    headers: {
      authorization: member.authorization,
      ...(codings === null ? {} : { "accept-encoding": codings }),
    },
  });

const unpack: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

describe("a large answer of JSON", () => {
  test.each([
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip;q=0.5", "gzip"],
    ["deflate, gzip;q=1.0, *;q=0.5", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["zstd;q=0, gzip", "gzip"],
    ["zstd ; q=0.000 , gzip", "gzip"],
    ["gzip;q=0", null],
    ["br", null],
    ["xgzip, gzipx", null],
    ["", null],
    [null, null],
  ])("is sent to a client that takes %p as %p", async (codings, coding) => {
    const plain = await (await ask("/api/home", null)).bytes();
    const response = await ask("/api/home", codings);
    checkHeaders(response, {
      "content-encoding": coding,
      vary: "Accept-Encoding",
      "content-type": /^application\/json/,
      "cache-control": "no-store",
    });
    const sent = await response.bytes();
    expect(plain.length).toBeGreaterThan(1024);
    if (coding === null) return expect(Buffer.from(sent).equals(plain)).toBe(true);
    expect(sent.length).toBeLessThan(plain.length / 2);
    expect(Buffer.from(unpack[coding]!(sent)).toString()).toBe(Buffer.from(plain).toString());
  });
});

describe("is sent as it is:", () => {
  test("a small answer", async () => {
    const response = await ask("/api/home", "gzip", poor);
    checkHeaders(response, { "content-encoding": null, vary: "Accept-Encoding" });
    expect(JSON.parse(await response.text()).data.Username).toBe("Bob");
  });

  test("a picture", async () => {
    const response = await ask("/api/skin/head/Alice", "gzip, zstd");
    checkHeaders(response, { "content-encoding": null, vary: null, "content-type": "image/png" });
  });

  test("a descriptor, whose tag names its bytes", async () => {
    const path = `/api/skin/launcher/${rich.uuid}`;
    const plain = await ask(path, null);
    const response = await ask(path, "gzip, zstd");
    checkHeaders(response, { "content-encoding": null, etag: plain.headers.get("etag") });
    expect(await response.text()).toBe(await plain.text());
  });

  test("the answer to HEAD, which has no body", async () => {
    const response = await ask("/api/home", "gzip", rich, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    checkHeaders(response, { "content-encoding": null });
  });

  test("what holds a token, however much of it were somebody else's text", async () => {
    const response = await harness.fetch("/api/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "gzip, zstd" },
      body: JSON.stringify({ username: "Alice", password: rich.password }),
    });
    checkHeaders(response, { "content-encoding": null, vary: null });
    expect(JSON.parse(await response.text()).data.jwt).toBeString();
  });
});

test("the API's document has a tag for each coding", async () => {
  const tags = await Promise.all(
    [null, "gzip"].map(async (codings) => (await ask("/swagger/json", codings)).headers.get("etag")),
  );
  expect(new Set(tags).size).toBe(2);
});
