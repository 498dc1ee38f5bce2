/**
 * What stays of sessions when PUBLIC_URL is set or changed (docs/contract/auth.md#tokens,
 * docs/contract/console.md#session).
 */
import { describe, expect, test } from "bun:test";
import { temporaryFolder } from "../cli/run-program.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openConsoleBrowser, plainName, secureName, type ConsoleSession } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn, type Member } from "../support/members.ts";
import { claimsOf, forge } from "../support/tokens.ts";

type Address = string | undefined;

/** The community in this folder at another address: a restart. */
function openAt(folder: string, address: Address): Promise<Harness> {
  return openHarness({ folder, settings: { PUBLIC_URL: address } });
}

/** A browser on the pages of an address. */
function browserAt(harness: Harness, address: string, cookies: Iterable<[string, string]> = []) {
  const { origin } = new URL(address);
  const headers = { "x-cloakroom-console": "1", "sec-fetch-site": "same-origin", origin };
  const browser = openConsoleBrowser(harness, headers);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

const http = "http://skins.example.org";
const https = "https://skins.example.org";

describe.each([
  ["set for the first time", undefined, https],
  ["changed to another host", https, "https://other.example.org"],
  ["changed to https", http, https],
  ["changed back to http", https, http],
  ["given a folder", https, `${https}/skins`],
  ["taken out", https, undefined],
] as const)("PUBLIC_URL is %s", (_, before, after) => {
  test("and tokens stay good, also those of before", async () => {
    await using folder = await temporaryFolder();
    let member: Member;
    {
      await using first = await openAt(folder.path, before);
      if (before === undefined) first.listen();
      member = await addMember(first, "Anna");
    }
    expect(claimsOf(member.jwt)["iss"]).toBe(before ?? "cloakroom");
    await using second = await openAt(folder.path, after);
    if (after === undefined) second.listen();
    const ask = (authorization: string) => second.fetch("/api/home", { headers: { authorization } });
    expect((await ask(member.authorization)).status).toBe(200);
    const fresh = await signIn(second, member.name, member.password);
    expect(claimsOf(fresh)["iss"]).toBe(after ?? "cloakroom");
    expect((await ask(`Bearer ${fresh}`)).status).toBe(200);
  });
});

test("a token of another community with the same secret is refused, whatever it calls itself", async () => {
  await using here = await openHarness();
  await using there = await openHarness({ settings: { PUBLIC_URL: "https://other.example.org" } });
  await addMember(here, "Anna");
  const stranger = await addMember(there, "Anna");
  for (const iss of ["https://other.example.org", https, "cloakroom"]) {
    const authorization = `Bearer ${forge({ ...claimsOf(stranger.jwt), iss })}`;
    expect((await here.fetch("/api/home", { headers: { authorization } })).status).toBe(401);
  }
});

type Visit = Envelope<ConsoleSession | null>;

/** A browser that signed in at the first address, before the restart at the second one. */
async function openChanged(before: string, after: string) {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  let cookies: [string, string][];
  let member: Member;
  {
    await using first = await openAt(folder.path, before);
    member = await addMember(first, "Anna");
    const browser = browserAt(first, before);
    await browser.signIn(member);
    cookies = [...browser.cookies];
  }
  const second = opened.use(await openAt(folder.path, after));
  const browser = browserAt(second, after, cookies);
  const visit = async (): Promise<Visit> => readJson<Visit>(await browser.send("GET /console/session"));
  const closing = opened.move();
  return {
    harness: second,
    browser,
    visit,
    member,
    cookies,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

describe("the browser's session", () => {
  test.each([
    ["the same scheme", https, `${https}/skins`],
    ["plain http and another port", "http://127.0.0.1:3000", "http://127.0.0.1:3001"],
  ])("stays with %s", async (_, before, after) => {
    await using world = await openChanged(before, after);
    expect((await world.visit()).data?.username).toBe("Anna");
    expect((await world.browser.send("PUT /api/home/mails", { bulk: false })).status).not.toBe(401);
  });

  test("of plain http stands for no member behind https, and the answer leads to the sign-in", async () => {
    await using world = await openChanged(http, https);
    const { browser, harness, visit } = world;
    expect([...browser.cookies.keys()]).toEqual([plainName]);
    for (let time = 0; time < 2; time++)
      expect(await visit()).toMatchObject({ data: null, url: `${https}/login` });
    expect((await browser.send("GET /api/home")).status).toBe(401);
    // An owner who goes back to http has it again.
    expect(harness.countRows("sessions")).toBe(2);
  });

  test("of plain http is forgotten by the browser with the next sign-in", async () => {
    await using world = await openChanged(http, https);
    const { browser, visit, member } = world;
    expect((await browser.signIn(member)).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual([secureName]);
    expect(await visit()).toMatchObject({ data: { username: "Anna" }, url: null });
  });

  test.each([
    ["no token", "x.y.z"],
    ["a token of the API", "API"],
  ])("is not spoken of when the cookie of plain http holds %s", async (_, value) => {
    await using world = await openChanged(http, https);
    const { browser, visit, member } = world;
    browser.cookies.set(plainName, value === "API" ? member.jwt : value);
    expect(await visit()).toMatchObject({ data: null, url: null });
  });

  test("of plain http that another site put there takes nobody's place", async () => {
    await using world = await openChanged(http, https);
    const { browser, harness, visit, cookies } = world;
    const victim = await addMember(harness, "Berta");
    await browser.signIn(victim);
    for (const [name, planted] of cookies) browser.cookies.set(name, planted);
    expect((await visit()).data?.username).toBe("Berta");
    browser.cookies.delete(secureName);
    expect((await visit()).data).toBeNull();
  });

  test("is not spoken of to pages of other sites", async () => {
    await using world = await openChanged(http, https);
    const { harness, cookies } = world;
    const cookie = cookies.map((pair) => pair.join("=")).join("; ");
    const answer = await harness.fetch("/console/session", { headers: { cookie } });
    expect(await readJson<Visit>(answer)).toMatchObject({ data: null, url: null });
  });
});

test("pages know the address where people sign in, when it is set", async () => {
  for (const address of [https, `${http}/skins`, undefined]) {
    await using harness = await openHarness({ settings: { PUBLIC_URL: address } });
    if (address === undefined) harness.listen();
    const { data } = await readJson<Envelope<{ public_url: string | null }>>(
      await harness.fetch("/console/community"),
    );
    expect(data.public_url).toBe(address ?? null);
  }
});
