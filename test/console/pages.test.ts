import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { consolePages } from "../../src/words/page-list.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { checkHeaders } from "../support/scenario.ts";

const accent = "#ffcc00";
const settings = {
  COMMUNITY_NAME: "Ember & <Ash>",
  COMMUNITY_TEXT: "Skins </script><script>alert(1)</script>",
  COMMUNITY_LINKS: "Discord=https://discord.example.org/invite,Rules=https://www.example.org/rules",
  COMMUNITY_ACCENT: accent,
  COMMUNITY_LOGO: new URL("../../docs/examples/cape.png", import.meta.url).pathname,
};

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ settings, readsFiles: true });
  await addMember(harness, "Chief", { level: 3 });
});
afterAll(() => harness[Symbol.asyncDispose]());

const paths = consolePages.map(({ path }) => path.replace(":name", "Chief").replace(":id", "1"));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const pageHeaders = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "strict-transport-security": "max-age=31536000",
  "x-authlib-injector-api-location": "https://skins.example.org/api/yggdrasil",
  "access-control-allow-origin": null,
  "set-cookie": null,
};

/** The data in a page. */
function dataIn(html: string): unknown {
  const [, json = ""] = /<script type="application\/json" id="community">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

/** Each address twice: the second answer comes from memory. */
const twice = ["at first", "again"] as const;

test.each([
  ["/", ["pages"]],
  ["/home", ["pages"]],
  ["/admin/users/1", ["pages", "staff-pages"]],
  ["/setup", ["pages", "staff-pages"]],
])("%s names the words in the reader's language that it needs", async (path, names) => {
  const html = await (await harness.fetch(path, { headers: { "accept-language": "ru" } })).text();
  const preloaded = [...html.matchAll(/rel="modulepreload"[^>]*\/((?:staff-)?pages)-\w+\.js"/g)];
  expect(preloaded.map(([, name]) => name)).toEqual(names);
});

describe.each(paths)("the page %s", (path) => {
  test.each(twice)("has the headers of every page, %s", async () => {
    const response = await harness.fetch(path);
    expect(response.status).toBe(200);
    checkHeaders(response, { ...pageHeaders, "cache-control": "no-cache" });
    expect(response.headers.get("vary")?.toLowerCase()).toContain("accept-encoding, accept-language");
    expect(response.headers.get("permissions-policy")).toContain("camera=(), ");
    expect(response.headers.get("permissions-policy")).not.toMatch(/=\((?!\))/);
  });

  test.each(twice)("is answered with 304 and without a body, %s", async () => {
    const { headers } = await harness.fetch(path);
    const same = await harness.fetch(path, { headers: { "if-none-match": headers.get("etag")! } });
    expect(same.status).toBe(304);
    expect(await same.text()).toBe("");
    checkHeaders(same, { "content-security-policy": policy, "cache-control": "no-cache" });
  });

  test("answers HEAD with the headers of GET", async () => {
    const [head, got] = [await harness.fetch(path, { method: "HEAD" }), await harness.fetch(path)];
    expect(head.status).toBe(200);
    // In memory only some answers have it; behind the listener all do.
    for (const { headers } of [head, got]) headers.delete("content-length");
    expect([...head.headers]).toEqual([...got.headers]);
  });

  test("comes in each coding, with a tag of its own", async () => {
    const plain = await (await harness.fetch(path)).text();
    const tags = new Set<string | null>();
    for (const [coding, unpack] of Object.entries(unpackers)) {
      for (const _ of twice) {
        const response = await harness.fetch(path, { headers: { "accept-encoding": coding } });
        checkHeaders(response, { "content-encoding": coding });
        expect(new TextDecoder().decode(unpack(await response.arrayBuffer()))).toBe(plain);
        tags.add(response.headers.get("etag"));
      }
    }
    expect(tags.size).toBe(Object.keys(unpackers).length);
  });

  test("takes nothing but GET and HEAD", async () => {
    const response = await harness.fetch(path, { method: "POST" });
    expect(response.status).toBe(405);
    checkHeaders(response, { allow: "GET, HEAD", "content-type": "application/json; charset=utf-8" });
  });
});

const unpackers: Readonly<Record<string, (bytes: ArrayBuffer) => Uint8Array>> = {
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  gzip: (bytes) => Bun.gunzipSync(bytes),
};

test.each([
  ["br, gzip;q=0.5, zstd", "zstd"],
  ["gzip, deflate", "gzip"],
  ["zstd;q=0, gzip", "gzip"],
  ["br", null],
])("a browser that takes %s gets %s", async (accepted, coding) => {
  for (const _ of twice) {
    const response = await harness.fetch("/login", { headers: { "accept-encoding": accepted } });
    checkHeaders(response, { "content-encoding": coding });
  }
});

test("pages hold what GET /console/community answers, and no text ends the element", async () => {
  const { data } = (await (await harness.fetch("/console/community")).json()) as { readonly data: object };
  expect(data).toEqual({
    name: "Ember & <Ash>",
    text: "Skins </script><script>alert(1)</script>",
    links: [
      { label: "Discord", url: "https://discord.example.org/invite" },
      { label: "Rules", url: "https://www.example.org/rules" },
    ],
    logo: true,
    providers: [],
    protocols: { yggdrasil: `${publicUrl}/api/yggdrasil` },
    rules: {
      password_min: 8,
      skin_bytes_max: 1_048_576,
      hd_width_max: 1024,
      wardrobe_max: 50,
      players_max: 1,
      delete_days: 7,
      username_pattern: "^[A-Za-z0-9_]{3,16}$",
    },
    has_mail: false,
    has_name: true,
    public_url: "https://skins.example.org",
    needs_setup: false,
    version: "0.0.0-test",
  });
  const html = await (await harness.fetch("/")).text();
  expect(dataIn(html)).toEqual(data);
  expect(html).not.toContain("<script>alert");
});

test.each([
  ["/", "Ember &amp; &lt;Ash&gt;"],
  ["/login", "Sign in · Ember &amp; &lt;Ash&gt;"],
  ["/u/Chief", "Chief · Ember &amp; &lt;Ash&gt;"],
])("%s has the title %s", async (path, title) => {
  expect(await (await harness.fetch(path)).text()).toContain(`<title>${title}</title>`);
});

test.each([...paths, "/nothing"])("the community's name is text wherever %s has it", async (path) => {
  const html = await (await harness.fetch(path, { headers: { accept: "text/html" } })).text();
  expect(html).toContain("Ember &amp; &lt;Ash&gt;");
  expect(html).not.toContain("<Ash>");
});

test("the page's language is the browser's, and each has a tag of its own", async () => {
  const tags = new Set<string | null>();
  for (const [header, language, title] of [
    ["en", "en", "Sign in"],
    ["ru-RU, en;q=0.5", "ru", "Войти"],
  ] as const) {
    for (const _ of twice) {
      const response = await harness.fetch("/login", { headers: { "accept-language": header } });
      checkHeaders(response, { "content-language": language });
      const html = await response.text();
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(`<title>${title} · `);
      tags.add(response.headers.get("etag"));
    }
  }
  expect(tags.size).toBe(2);
});

test("without scripts a page says that it needs them", async () => {
  const html = await (await harness.fetch("/login")).text();
  expect(html).toMatch(/<p class="needs-script">This page needs JavaScript\./);
});

test("a page is counted and logged by its route, from memory as well", async () => {
  harness.takeRequests();
  for (const _ of twice) await harness.fetch("/admin/users/7");
  expect(harness.takeRequests().map(({ method, route, status }) => [method, route, status])).toEqual([
    ["GET", "/admin/users/:id", 200],
    ["GET", "/admin/users/:id", 200],
  ]);
});

test("before the first administrator every page says that set-up is needed, and then it does not", async () => {
  await using fresh = await openHarness();
  expect(await fresh.services.setup.begin()).not.toBeNull();
  const needs = async () => dataIn(await (await fresh.fetch("/")).text());
  for (const _ of twice) expect(await needs()).toMatchObject({ needs_setup: true });
  await addMember(fresh, "First", { level: 3 });
  fresh.clock.advance(1);
  for (const _ of twice) expect(await needs()).toMatchObject({ needs_setup: false });
});
