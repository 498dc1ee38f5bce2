/**
 * A page of another site spends no limit of its visitors: what their browsers send for it without asking
 * beforehand is refused before anything is counted (Fetch standard, `no-cors`; Fetch Metadata).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { openHarness, publicUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const website = "https://www.example.org";
const harness = await openHarness({
  settings: {
    RATE_LIMIT_FACTOR: "1",
    TRUSTED_PROXIES: "127.0.0.1",
    CORS_ORIGINS: website,
  },
});
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");

const json = { "content-type": "application/json" };
const plain = { "content-type": "text/plain;charset=UTF-8" };
const evil = "https://evil.example";
const crossSite = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", origin: evil };

/** Every way in that counts for an address, and how often it may be used. */
const ways: readonly (readonly [path: string, body: unknown, times: number])[] = [
  ["/api/auth/login", { username: "nobody", password: "a wrong password" }, 20],
  ["/api/auth/register", { mail: "x@example.org", password: "a password" }, 20],
  ["/api/auth/confirm", { mail: "x@example.org", code: "AAAAA-AAAAA" }, 20],
  ["/api/auth/forgetpass", { mail: "x@example.org" }, 20],
  ["/api/auth/forgetpass/validate", { mail: "x@example.org", code: "AAAAA-AAAAA" }, 20],
  ["/api/auth/forgetpass/update", { mail: "x@example.org", code: "AAAAA-AAAAA", password: "a password" }, 20],
  ["/api/auth/login/social", {}, 60],
  ["/api/auth/register/social", {}, 20],
  ["/console/session", { username: "nobody", password: "a wrong password" }, 20],
  ["/console/register", { mail: "x@example.org" }, 20],
  ["/console/confirm/address", { code: "AAAAA-AAAAA" }, 20],
  ["/console/confirm", { mail: "x@example.org", code: "AAAAA-AAAAA" }, 20],
  ["/console/social", { action: "create" }, 60],
  ["/api/yggdrasil/authserver/authenticate", { username: "nobody", password: "a wrong password" }, 20],
  ["/api/yggdrasil/authserver/signout", { username: "nobody", password: "a wrong password" }, 20],
];

let networks = 0;
/** An address of the test's own. */
const someAddress = () => `192.0.2.${(networks += 1)}`;

function post(path: string, from: string, headers: Record<string, string>, body: string): Promise<Response> {
  return harness.fetch(path, { method: "POST", headers: { ...headers, "x-forwarded-for": from }, body });
}

describe.each(ways)("%s", (path, body, times) => {
  const own = path.startsWith("/console/")
    ? { "x-cloakroom-console": "1", "sec-fetch-site": "same-origin", origin: publicUrl }
    : {};
  const tries = times + 1;
  // The limit of broken bodies is 300.
  const many = 301;

  test.each([
    ["no JSON", { ...plain }, many],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, tries],
    ["of no type", { "content-type": "" }, tries],
    ["from another site", { ...plain, ...crossSite }, many],
    ["from another site, as JSON", { ...json, ...crossSite }, tries],
    ["from the same site", { ...plain, ...crossSite, "sec-fetch-site": "same-site" }, tries],
    ["from another site by plain http", { ...plain, origin: "http://evil.example" }, tries],
    ["from a page without an origin", { ...plain, ...crossSite, origin: "null" }, tries],
  ])("is not used up by what is %s", async (what, headers, times) => {
    const isLenient = path.includes("/yggdrasil/");
    // Launchers send any type.
    if (isLenient && !what.includes("from")) return;
    const from = someAddress();
    // A mail address has limits of its own.
    const text = JSON.stringify(body).replace("x@example.org", `x${networks}@example.org`);
    for (let time = 0; time < times; time++) {
      const { status } = await post(path, from, headers, text);
      expect([403, 415]).toContain(status);
    }
    const { status } = await post(path, from, { ...json, ...own }, text);
    expect(status).not.toBe(429);
  });
});

/** Signs the member in. */
const signIn = (headers: Record<string, string>, at = "/api/auth/login") => {
  const { name: username, password } = alice;
  // An account has limits as well.
  harness.clock.advance(3600);
  return post(at, someAddress(), headers, JSON.stringify({ username, password }));
};

describe("a sign-in is served", () => {
  test.each<readonly [string, Record<string, string>]>([
    ["to a program, which sends neither header", {}],
    ["to a page of ours", { "sec-fetch-site": "same-origin", origin: publicUrl }],
    ["to a page of ours by a browser without Sec-Fetch-Site", { origin: publicUrl }],
    ["to a page at the address that the request was sent to", { origin: "http://localhost" }],
    ["to a site that CORS_ORIGINS lists", { "sec-fetch-site": "cross-site", origin: website }],
    ["to a site that it lists, on a subdomain", { "sec-fetch-site": "same-site", origin: website }],
    ["to a person who typed the address", { "sec-fetch-site": "none" }],
  ])("%s", async (_, headers) => {
    expect((await signIn({ ...json, ...headers })).status).toBe(200);
    const lenient = await signIn({ ...plain, ...headers }, "/api/yggdrasil/authserver/authenticate");
    expect(lenient.status).toBe(200);
  });

  test.each<readonly [string, Record<string, string>]>([
    ["to a site that it does not list", { "sec-fetch-site": "cross-site", origin: evil }],
    ["to one on another port by plain http", { origin: "http://localhost:81" }],
    [
      "to another site that gives a listed one's name elsewhere",
      { "sec-fetch-site": "cross-site", referer: website },
    ],
  ])("but not %s", async (_, headers) => {
    const answer = await signIn({ ...json, ...headers });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("CORS_ORIGINS");
    const game = await signIn({ ...plain, ...headers }, "/api/yggdrasil/authserver/authenticate");
    expect(game.status).toBe(403);
  });
});

test.each(["/auth/social/login", "/auth/social/callback?code=x"])(
  "%s is not used up by what pages embed",
  async (path) => {
    const from = someAddress();
    const ask = async (headers: Record<string, string>) =>
      (await harness.fetch(path, { headers: { ...headers, "x-forwarded-for": from } })).status;
    const site = { "sec-fetch-site": "cross-site" };
    for (let time = 0; time < 61; time++) {
      expect(await ask({ ...site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" })).toBe(403);
      expect(await ask({ ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" })).toBe(403);
    }
    // A provider's site leads people here.
    const led = await ask({ ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" });
    expect([403, 429]).not.toContain(led);
  },
);

test("a picture is shown on a page of any site", async () => {
  const answer = await harness.fetch(`/api/skin/head/${alice.uuid}`, { headers: crossSite });
  expect(answer.status).toBe(200);
});
