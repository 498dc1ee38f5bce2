import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accentColours } from "../../src/domain/model/accent.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { checkHeaders } from "../support/scenario.ts";

const settings = {
  COMMUNITY_ACCENT: "#ffcc00",
  COMMUNITY_LOGO: new URL("../../docs/examples/cape.png", import.meta.url).pathname,
};

let harness: Harness;
let plain: Harness;
let html: string;
beforeAll(async () => {
  [harness, plain] = await Promise.all([openHarness({ settings, readsFiles: true }), openHarness()]);
  html = await (await harness.fetch("/login")).text();
});
afterAll(() => Promise.all([harness, plain].map((one) => one[Symbol.asyncDispose]())));

/** Addresses in attributes of the page. */
function addressesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:src|href)="(?<address>[^"]+)"/g), (match) => match.groups!["address"]!);
}

const year = "public, max-age=31536000, immutable";
const unpackers: Readonly<Record<string, (bytes: ArrayBuffer) => Uint8Array>> = {
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  gzip: (bytes) => Bun.gunzipSync(bytes),
};

test("everything that a page names is there, for a year, and of this server", async () => {
  const addresses = addressesIn(html).filter((address) => address !== "/");
  expect(addresses.filter((address) => address.startsWith("/console/assets/")).length).toBeGreaterThan(1);
  for (const address of addresses) {
    expect(address).toStartWith("/console/");
    for (const _ of ["at first", "again"]) {
      const response = await harness.fetch(address);
      expect([address, response.status]).toEqual([address, 200]);
      checkHeaders(response, {
        "cache-control": year,
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        etag: /^"/,
      });
    }
  }
});

test.each(["zstd", "gzip"])(
  "scripts and styles come in %s with the same bytes, and in 304",
  async (coding) => {
    const addresses = addressesIn(html).filter((address) => /\.(?:js|css)$/.test(address));
    for (const address of addresses) {
      const wanted = await (await harness.fetch(address)).text();
      // A script of some lines is not made smaller.
      if (wanted.length < 500) continue;
      for (const _ of ["at first", "again"]) {
        const packed = await harness.fetch(address, { headers: { "accept-encoding": coding } });
        checkHeaders(packed, { "content-encoding": coding, vary: /accept-encoding/i });
        expect(new TextDecoder().decode(unpackers[coding]!(await packed.arrayBuffer()))).toBe(wanted);
        const etag = packed.headers.get("etag")!;
        const same = await harness.fetch(address, {
          headers: { "accept-encoding": coding, "if-none-match": etag },
        });
        expect(same.status).toBe(304);
      }
    }
  },
);

describe("what is no asset", () => {
  test.each([
    "/console/assets/index-00000000.js",
    "/console/assets/manifest.json",
    "/console/assets/index.html",
    "/console/assets/toString",
    "/console/assets/__proto__",
    "/console/assets/..%2fmanifest.json",
    "/console/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/console/assets/%00",
  ])("%s is text, never a page, however it is asked for", async (address) => {
    for (const headers of [
      {},
      { "sec-fetch-dest": "script" },
      { "sec-fetch-dest": "document", accept: "text/html" },
    ]) {
      const response = await harness.fetch(address, { headers });
      expect(response.status).toBe(404);
      checkHeaders(response, { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" });
    }
  });
});

test("the page itself is no asset, and no map of the sources is served", async () => {
  const scripts = addressesIn(html).filter((address) => address.endsWith(".js"));
  for (const script of scripts) {
    expect((await harness.fetch(`${script}.map`)).status).toBe(404);
    expect(await (await harness.fetch(script)).text()).not.toContain("sourceMappingURL");
  }
});

test("the accent is a style of two colours that can be read", async () => {
  expect(html).toMatch(/<link rel="stylesheet" href="\/console\/accent\.css\?[\w-]{22}">/);
  const response = await harness.fetch("/console/accent.css");
  checkHeaders(response, { "content-type": "text/css;charset=utf-8", "cache-control": "no-cache" });
  const { light, dark } = accentColours("#ffcc00");
  expect(await response.text()).toBe(
    `:root{--accent:light-dark(${light.accent},${dark.accent});--fill:light-dark(${light.fill},${dark.fill});--on-fill:light-dark(${light.onFill},${dark.onFill})}`,
  );
});

test("the logo is an encoded PNG, and the icon of pages and of everything else", async () => {
  expect(html).toMatch(/<link rel="icon" href="\/console\/logo\?[\w-]{22}"/);
  const response = await harness.fetch("/console/logo");
  checkHeaders(response, { "content-type": "image/png", "cache-control": "no-cache" });
  const { width, height, format } = await new Bun.Image(await response.arrayBuffer()).metadata();
  expect({ width, height, format }).toEqual({ width: 64, height: 32, format: "png" });
  checkHeaders(await harness.fetch("/favicon.ico"), { location: "/console/logo" });
});

test("the icon for home screens is an opaque PNG of 180x180 pixels, with a logo and without one", async () => {
  expect(html).toMatch(/<link rel="apple-touch-icon" href="\/console\/touch-icon\?[\w-]{22}"/);
  expect(await (await plain.fetch("/login")).text()).toMatch(
    /<link rel="apple-touch-icon" href="\/console\/assets\/touch-icon-\w+\.png"/,
  );
  for (const one of [harness, plain]) {
    const response = await one.fetch("/apple-touch-icon.png");
    checkHeaders(response, { "content-type": "image/png", "cache-control": "no-cache" });
    const { width, height, data } = decodeStoredPng(await response.bytes());
    expect({ width, height }).toEqual({ width: 180, height: 180 });
    expect(data.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
    const again = await one.fetch("/apple-touch-icon.png", {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  }
  const ofLogo = await (await harness.fetch("/console/touch-icon")).bytes();
  expect(ofLogo).toEqual(await (await harness.fetch("/apple-touch-icon.png")).bytes());
});

test.each(["/console/logo", "/console/touch-icon", "/console/accent.css"])(
  "%s is versioned by its query alone",
  async (path) => {
    const etag = (await harness.fetch(path)).headers.get("etag")!;
    const versioned = `${path}?${etag.replaceAll('"', "")}`;
    for (const _ of ["at first", "again"]) {
      checkHeaders(await harness.fetch(versioned), { "cache-control": year });
      checkHeaders(await harness.fetch(`${path}?other`), { "cache-control": "no-cache" });
      const same = await harness.fetch(path, { headers: { "if-none-match": etag } });
      expect(same.status).toBe(304);
    }
  },
);

test("without logo and accent the pages name neither, and the icon is our own", async () => {
  const own = await (await plain.fetch("/login")).text();
  expect(own).not.toContain("accent.css");
  for (const path of ["/console/logo", "/console/touch-icon", "/console/accent.css"])
    expect((await plain.fetch(path)).status).toBe(404);
  const { headers } = await plain.fetch("/favicon.ico");
  const icon = await plain.fetch(headers.get("location")!);
  expect(icon.status).toBe(200);
  checkHeaders(icon, { "content-type": "image/svg+xml" });
  expect(own).toContain(`<link rel="icon" href="${headers.get("location")}"`);
});
