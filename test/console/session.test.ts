/**
 * The browser's session: how it is opened, what answers, and how it ends (docs/contract/console.md#session).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import {
  openConsoleBrowser,
  signInsCounted,
  ownHeaders,
  secureName,
  plainName,
  type ConsoleSession,
} from "../support/console.ts";
import { openHarness, siteUrl } from "../support/harness.ts";
import { addMember, edit, signIn } from "../support/members.ts";
import { expectError, play } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const day = 24 * 60 * 60;

describe("signing in", () => {
  test("answers who it is, and gives the token to a cookie alone", async () => {
    const member = await addMember(harness, "Anna");
    const browser = openConsoleBrowser(harness);
    const response = await browser.signIn(member);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = await response.clone().text();
    const token = browser.cookies.get(secureName) ?? "";
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(text).not.toContain(token);
    const { msg, url, data } = await readJson<Envelope<ConsoleSession>>(response);
    expect([msg, url]).toEqual(["Login successful", null]);
    const known = { id: Number(member.account.id), username: "Anna", uuid: member.uuid };
    const rest = { perms: 1, finished: true, mail: member.mail };
    const expires_at = harness.clock.nowSeconds() + day;
    expect(data).toEqual({ ...known, ...rest, expires_at });
    expect(await browser.visitor()).toEqual(data);
  });

  test.each([
    ["ends with the browser", {}, `; Path=/; HttpOnly; SameSite=Strict; Secure`],
    ["lasts for a month", { stay: true }, `; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure`],
  ])("sets a cookie that %s", async (name, stay, attributes) => {
    const member = await addMember(harness, `C${name.length}`);
    const body = { username: member.name, password: member.password, ...stay };
    const response = await openConsoleBrowser(harness).send("POST /console/session", body);
    const [line = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line.replace(/=[^;]+/, "=")).toBe(`${secureName}=${attributes}`);
  });

  test("by plain http has a cookie that browsers take there", async () => {
    await using plain = await openHarness({ settings: { PUBLIC_URL: "http://skins.lan:3000" } });
    const member = await addMember(plain, "Anna");
    const headers = { ...ownHeaders, origin: "http://skins.lan:3000" };
    const response = await openConsoleBrowser(plain, headers).signIn(member);
    const [line = ""] = response.headers.getSetCookie();
    expect(line.replace(/=[^;]+/, "=")).toBe(`${plainName}=; Path=/; HttpOnly; SameSite=Strict`);
  });

  test("leads to the page that finishes the registration", async () => {
    const member = await addMember(harness, "Unfinished", { finished: false });
    const browser = openConsoleBrowser(harness);
    const response = await browser.signIn({ ...member, name: member.mail });
    const { url, data } = await readJson<Envelope<ConsoleSession>>(response);
    expect(url).toBe(`${siteUrl}/registerfinish`);
    expect(data).toMatchObject({ username: "", uuid: member.uuid, finished: false });
    await play(harness, {
      name: "the session finishes it, as a token does",
      request: "POST /api/home/registerfinish",
      headers: { ...ownHeaders, cookie: `${secureName}=${browser.cookies.get(secureName)}` },
      json: { username: "Finished", password: "another password of mine" },
      status: 200,
    });
  });

  test("is refused as at the API, in the same words", async () => {
    const member = await addMember(harness, "Berta");
    const wrong = { username: "Berta", password: "not the password" };
    const nobody = { username: "Nobody", password: "not the password" };
    for (const json of [wrong, nobody]) {
      await play(harness, {
        name: "a wrong pair",
        request: "POST /console/session",
        headers: ownHeaders,
        json,
        status: 401,
        msg: "Invalid username or password",
        answerHeaders: { "set-cookie": null },
      });
    }
    const broken = { username: member.name, password: member.password, stay: "yes" };
    await play(harness, {
      name: "a malformed wish",
      request: "POST /console/session",
      headers: ownHeaders,
      json: broken,
      status: 400,
      msg: "stay: must be true or false",
    });
  });

  test("makes a session of its own each time, and ends the one that the browser had", async () => {
    const member = await addMember(harness, "Carla");
    const [browser, other] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await other.signIn(member);
    await browser.signIn(member);
    const first = browser.cookies.get(secureName) ?? "";
    await browser.signIn(member);
    expect(browser.cookies.get(secureName)).not.toBe(first);
    const old = openConsoleBrowser(harness);
    old.cookies.set(secureName, first);
    expect(await old.visitor()).toBeNull();
    expect(await other.visitor()).not.toBeNull();
    // A token that a page planted beforehand is not the one that signs in.
    const planted = openConsoleBrowser(harness);
    planted.cookies.set(secureName, await signIn(harness, "Berta", "the password of Berta"));
    await planted.signIn(member);
    expect((await planted.visitor())?.username).toBe("Carla");
  });

  test("shares its limits with the API's", async () => {
    await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const member = await addMember(limited, "Anna");
    for (let guess = 0; guess < 4; guess++) {
      await openConsoleBrowser(limited).signIn({ ...member, password: "not the password" });
    }
    const guess = { username: "Anna", password: "not the password" };
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    await limited.fetch("/api/auth/login", { ...init, body: JSON.stringify(guess) });
    const refused = await openConsoleBrowser(limited).signIn(member);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    await expectError(refused, 429);
  });
});

test("sign-ins count by what came of them, and looking at the session does not", async () => {
  await using counted = await openHarness();
  const member = await addMember(counted, "Anna");
  const before = await signInsCounted(counted, "password", "succeeded");
  const browser = openConsoleBrowser(counted);
  await browser.signIn(member);
  await browser.signIn({ ...member, password: "not the password" });
  await openConsoleBrowser(counted, {}).signIn(member);
  await browser.visitor();
  const results = ["succeeded", "wrong", "unconfirmed", "failed"];
  const counts = await Promise.all(results.map((result) => signInsCounted(counted, "password", result)));
  expect(counts).toEqual([before + 1, 1, 0, 1]);
});

describe("a visitor", () => {
  test("is answered 200 with null", async () => {
    await play(harness, {
      name: "no cookie",
      request: "GET /console/session",
      headers: ownHeaders,
      status: 200,
      data: null,
      answerHeaders: { "set-cookie": null },
    });
  });

  test.each([
    ["no token", "nonsense"],
    ["nothing", ""],
    ["a very long text", "x".repeat(5000)],
  ])("whose cookie is %s loses it", async (_, value) => {
    await play(harness, {
      name: "a dead cookie",
      request: "GET /console/session",
      headers: { ...ownHeaders, cookie: `${secureName}=${value}` },
      status: 200,
      data: null,
      answerHeaders: {
        "set-cookie": `${secureName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure`,
      },
    });
  });
});

describe("a session", () => {
  test("stands in the list of the member's own, and can be ended there", async () => {
    const member = await addMember(harness, "Dora");
    const browser = openConsoleBrowser(harness);
    await browser.signIn(member, true);
    const listed = await readJson<
      Envelope<{ id: string; current: boolean; expires: number; kind: string }[]>
    >(await browser.send("GET /api/home/sessions"));
    const own = listed.data.find(({ current }) => current);
    expect(listed.data).toHaveLength(2);
    expect(own).toMatchObject({ kind: "web", expires: harness.clock.nowSeconds() + 14 * day });
    const ended = await browser.send(`DELETE /api/home/sessions/${own?.id}`);
    expect(ended.status).toBeLessThan(300);
    expect(await browser.visitor()).toBeNull();
    expect(browser.cookies.size).toBe(0);
  });

  test("ends when the member signs out, and the token with it", async () => {
    const member = await addMember(harness, "Emma");
    const browser = openConsoleBrowser(harness);
    await browser.signIn(member);
    const token = browser.cookies.get(secureName) ?? "";
    const response = await browser.send("DELETE /console/session");
    expect([response.status, await response.text(), browser.cookies.size]).toEqual([204, "", 0]);
    const home = (headers: Record<string, string>) => harness.fetch("/api/home", { headers });
    await expectError(await home({ authorization: `Bearer ${token}` }), 401);
    await expectError(await home({ ...ownHeaders, cookie: `${secureName}=${token}` }), 401);
    // Once more, as a second tab does.
    expect((await browser.send("DELETE /console/session")).status).toBe(204);
    expect(
      (await harness.fetch("/api/home", { headers: { authorization: member.authorization } })).status,
    ).toBe(200);
  });

  test("ends with a new password, except where that was set", async () => {
    const member = await addMember(harness, "Fanny");
    const [here, there] = [openConsoleBrowser(harness), openConsoleBrowser(harness)];
    await here.signIn(member);
    await there.signIn(member);
    const json = { password: member.password, newpassword: "a new password of mine" };
    expect((await here.send("PATCH /api/home/edit/password", json)).status).toBe(200);
    expect(await here.visitor()).not.toBeNull();
    expect(await there.visitor()).toBeNull();
  });

  test("ends with the account", async () => {
    const [member, admin] = [
      await addMember(harness, "Gone"),
      await addMember(harness, "Olga", { level: 3 }),
    ];
    const browser = openConsoleBrowser(harness);
    await browser.signIn(member);
    expect((await edit(harness, admin, `DELETE /api/admin/user/${member.account.id}`, {})).status).toBe(200);
    expect(await browser.visitor()).toBeNull();
  });
});
