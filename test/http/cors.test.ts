import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkHeaders } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const site = "https://www.example.org";
const other = "https://evil.example";
const exposed =
  "ETag, Link, Location, Retry-After, X-Error, X-Mailing, X-Mails-Queued, X-Request-Id, X-Texture-Default, X-Total-Count";

let closed: Harness;
let some: Harness;
let all: Harness;
beforeAll(async () => {
  closed = await openHarness();
  some = await openHarness({ settings: { CORS_ORIGINS: `http://localhost:5173, ${site}` } });
  all = await openHarness({ settings: { CORS_ORIGINS: "*" } });
});
afterAll(() => Promise.all([closed, some, all].map((one) => one[Symbol.asyncDispose]())));

const ask = (harness: Harness, path: string, origin: string | null) =>
  harness.fetch(path, { headers: origin === null ? {} : { origin } });

const askBefore = (harness: Harness, path: string, origin: string) =>
  harness.fetch(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });

describe("an answer of the API", () => {
  test.each([
    ["is closed when nothing is set", () => closed, site, null],
    ["is open to a site that is named", () => some, site, site],
    ["is open to another that is named", () => some, "http://localhost:5173", "http://localhost:5173"],
    ["is closed to any other", () => some, other, null],
    ["is closed to a site whose name only begins so", () => some, `${site}.evil.example`, null],
    ["is closed to a site on another port", () => some, `${site}:8443`, null],
    ["is closed to a site without TLS", () => some, "http://www.example.org", null],
    ["is closed to a page without an origin of its own", () => some, "null", null],
    ["says to caches that it depends, also without a browser", () => some, null, null],
    ["is open to all where all are", () => all, other, "*"],
    ["is open to a page without an origin where all are", () => all, "null", "*"],
  ])("%s", async (_, harness, origin, allowed) => {
    const response = await ask(harness(), "/api/home", origin);
    expect(response.status).toBe(401);
    checkHeaders(response, {
      "access-control-allow-origin": allowed,
      "access-control-expose-headers": allowed === null ? null : exposed,
      "access-control-allow-credentials": null,
    });
    const depends = response.headers.get("vary")?.includes("Origin") ?? false;
    expect(depends).toBe(harness() === some);
  });
});

describe("pictures and descriptors are open to all, whatever is set", () => {
  test.each([
    ["a picture", "/api/skin/launcher/8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b", 200],
    ["one that is not there", "/api/skin/head/Nobody1", 404],
    ["a file that is not there", `/textures/${"0".repeat(64)}`, 404],
  ])("%s", async (_, path, status) => {
    for (const harness of [closed, some, all]) {
      const response = await ask(harness, path, other);
      expect(response.status).toBe(status);
      checkHeaders(response, {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": /ETag.*X-Texture-Default/,
        "access-control-allow-credentials": null,
      });
    }
  });
});

describe("the console's addresses are for its own pages, whatever is set", () => {
  test.each(["/console/session", "/console/social", "/console/community", "/console/nothing"])(
    "%s",
    async (path) => {
      for (const harness of [closed, some, all]) {
        const answers = [await ask(harness, path, site), await askBefore(harness, path, site)];
        for (const response of answers) {
          checkHeaders(response, {
            "access-control-allow-origin": null,
            "access-control-allow-methods": null,
            "access-control-allow-headers": null,
            "access-control-allow-credentials": null,
          });
        }
        checkHeaders(answers[0]!, { "cache-control": "no-store" });
      }
    },
  );
});

describe("a browser that asks beforehand", () => {
  test.each([
    ["hears the methods of the address", () => some, "/api/home", "GET, HEAD"],
    ["hears of several", () => some, "/api/home/edit/skin", "DELETE, PUT"],
    ["hears them with parameters in the path", () => some, "/api/home/sessions/1", "DELETE"],
    ["hears them where all are welcome", () => all, "/api/auth/login", "POST"],
    ["hears them for pictures", () => closed, "/api/skin/head/Anna", "GET, HEAD"],
  ])("%s", async (_, harness, path, methods) => {
    const response = await askBefore(harness(), path, site);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    checkHeaders(response, {
      "access-control-allow-origin": harness() === some ? site : "*",
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "600",
      "access-control-allow-credentials": null,
      "cache-control": "no-store",
    });
    const heard = response.headers.get("access-control-allow-methods")?.split(", ").sort();
    expect(heard).toEqual(methods.split(", "));
  });

  test.each([
    ["of a site that is not named", () => some, `/api/home ${other}`, 405],
    ["where no site is", () => closed, `/api/home ${site}`, 405],
    ["of an address that is not there", () => some, `/api/nowhere ${site}`, 404],
  ])("hears nothing: %s", async (_, harness, asked, status) => {
    const [path = "", origin = ""] = asked.split(" ");
    const response = await askBefore(harness(), path, origin);
    expect(response.status).toBe(status);
    checkHeaders(response, { "access-control-allow-methods": null, "access-control-allow-headers": null });
  });

  test("differs from an OPTIONS that is no such question", async () => {
    const response = await some.fetch("/api/home", { method: "OPTIONS", headers: { origin: site } });
    expect(response.status).toBe(405);
    checkHeaders(response, { allow: "GET, HEAD", "access-control-allow-methods": null });
  });
});

const headersOf = ({ headers }: Response) => Object.fromEntries(headers);

describe("a cached answer says the same as the one before it", () => {
  const addresses = [
    "/",
    "/login",
    "/u/Alice",
    "/console/logo",
    "/api/skin/head/Alice?size=64",
    "/favicon.ico",
    "/apple-touch-icon.png",
  ];

  test.each(
    addresses.flatMap((path) =>
      [() => closed, () => some, () => all].flatMap((harness) =>
        [site, other, null].map((origin) => [path, origin, harness] as const),
      ),
    ),
  )("%s, asked by %p", async (path, origin, harness) => {
    if (origin === null && path === "/u/Alice") await addMember(harness(), "Alice");
    const fresh = await ask(harness(), path, origin);
    const cached = await ask(harness(), path, origin);
    expect(headersOf(cached)).toEqual(headersOf(fresh));
    if (!path.startsWith("/api/")) checkHeaders(fresh, { "access-control-allow-origin": null });
  });
});

test("no page is open to another origin, whatever is set", async () => {
  for (const path of ["/login", "/no/such/page", "/mail/unsubscribe/x", "/swagger"]) {
    const headers = { origin: other, "sec-fetch-dest": "document", accept: "text/html" };
    const response = await all.fetch(path, { headers });
    checkHeaders(response, { "content-type": /^text\/html/, "access-control-allow-origin": null });
  }
  expect((await askBefore(all, "/login", other)).status).not.toBe(204);
});
