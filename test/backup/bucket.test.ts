import { expect, test } from "bun:test";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { bucketTarget } from "../../src/adapters/backup-s3/bucket-target.ts";
import { messageIn, run } from "../cli/run-program.ts";
import { openDataFolder, rowsOf } from "./data-world.ts";

const { folder, dataDir } = await openDataFolder();

const secretKey = "a secret access key";

const refuse = (code: string, status: number) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>said ${code}</Message></Error>`, {
    status,
  });

/**
 * As much of an S3 service as backups ask for: writing, reading, listing and deleting, with a valid
 * signature.
 */
function openBucket({
  refusal = null,
  refusesDelete = false,
  kept = (bytes) => bytes,
  list = listing,
}: {
  readonly refusal?: { readonly code: string; readonly status: number } | null;
  readonly refusesDelete?: boolean;
  /** What it keeps of the bytes that it is sent. */
  readonly kept?: (bytes: Uint8Array) => Uint8Array;
  readonly list?: typeof listing;
} = {}) {
  const objects = new Map<string, Uint8Array>();
  const methods: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      methods.push(request.method);
      const { pathname, searchParams } = new URL(request.url);
      const signature = request.headers.get("authorization") ?? "";
      const isSigned =
        /^AWS4-HMAC-SHA256 Credential=key-id\/\d{8}\/eu-test-1\/s3\/aws4_request, *SignedHeaders=\S+, *Signature=[0-9a-f]{64}$/;
      if (!isSigned.test(signature)) return refuse("AccessDenied", 403);
      if (refusal !== null) return refuse(refusal.code, refusal.status);
      const key = decodeURIComponent(pathname.replace(/^\/backups\/?/, ""));
      if (key === "") return list([...objects.keys()], searchParams);
      if (request.method === "PUT") {
        objects.set(key, kept(await request.bytes()));
        return new Response(null, { headers: { etag: '"x"' } });
      }
      if (request.method === "DELETE" && refusesDelete) return refuse("AccessDenied", 403);
      if (request.method === "DELETE") objects.delete(key);
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      const found = objects.get(key);
      return found === undefined ? refuse("NoSuchKey", 404) : new Response(found);
    },
  });
  return {
    objects,
    methods,
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Two names a page, so that there are several. */
function listing(keys: readonly string[], asked: URLSearchParams): Response {
  const prefix = asked.get("prefix") ?? "";
  const after = asked.get("start-after") ?? "";
  const rest = keys.filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = rest.slice(0, 2).map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
  const body = `<IsTruncated>${rest.length > 2}</IsTruncated>${page.join("")}`;
  return new Response(`<?xml version="1.0"?><ListBucketResult>${body}</ListBucketResult>`);
}

const backUp = (url: string, ...args: readonly string[]) =>
  run(["backup", "--json", "--data-dir", dataDir, ...args], {
    environment: {
      S3_ENDPOINT: url,
      S3_BUCKET: "backups",
      S3_REGION: "eu-test-1",
      S3_ACCESS_KEY_ID: "key-id",
      S3_SECRET_ACCESS_KEY: secretKey,
      S3_PREFIX: "/skins/",
    },
  });

test("a backup goes to the bucket, can be restored from there, and old ones go", async () => {
  await using bucket = openBucket();
  const old = [1, 2, 3, 4, 5].map((day) => `skins/cloakroom-2020-01-0${day}T00-00-00Z.tar.zst`);
  for (const key of [...old, "skins/mine.tar.zst", "cloakroom-2020-01-01T00-00-00Z.tar.zst"]) {
    bucket.objects.set(key, new Uint8Array(1));
  }
  const { code, out, error } = await backUp(bucket.url, "--backup-keep", "3");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const { file, removed } = JSON.parse(out);
  expect(removed).toEqual(old.slice(0, 3).map((key) => key.slice("skins/".length)));
  const key = file.replace("s3://backups/", "");
  expect([...bucket.objects.keys()].toSorted()).toEqual(
    ["cloakroom-2020-01-01T00-00-00Z.tar.zst", ...old.slice(3), String(key), "skins/mine.tar.zst"].toSorted(),
  );

  const archive = join(folder, "fetched");
  await Bun.write(archive, bucket.objects.get(key) ?? "");
  const restored = join(folder, "restored");
  expect((await run(["restore", archive, "--data-dir", restored])).code).toBe(0);
  expect(rowsOf(restored)).toEqual(rowsOf(dataDir));
});

test.each([
  ["NoSuchBucket", 404],
  ["AccessDenied", 403],
  ["InternalError", 500],
])("a bucket that says %s makes the backup fail in its words, without the key", async (code, status) => {
  await using bucket = openBucket({ refusal: { code, status } });
  const { code: exit, out, error } = await backUp(bucket.url);
  expect({ exit, out }).toEqual({ exit: 1, out: "" });
  expect(error).toContain("the bucket backups cannot be listed: ");
  expect(error).toContain(code);
  expect(error).not.toContain(secretKey);
  // It asks before there is anything to upload.
  expect(bucket.methods).not.toContain("PUT");
});

const page = (...names: readonly string[]) => {
  const contents = names.map((name) => `<Contents><Key>skins/${name}</Key><Size>1</Size></Contents>`);
  const body = `<IsTruncated>true</IsTruncated>${contents.join("")}`;
  return new Response(`<?xml version="1.0"?><ListBucketResult>${body}</ListBucketResult>`);
};

test.each([
  ["always begins again", () => page("one", "two")],
  ["has more and shows nothing", () => page()],
  ["never ends", () => page(crypto.randomUUID())],
])("a bucket whose list %s is not asked for ever", async (_, list) => {
  await using bucket = openBucket({ list });
  const made = await backUp(bucket.url);
  expect(made).toMatchObject({ code: 1, out: "" });
  expect(messageIn(made)).toMatch(/: its list of names (?:does not continue|has no end)$/);
});

test.each([
  ["is removed", false, 0, /it keeps 5 bytes of \d+$/],
  ["is reported where it cannot be removed", true, 1, /it keeps 5 bytes of \d+, and does not remove them: /],
])("half a backup in the bucket %s, and no older one goes for it", async (_, refusesDelete, left, words) => {
  await using bucket = openBucket({ refusesDelete, kept: (bytes) => bytes.slice(0, 5) });
  const old = [1, 2].map((day) => `skins/cloakroom-2020-01-0${day}T00-00-00Z.tar.zst`);
  for (const key of old) bucket.objects.set(key, new Uint8Array(1));
  const made = await backUp(bucket.url, "--backup-keep", "1");
  expect(made).toMatchObject({ code: 1, out: "" });
  expect(messageIn(made)).toMatch(words);
  expect([...bucket.objects.keys()].slice(0, 2)).toEqual(old);
  expect(bucket.objects.size).toBe(old.length + left);
});

test("a backup is made where the bucket removes no older one, and the failure is reported", async () => {
  await using bucket = openBucket({ refusesDelete: true });
  const old = [
    "skins/cloakroom-2020-01-01T00-00-00Z.tar.zst",
    "skins/cloakroom-2020-01-02T00-00-00Z.tar.zst",
  ];
  for (const key of old) bucket.objects.set(key, new Uint8Array(1));
  const { code, out, error } = await backUp(bucket.url, "--backup-keep", "1");
  expect(code).toBe(0);
  const { file, removed, not_removed } = JSON.parse(out);
  const reason =
    "the bucket backups does not remove cloakroom-2020-01-01T00-00-00Z.tar.zst: said AccessDenied (AccessDenied)";
  expect({ removed, not_removed }).toEqual({ removed: [], not_removed: reason });
  expect(error).toBe(`cloakroom: the backup is made, but older ones are left: ${reason}\n`);
  expect([...bucket.objects.keys()].toSorted()).toEqual([...old, file.replace("s3://backups/", "")]);
});

test("an upload that is stopped in its middle is taken back from the bucket", async () => {
  const stopping = new AbortController();
  const reason = new Error("stopped");
  const takenBack = Promise.withResolvers<string | null>();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { searchParams } = new URL(request.url);
      if (request.method === "POST" && searchParams.has("uploads")) {
        const answer =
          "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>";
        return new Response(`<?xml version="1.0"?>${answer}`);
      }
      if (request.method === "DELETE") takenBack.resolve(searchParams.get("uploadId"));
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      await request.bytes();
      stopping.abort(reason);
      return new Response(null, { headers: { etag: '"x"' } });
    },
  });
  const path = join(folder, "large");
  await Bun.write(path, "");
  await truncate(path, 100 * 1024 * 1024);
  const target = bucketTarget({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: null,
    bucket: "backups",
    accessKeyId: "key-id",
    secretAccessKey: secretKey,
    prefix: "",
  });
  expect(await target.put(path, "large", stopping.signal).catch((error: unknown) => error)).toBe(reason);
  expect(await takenBack.promise).toBe("u1");
});

test("doctor looks at the bucket", async () => {
  await using bucket = openBucket();
  const environment = {
    BACKUP_SCHEDULE: "@daily",
    BACKUP_PASSPHRASE: "a long passphrase",
    S3_ENDPOINT: bucket.url,
    S3_BUCKET: "backups",
    S3_REGION: "eu-test-1",
    S3_ACCESS_KEY_ID: "key-id",
    S3_SECRET_ACCESS_KEY: secretKey,
  };
  const look = async () => {
    const { out } = await run(["doctor", "--json", "--data-dir", dataDir, "--port", "0"], { environment });
    const { findings } = JSON.parse(out) as { findings: { check: string; state: string; message: string }[] };
    return findings.find(({ check }) => check === "backups");
  };
  expect(await look()).toMatchObject({ state: "warning", message: "none yet in the bucket backups" });
  bucket.objects.set("cloakroom-2020-01-01T00-00-00Z.tar.zst", new Uint8Array(1));
  expect(await look()).toMatchObject({ state: "problem" });
});
