/** Beginning a login, and coming back (docs/contract/social.md#begin). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { publicUrl } from "../support/harness.ts";
import { expectError } from "../support/scenario.ts";
import { openBrowser, type Browser } from "../support/social/browser.ts";
import { clientId, discordShape } from "../support/social/provider-shapes.ts";
import {
  lineOf,
  openSocialWorld,
  redirectUri,
  settingsOf,
  signInSocially,
  type SocialWorld,
} from "../support/social/social-world.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await openSocialWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The address that the browser is sent to. */
async function begin(browser: Browser): Promise<URL> {
  const response = await browser.peek(`${publicUrl}/auth/social/login`);
  return new URL(response.headers.get("location") ?? "");
}

/** Goes to the provider, and gives the address that it sends the browser back to. */
async function goThere(browser: Browser): Promise<string> {
  const there = await begin(browser);
  return (await browser.peek(there.href)).headers.get("location") ?? "";
}

describe("GET /auth/social/login", () => {
  test("sends the browser to the provider with state and proof", async () => {
    const response = await world.harness.fetch("/auth/social/login");
    expect(response.status).toBe(302);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toBe("");
    const url = new URL(response.headers.get("location") ?? "");
    expect(url.origin + url.pathname).toBe(`${world.provider.url}${discordShape.authorize}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      state: expect.stringMatching(/^discord\.\d+\.[\w-]{43}\.[\w-]{43}$/),
      scope: "identify email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("binds it to the browser by a cookie that scripts and other sites do not get", async () => {
    const response = await world.harness.fetch("/auth/social/login");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-cloakroom_login=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test("asks for a secure cookie only where browsers come by https", async () => {
    const server = world.harness.listen();
    const { config } = world.harness;
    expect(config.publicUrl).toBe(publicUrl);
    const response = await fetch(`${server.address}/auth/social/login`, { redirect: "manual" });
    expect(response.headers.get("set-cookie")).toContain("; Secure");
    await using plain = await openSocialWorld({ settings: { PUBLIC_URL: undefined } });
    const other = await fetch(`${plain.harness.listen().address}/auth/social/login`, { redirect: "manual" });
    expect(other.headers.get("set-cookie")).toMatch(
      /^cloakroom_login=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  test("is never twice the same", async () => {
    const urls = await Promise.all([1, 2].map(() => begin(openBrowser(world.harness))));
    for (const name of ["state", "code_challenge"]) {
      expect(new Set(urls.map(({ searchParams }) => searchParams.get(name))).size).toBe(2);
    }
  });

  test.each([
    ["?provider=oidc", 400, /^provider: must be discord$/],
    ["?provider=", 400, /^provider: must be discord$/],
    [`?provider=${"x".repeat(4097)}`, 400, /^provider: must have 4096 characters at most$/],
  ])("refuses %s", async (query, status, msg) => {
    await expectError(await world.harness.fetch(`/auth/social/login${query}`), status, msg);
  });

  test("takes any of several providers, the first by itself", async () => {
    const { url } = world.provider;
    const settings = {
      ...settingsOf("github", url),
      ...settingsOf("discord", url),
      SOCIAL_PROVIDERS: "github,discord",
    };
    await using several = await openSocialWorld({ settings });
    const path = async (query: string) => {
      const response = await several.harness.fetch(`/auth/social/login${query}`);
      return new URL(response.headers.get("location") ?? "").pathname;
    };
    expect(await path("")).toBe("/login/oauth/authorize");
    expect(await path("?provider=github")).toBe("/login/oauth/authorize");
    expect(await path("?provider=discord")).toBe("/oauth2/authorize");
    const refused = await several.harness.fetch("/auth/social/login?provider=google");
    await expectError(refused, 400, /^provider: must be github or discord$/);
  });

  test.each(["/auth/social/login", "/auth/social/callback?code=x"])(
    "where no provider is set up, %s is 400",
    async (path) => {
      await using none = await openSocialWorld({ settings: { SOCIAL_PROVIDERS: undefined } });
      await expectError(await none.harness.fetch(path), 400, /^No social provider is set up here$/);
    },
  );
});

/** Changes one part of the state. */
function change(query: URLSearchParams, at: number): void {
  const parts = (query.get("state") ?? "").split(".");
  const old = parts[at] ?? "";
  parts[at] = old.startsWith("A") ? `B${old.slice(1)}` : `A${old.slice(1)}`;
  query.set("state", parts.join("."));
}

/** Makes the state last longer. */
function prolong(query: URLSearchParams): void {
  const [provider = "", expires = "", ...rest] = (query.get("state") ?? "").split(".");
  query.set("state", [provider, Number(expires) + 600, ...rest].join("."));
}

describe("coming back", () => {
  test("works in the browser that began it", async () => {
    expect((await signInSocially(world)).status).toBe(404);
  });

  test("works for two tabs of a browser, in any order", async () => {
    const browser = openBrowser(world.harness);
    const [first, second] = [await goThere(browser), await goThere(browser)];
    expect((await browser.peek(second)).status).toBe(404);
    expect((await browser.peek(first)).status).toBe(404);
  });

  test("works after a restart", async () => {
    const browser = openBrowser(world.harness);
    const back = new URL(await goThere(browser));
    const again = world.harness.listen();
    const headers = { cookie: browser.cookiesFor(back.href) };
    const response = await fetch(`${again.address}${back.pathname}${back.search}`, { headers });
    expect(response.status).toBe(404);
  });

  test.each([
    ["a state that was made up", (query: URLSearchParams) => query.set("state", "x")],
    ["an empty state", (query: URLSearchParams) => query.set("state", "")],
    ["a state of another provider", (query: URLSearchParams) => change(query, 0)],
    ["a state that lasts longer", prolong],
    ["a state with another middle", (query: URLSearchParams) => change(query, 2)],
    ["a state with another end", (query: URLSearchParams) => change(query, 3)],
    ["a state that goes on", (query: URLSearchParams) => query.set("state", `${query.get("state")}.x`)],
  ])("is refused with %s, and the provider is not asked", async (_, alter) => {
    const browser = openBrowser(world.harness);
    const back = new URL(await goThere(browser));
    alter(back.searchParams);
    const before = world.provider.asked.length;
    const response = await browser.peek(back.href);
    expect(lineOf(world.harness, response)).toMatchObject({
      level: "info",
      reason: "the state is not what this browser began with",
    });
    await expectError(response, 400, /^state: is not what this browser began with; begin again$/);
    expect(world.provider.asked).toHaveLength(before);
  });

  test.each([
    ["without the cookie", () => ""],
    ["with a cookie of another origin", () => "__Host-cloakroom_login=x"],
    ["with another browser's cookie", (other: string) => other],
    // By plain http, or from a neighbouring name, another site can set this one: it must not sign a browser
    // in.
    ["with the cookie of plain http", (_, own: string) => own.replace("__Host-", "")],
    ["with another browser's cookie beside its own", (other: string, own: string) => `${own}; ${other}`],
    ["with its own beside another browser's", (other: string, own: string) => `${other}; ${own}`],
  ] satisfies [string, (other: string, own: string) => string][])("is refused %s", async (_, cookie) => {
    const browser = openBrowser(world.harness);
    const back = new URL(await goThere(browser));
    const stranger = openBrowser(world.harness);
    await begin(stranger);
    const headers = {
      cookie: cookie(stranger.cookiesFor(redirectUri), browser.cookiesFor(redirectUri)),
    };
    const response = await world.harness.fetch(back.pathname + back.search, { headers });
    await expectError(response, 400, /^state: is not what this browser began with/);
  });

  test("is refused a second time", async () => {
    const browser = openBrowser(world.harness);
    const back = await goThere(browser);
    await browser.peek(back);
    await expectError(await browser.peek(back), 400, /^state: was used already; begin again$/);
  });

  test("is refused after ten minutes", async () => {
    const browser = openBrowser(world.harness);
    const [early, late] = [await goThere(browser), await goThere(browser)];
    world.harness.clock.advance(599);
    expect((await browser.peek(early)).status).toBe(404);
    world.harness.clock.advance(1);
    await expectError(await browser.peek(late), 400, /^state: is too old; begin again$/);
  });

  test("finds the cookie among others", async () => {
    const browser = openBrowser(world.harness);
    const back = new URL(await goThere(browser));
    const headers = { cookie: `a=b; x__Host-cloakroom_login=c; ${browser.cookiesFor(redirectUri)}; z` };
    expect((await world.harness.fetch(back.pathname + back.search, { headers })).status).toBe(404);
  });

  test("without a state is served for the default provider", async () => {
    const code = world.provider.giveCode(redirectUri);
    expect((await world.harness.fetch(`/auth/social/callback?code=${code}`)).status).toBe(404);
  });

  test.each([
    ["", /^code: must be given$/],
    [`?code=${"x".repeat(4097)}`, /^code: must have 4096 characters at most$/],
  ])("is refused with the query %s", async (query, msg) => {
    await expectError(await world.harness.fetch(`/auth/social/callback${query}`), 400, msg);
  });

  test.each(["POST", "PUT", "DELETE"])("is no %s", async (method) => {
    await expectError(await world.harness.fetch("/auth/social/callback", { method }), 405);
  });
});

describe("strangers who try often are slowed down", () => {
  const limited = { RATE_LIMIT_FACTOR: "1" };

  test("at the way there and back, sixty times a minute", async () => {
    await using world = await openSocialWorld({ settings: limited });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index++) {
      const path = index % 2 === 0 ? "/auth/social/login" : "/auth/social/callback?code=x";
      statuses.push((await world.harness.fetch(path)).status);
    }
    expect(statuses).not.toContain(429);
    const response = await world.harness.fetch("/auth/social/login");
    expect(response.headers.get("retry-after")).toBe("60");
    await expectError(response, 429, /^Too many social sign-ins/);
  });

  test("at creating accounts, twenty times in ten minutes", async () => {
    await using world = await openSocialWorld({ settings: limited });
    const create = () =>
      world.harness.fetch("/api/auth/register/social", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"meta":{"id":"1","conn_id":1}}',
      });
    for (let index = 0; index < 20; index++) expect((await create()).status).toBe(400);
    await expectError(await create(), 429, /^Too many registrations/);
  });
});
