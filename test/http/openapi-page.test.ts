import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { serveFile } from "../../src/http/openapi/served-file.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  harness.fetch(path, { headers });

/** What the page has a browser load. */
async function loadedFiles(): Promise<readonly string[]> {
  const page = await (await get("/swagger")).text();
  return [...page.matchAll(/\b(?:src|href)="(?<address>[^"]+)"/g)].map(
    ({ groups }) => groups?.["address"] ?? "",
  );
}

describe.each(["/swagger", "/swagger/"])("the page at %s", (path) => {
  test("is HTML under a policy that lets nothing in from elsewhere, and no script within it", async () => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html;charset=utf-8");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(await page.text()).not.toMatch(/<style|<script>|\bon\w+=|\bstyle=/);
  });
});

test("the page loads its files from here, and each has its type", async () => {
  const files = await loadedFiles();
  expect(files).toEqual([
    "data:,",
    "/swagger/swagger-ui.css",
    "/swagger/page.css",
    "/swagger/swagger-ui-bundle.js",
    "/swagger/page.js",
  ]);
  for (const file of files.slice(1)) {
    const { status, headers } = await get(file);
    expect({ file, status, type: headers.get("content-type") }).toEqual({
      file,
      status: 200,
      type: file.endsWith(".css") ? "text/css;charset=utf-8" : "text/javascript;charset=utf-8",
    });
  }
});

test.each(["swagger-ui.css", "page.css"])("%s loads nothing but what is within it", async (file) => {
  const style = await (await get(`/swagger/${file}`)).text();
  const addresses = [...style.matchAll(/url\(\s*["']?([^"')]{0,20})|(@import)/g)].map(
    ([, url, rule]) => url ?? rule,
  );
  expect(addresses.filter((address) => !address?.startsWith("data:"))).toEqual([]);
});

test("the script asks for the document here, keeps no token and asks no other host to check the document", async () => {
  const script = await (await get("/swagger/page.js")).text();
  expect(script).toContain(`url: "/swagger/json"`);
  expect(script).toContain("persistAuthorization: false");
  expect(script).toContain("filter: true");
  expect(script).toContain("validatorUrl: null");
  expect(script).not.toMatch(/https?:\/\//);
});

test.each(["swagger-ui-bundle.js.LICENSE.txt", "swagger-ui-LICENSE.txt", "swagger-ui-NOTICE.txt"])(
  "the licence file %s comes along",
  async (file) => {
    const response = await get(`/swagger/${file}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain;charset=utf-8");
    expect((await response.text()).length).toBeGreaterThan(50);
  },
);

const served = ["/swagger", "/swagger/json", "/swagger/swagger-ui.css", "/swagger/swagger-ui-bundle.js"];

describe.each(served)("%s", (path) => {
  test("is compressed for clients that take gzip, and the same for others", async () => {
    const plain = await get(path);
    const zipped = await get(path, { "accept-encoding": "br, gzip;q=0.8" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.headers.get("vary")).toBe("accept-encoding");
    expect(zipped.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    const bytes = await zipped.bytes();
    const whole = await plain.bytes();
    expect(bytes.length).toBeLessThan(whole.length);
    expect(Buffer.compare(Bun.gunzipSync(new Uint8Array(bytes)), whole)).toBe(0);
  });

  test.each(["identity", "gzip;q=0", "gzip; q=0.0, br", "br", "xgzip"])(
    "is plain for %s",
    async (codings) => {
      expect((await get(path, { "accept-encoding": codings })).headers.get("content-encoding")).toBeNull();
    },
  );

  test.each([{}, { "accept-encoding": "gzip" }])(
    "is not sent again to a client that has it: %p",
    async (headers) => {
      const first = await get(path, headers);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]{22,}"$/);
      const again = await get(path, { ...headers, "if-none-match": etag });
      expect(again.status).toBe(304);
      expect(again.headers.get("etag")).toBe(etag);
      expect(await again.text()).toBe("");
      expect((await get(path, { ...headers, "if-none-match": `"other"` })).status).toBe(200);
    },
  );

  test("may be kept but is asked for each time, and is taken for nothing else", async () => {
    const { headers } = await get(path);
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

test.each([
  "/swagger/absent.js",
  "/swagger/page.html",
  "/swagger/..%2fpackage.json",
  "/swagger/%2e%2e%2fpackage.json",
  "/swagger/swagger-ui.css/x",
  "/swagger/__proto__",
])("there is nothing at %s", async (path) => {
  expect((await get(path)).status).toBe(404);
});

test("the page takes no other method", async () => {
  const response = await harness.fetch("/swagger", { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, HEAD");
});

test("the page is served over a connection as it is within", async () => {
  const { address } = harness.listen();
  const head = await fetch(`${address}/swagger/swagger-ui-bundle.js`, { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  const script = await fetch(`${address}/swagger/swagger-ui-bundle.js`);
  expect(await script.text()).toContain("SwaggerUIBundle");
});

test("a file that could not be read once is read at the next request", async () => {
  let reads = 0;
  const file = serveFile({
    type: "text/plain",
    read: async () => {
      reads += 1;
      if (reads === 1) throw new Error("too many open files");
      return new TextEncoder().encode("a licence");
    },
  });
  const ask = () => file(new Request("http://localhost/"));
  expect(await ask().catch(String)).toContain("too many open files");
  expect(await (await ask()).text()).toBe("a licence");
  expect((await ask()).status).toBe(200);
  expect(reads).toBe(2);
});
