/**
 * Social sign-in that ends in the console, against a certified provider that none of us wrote
 * (docs/contract/console.md#social).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import {
  openConsoleBrowser,
  ownHeaders,
  secureName,
  signInsCounted,
  type ConsoleBrowser,
  type ConsoleSession,
} from "../support/console.ts";
import { openHarness, publicUrl, siteUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { expectError } from "../support/scenario.ts";
import { openBrowser, type Browser, type Page } from "../support/social/browser.ts";
import { openOidcWorld, redirectUri } from "../support/social/social-world.ts";

const world = await openOidcWorld();
const { harness, settings } = world;
afterAll(() => world[Symbol.asyncDispose]());

const personName = "__Host-cloakroom_person";
const begin = (query = "") => `${publicUrl}/auth/social/login?to=console${query}`;
const formsMax = 4;

/**
 * Goes through the provider's pages as this person, to the address where the provider sends the browser back.
 */
async function goThere(person: string, browser: Browser, address = begin()): Promise<string> {
  browser.stopBefore(redirectUri);
  let page: Page = await browser.open(address);
  for (let forms = 0; forms < formsMax && !page.url.startsWith(redirectUri); forms++) {
    page = await browser.submit(page, { login: person, password: "any" });
  }
  browser.stopBefore(null);
  return page.url;
}

/** The callback's answer. */
async function comeBack(
  person: string,
  address = begin(),
  browser = openBrowser(harness),
): Promise<Response> {
  return browser.peek(await goThere(person, browser, address));
}

const placeOf = ({ status, headers }: Response) => `${status} ${headers.get("location")}`;

/** The pages of the console in the browser that got this answer. */
function pagesAfter(answer: Response): ConsoleBrowser {
  const pages = openConsoleBrowser(harness);
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    pages.cookies.set(name, value);
  }
  return pages;
}

/** The pages of somebody new, who came from the provider just now. */
async function meet(person: string): Promise<ConsoleBrowser> {
  const answer = await comeBack(person);
  expect(placeOf(answer)).toBe("303 /social");
  return pagesAfter(answer);
}

/** Makes an account for somebody new. */
async function createFor(person: string): Promise<void> {
  const pages = await meet(person);
  expect((await pages.send("POST /console/social", { action: "create" })).status).toBe(200);
}

describe("somebody new", () => {
  test("is led to a page, and waits in a cookie that no script and no other site gets", async () => {
    const answer = await comeBack("anna");
    expect(placeOf(answer)).toBe("303 /social");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toBe("");
    const [line = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line.replace(/=[^;]+/, "=")).toBe(
      `${personName}=; Path=/; Max-Age=600; HttpOnly; SameSite=Strict; Secure`,
    );
    const pages = pagesAfter(answer);
    const { data } = await readJson<Envelope<object>>(await pages.send("GET /console/social"));
    expect(data).toEqual({ provider: "oidc", username: "anna" });
    expect(await pages.visitor()).toBeNull();
  });

  test("creates an account, which ends the session that the browser had", async () => {
    const pages = await meet("berenice");
    const before = openConsoleBrowser(harness);
    await before.signIn(await addMember(harness, "Before"));
    for (const [name, value] of before.cookies) pages.cookies.set(name, value);
    expect((await pages.send("POST /console/social", { action: "create" })).status).toBe(200);
    expect((await pages.visitor())?.username).toBe("berenice");
    expect(await before.visitor()).toBeNull();
  });

  test("creates an account, and finishes it", async () => {
    const pages = await meet("berta");
    const answer = await pages.send("POST /console/social", { action: "create" });
    expect(answer.status).toBe(200);
    const { msg, url, data } = await readJson<Envelope<ConsoleSession>>(answer);
    expect([msg, url]).toEqual(["Account created", `${siteUrl}/registerfinish`]);
    expect(data).toMatchObject({ username: "berta", mail: "berta@example.net", perms: 1, finished: false });
    expect([...pages.cookies.keys()]).toEqual([secureName]);
    const finished = { username: "Berta_2", password: "a password of mine" };
    expect((await pages.send("POST /api/home/registerfinish", finished)).status).toBe(200);
    expect(await pages.visitor()).toMatchObject({ username: "Berta_2", finished: true });
  });

  test("links the account that they have, by its password", async () => {
    const member = await addMember(harness, "Carla");
    const pages = await meet("carla");
    const link = { action: "link", username: "Carla", password: member.password, stay: true };
    const wrong = await pages.send("POST /console/social", { ...link, password: "not the password" });
    await expectError(wrong, 401, /^Invalid username or password$/);
    const answer = await pages.send("POST /console/social", link);
    const { msg, url } = await readJson<Envelope<ConsoleSession>>(answer);
    expect([answer.status, msg, url]).toEqual([200, "Accounts linked", null]);
    const [session = "", person = ""] = answer.headers.getSetCookie();
    expect(session).toContain("; Max-Age=2592000;");
    expect(person).toStartWith(`${personName}=; Path=/; Max-Age=0;`);
    expect((await pages.visitor())?.username).toBe("Carla");
    expect(placeOf(await comeBack("carla"))).toBe("303 /home");
  });

  test("is linked once", async () => {
    const pages = await meet("dora");
    const copy = openConsoleBrowser(harness);
    for (const [name, value] of pages.cookies) copy.cookies.set(name, value);
    expect((await pages.send("POST /console/social", { action: "create" })).status).toBe(200);
    const again = await copy.send("POST /console/social", { action: "create" });
    await expectError(again, 400, /^This sign-in has expired or was used; begin again$/);
    const looked = await copy.send("GET /console/social");
    expect((await readJson<Envelope<object>>(looked)).data).toBeNull();
    expect(copy.cookies.size).toBe(0);
  });

  test("waits for ten minutes", async () => {
    const pages = await meet("emma");
    harness.clock.advance(601);
    await expectError(await pages.send("POST /console/social", { action: "create" }), 400, /begin again$/);
    const looked = await pages.send("GET /console/social");
    expect((await readJson<Envelope<object>>(looked)).data).toBeNull();
  });

  test.each([
    ["another number", (value: string) => value.replace(/^\d+/, "12345")],
    [
      "another person",
      (value: string) => value.replace(/\..*/, `.${Buffer.from("anna").toString("base64url")}`),
    ],
    ["no form of ours", () => "x"],
    ["markup", () => '<script>"'],
  ])("is unknown with a cookie of %s", async (name, change) => {
    const pages = await meet(`forger${name.length}`);
    pages.cookies.set(personName, change(pages.cookies.get(personName) ?? ""));
    await expectError(await pages.send("POST /console/social", { action: "create" }), 400, /begin again$/);
    expect((await readJson<Envelope<object>>(await pages.send("GET /console/social"))).data).toBeNull();
  });

  test("is not shown to another site's request, nor linked by one", async () => {
    const pages = await meet("fanny");
    const cookie = `${personName}=${pages.cookies.get(personName)}`;
    for (const headers of [{ cookie }, { ...ownHeaders, origin: "https://evil.example", cookie }]) {
      const looked = await harness.fetch("/console/social", { headers });
      expect((await readJson<Envelope<object>>(looked)).data).toBeNull();
      const init = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
      const joined = await harness.fetch("/console/social", { ...init, body: '{"action":"create"}' });
      await expectError(joined, 403);
    }
  });
});

describe("a person whose account is linked", () => {
  test("is signed in and led home", async () => {
    await createFor("grete");
    const answer = await comeBack("grete");
    expect(placeOf(answer)).toBe("303 /home");
    const [line = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line.replace(/=[^;]+/, "=")).toBe(`${secureName}=; Path=/; HttpOnly; SameSite=Strict; Secure`);
    expect((await pagesAfter(answer).visitor())?.username).toBe("grete");
  });

  test.each<readonly [string, sendsCookie: (path: string) => boolean]>([
    ["has its cookie left out on the way back, as Strict ones are", (path) => path.includes("/login")],
    ["is sent on the way back alone", (path) => path.includes("/callback")],
  ])("ends the session that the browser had, where it %s", async (name, sendsCookie) => {
    const person = `hedwig${name.length}`;
    await createFor(person);
    const before = openConsoleBrowser(harness);
    await before.signIn(await addMember(harness, `Before${name.length}`));
    const other = openConsoleBrowser(harness);
    await other.signIn({ name: `Before${name.length}`, password: `the password of Before${name.length}` });
    const cookie = `${secureName}=${before.cookies.get(secureName)}`;
    const browser = openBrowser({
      fetch: (path, init) => {
        const headers = new Headers(init?.headers);
        if (sendsCookie(path)) headers.set("cookie", `${headers.get("cookie")}; ${cookie}`);
        return harness.fetch(path, { ...init, headers });
      },
    });
    const answer = await comeBack(person, begin(), browser);
    expect(placeOf(answer)).toBe("303 /home");
    expect((await pagesAfter(answer).visitor())?.username).toBe(person);
    expect(await before.visitor()).toBeNull();
    expect(await other.visitor()).not.toBeNull();
  });

  test("stays signed in who asked for it", async () => {
    await createFor("hanna");
    const answer = await comeBack("hanna", begin("&stay=true"));
    expect(answer.headers.get("set-cookie")).toContain("; Max-Age=2592000;");
    const visitor = await pagesAfter(answer).visitor();
    expect(visitor?.expires_at).toBe(harness.clock.nowSeconds() + 14 * 24 * 60 * 60);
  });

  test.each([
    ["/home/capes", "/home/capes"],
    ["/admin/users?q=a%20b#top", "/admin/users?q=a%20b#top"],
    ["/u/Анна", "/u/%D0%90%D0%BD%D0%BD%D0%B0"],
    ["/a/../home", "/home"],
    ["https://evil.example/", "/home"],
    ["//evil.example", "/home"],
    ["/\\evil.example", "/home"],
    ["\\\\evil.example", "/home"],
    ["/\t/evil.example", "/home"],
    ["/\r\nset-cookie: a=b", "/home"],
    ["/.//evil.example", "/home"],
    ["javascript:alert(1)", "/home"],
    ["home", "/home"],
    ["", "/home"],
    [`/${"x".repeat(600)}`, "/home"],
  ])("goes on at the page that next names, where it is ours: %j", async (next, place) => {
    const person = `ida${Bun.hash(next).toString(36)}`;
    await createFor(person);
    const answer = await comeBack(person, begin(`&next=${encodeURIComponent(next)}`));
    expect(placeOf(answer)).toBe(`303 ${place}`);
  });
});

describe("a sign-in that comes to nothing leads to the sign-in page", () => {
  test("when the person turns back", async () => {
    const browser = openBrowser(harness);
    const page = await browser.open(begin("&next=%2Fhome%2Fcapes"));
    const [, abort = ""] = /href="([^"]*abort)"/.exec(page.text) ?? [];
    browser.stopBefore(redirectUri);
    const back = await browser.open(new URL(abort, page.url).href);
    const answer = await browser.peek(back.url);
    expect(placeOf(answer)).toBe("303 /login?problem=refused&next=%2Fhome%2Fcapes");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(harness.takeLog().at(-1)).toMatchObject({
      message: "request failed",
      error_code: "access_denied",
    });
  });

  test("when it took too long", async () => {
    const browser = openBrowser(harness);
    const back = await goThere("kathi", browser);
    harness.clock.advance(601);
    expect(placeOf(await browser.peek(back))).toBe("303 /login?problem=expired");
  });

  test("when another browser began it, and signs that one in to nothing", async () => {
    await createFor("lena");
    const back = await goThere("lena", openBrowser(harness));
    const answer = await openBrowser(harness).peek(back);
    expect(placeOf(answer)).toBe("303 /login?problem=expired");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("when it comes back a second time", async () => {
    await createFor("maria");
    const browser = openBrowser(harness);
    const back = await goThere("maria", browser);
    expect(placeOf(await browser.peek(back))).toBe("303 /home");
    expect(placeOf(await browser.peek(back))).toBe("303 /login?problem=expired");
  });

  test("when there were too many", async () => {
    await using limited = await openHarness({
      settings: { ...settings, RATE_LIMIT_FACTOR: "0.01" },
    });
    const [first, second] = [
      await limited.fetch(new URL(begin()).pathname + "?to=console"),
      await limited.fetch("/auth/social/login?to=console"),
    ];
    expect([first.status, placeOf(second)]).toEqual([302, "303 /login?problem=limited"]);
  });

  test("when the provider is not set up", async () => {
    const answer = await harness.fetch("/auth/social/login?to=console&provider=discord");
    expect(placeOf(answer)).toBe("303 /login?problem=refused");
  });
});

describe("what a login was begun for cannot be changed", () => {
  test("into the console's", async () => {
    await createFor("nina");
    const browser = openBrowser(harness);
    const back = new URL(await goThere("nina", browser, `${publicUrl}/auth/social/login`));
    const [provider, end, random, seal] = (back.searchParams.get("state") ?? "").split(".");
    const note = Buffer.from("console stay /home").toString("base64url");
    back.searchParams.set("state", [provider, end, random, note, seal].join("."));
    const answer = await browser.peek(back.href);
    expect(placeOf(answer)).toBe("303 /login?problem=expired");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("into one that goes elsewhere", async () => {
    await createFor("olga");
    const browser = openBrowser(harness);
    const back = new URL(await goThere("olga", browser));
    const parts = (back.searchParams.get("state") ?? "").split(".");
    parts[3] = Buffer.from("console  https://evil.example").toString("base64url");
    back.searchParams.set("state", parts.join("."));
    expect(placeOf(await browser.peek(back.href))).toBe("303 /login?problem=expired");
  });

  test("into a website's, whose answer holds a token", async () => {
    await createFor("paula");
    const browser = openBrowser(harness);
    const back = new URL(await goThere("paula", browser));
    const [provider, end, random, , seal] = (back.searchParams.get("state") ?? "").split(".");
    back.searchParams.set("state", [provider, end, random, seal].join("."));
    await expectError(await browser.peek(back.href), 400, /^state: /);
  });
});

describe("a login that another site leads to", () => {
  test.each(["cross-site", "same-site"])("is not begun without a click: %s", async (site) => {
    const headers = { "sec-fetch-site": site };
    const answer = await harness.fetch("/auth/social/login?to=console&next=%2Fhome", { headers });
    expect(placeOf(answer)).toBe("303 /login?next=%2Fhome");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test.each(["same-origin", "none"])(
    "is begun by our own page, and by an address typed in: %s",
    async (site) => {
      const answer = await harness.fetch("/auth/social/login?to=console", {
        headers: { "sec-fetch-site": site },
      });
      expect(answer.status).toBe(302);
    },
  );
});

test("redirects count as what they stand for", async () => {
  const results = ["succeeded", "unlinked", "failed"];
  const count = () => Promise.all(results.map((result) => signInsCounted(harness, "social", result)));
  const before = await count();
  await comeBack("sara");
  await createFor("sara");
  await comeBack("sara");
  const back = await goThere("sara", openBrowser(harness));
  await openBrowser(harness).peek(back);
  const after = await count();
  expect(after.map((one, at) => one - (before[at] ?? 0))).toEqual([2, 2, 1]);
});

test("a website's login answers as ever, also to a person who looks at it", async () => {
  const browser = openBrowser(harness);
  const back = new URL(await goThere("rita", browser, `${publicUrl}/auth/social/login`));
  const headers = {
    cookie: browser.cookiesFor(back.href),
    "sec-fetch-dest": "document",
    accept: "text/html",
  };
  const answer = await harness.fetch(back.pathname + back.search, { headers });
  expect(answer.status).toBe(404);
  const { data } = await readJson<Envelope<{ user: object }>>(answer);
  expect(data.user).toMatchObject({ id: "rita", conn_id: expect.any(Number) });
});

test("without the console there is no such login", async () => {
  await using off = await openHarness({
    settings: { ...settings, CONSOLE: "false" },
  });
  await expectError(await off.fetch("/auth/social/login?to=console"), 400, /^to: there is no console here$/);
  const answer = await off.fetch("/console/session", { headers: ownHeaders });
  await expectError(answer, 404);
});

test.each(["", "CONSOLE", "website"])("a login to %j is refused", async (to) => {
  const answer = await harness.fetch(`/auth/social/login?to=${to}`);
  await expectError(answer, 400, /^to: must be console$/);
});
