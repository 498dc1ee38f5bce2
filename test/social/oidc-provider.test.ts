/** Social login against a certified provider that none of us wrote, by its own pages. */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { publicUrl, siteUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { profileOf } from "../support/registration.ts";
import { expectError } from "../support/scenario.ts";
import { openBrowser, type Browser, type Page } from "../support/social/browser.ts";
import {
  create,
  lineOf,
  link,
  metaOf,
  openOidcWorld,
  redirectUri,
  type SignedIn,
  type SocialUser,
} from "../support/social/social-world.ts";

const world = await openOidcWorld();
const { harness, oidc } = world;
afterAll(() => world[Symbol.asyncDispose]());

const formsMax = 4;

/** Goes through the provider's pages as this person, until it sends the browser back. */
async function signIn(person: string, browser: Browser = openBrowser(harness)): Promise<Page> {
  let page = await browser.open(`${publicUrl}/auth/social/login`);
  for (let forms = 0; forms < formsMax && !page.url.startsWith(redirectUri); forms++) {
    page = await browser.submit(page, { login: person, password: "any" });
  }
  return page;
}

async function meet(person: string): Promise<SocialUser> {
  const { response } = await signIn(person);
  return (await readJson<Envelope<{ user: SocialUser }>>(response)).data.user;
}

describe("the way of somebody new", () => {
  test("leads from the provider to an account, and signs in from then on", async () => {
    const first = await signIn("anna");
    expect(first.response.status).toBe(404);
    const { data } = await readJson<Envelope<{ user: SocialUser }>>(first.response);
    const avatar = "https://pictures.example/anna";
    expect(data.user).toEqual({ id: "anna", username: "anna", avatar, conn_id: expect.any(Number) });

    const created = await create(harness, metaOf(data.user));
    expect(created.status).toBe(200);
    const { url, data: session } = await readJson<Envelope<{ jwt: string }>>(created);
    expect(url).toBe(`${siteUrl}/registerfinish`);
    expect(await profileOf(harness, { authorization: `Bearer ${session.jwt}` })).toMatchObject({
      Username: "anna",
      Mail: "anna@example.net",
      Mail_verification: 1,
      Social_integration: true,
      Social: { userid: "anna", username: "anna", avatar },
    });

    const second = await signIn("anna");
    expect(second.response.status).toBe(200);
    const again = await readJson<Envelope<SignedIn>>(second.response);
    expect(again).toMatchObject({
      url: `${siteUrl}/home`,
      data: { userid: "anna", username: "anna", avatar },
    });
  });

  test("leads to the account that they have, by its password", async () => {
    const member = await addMember(harness, "Berta");
    expect((await link(harness, member, metaOf(await meet("berta")))).status).toBe(200);
    expect((await signIn("berta")).response.status).toBe(200);
    expect(await profileOf(harness, member)).toMatchObject({
      Username: "Berta",
      Social: { userid: "berta" },
    });
  });
});

describe("the provider's answer", () => {
  test("works once", async () => {
    const browser = openBrowser(harness);
    const page = await signIn("carla", browser);
    await expectError(await browser.peek(page.url), 400, /^state: was used already/);
    const code = new URL(page.url).searchParams.get("code") ?? "";
    const response = await browser.peek(`${redirectUri}?code=${code}`);
    expect(lineOf(harness, response)).toMatchObject({ provider: "oidc", error_code: "invalid_grant" });
    await expectError(response, 400);
  });

  test("is refused without the proof that was promised", async () => {
    const stopped = await stopBeforeCallback("dora", openBrowser(harness));
    const response = await harness.fetch(`/auth/social/callback?code=${stopped.get("code")}`);
    expect(lineOf(harness, response)).toMatchObject({ error_code: "invalid_grant" });
    await expectError(response, 400);
  });

  test.each([
    ["another issuer", (query: URLSearchParams) => query.set("iss", "https://elsewhere.example")],
    ["no issuer, though it promised to name itself", (query: URLSearchParams) => query.delete("iss")],
  ])("is refused with %s", async (_, change) => {
    const browser = openBrowser(harness);
    const query = await stopBeforeCallback("emma", browser);
    expect(query.get("iss")).toBe(oidc.issuer);
    change(query);
    const response = await browser.peek(`${redirectUri}?${query.toString()}`);
    expect(lineOf(harness, response)).toMatchObject({ provider: "oidc", reason: "another issuer answers" });
    await expectError(response, 400);
  });

  test("is a 400 when the person turns back", async () => {
    const browser = openBrowser(harness);
    const page = await browser.open(`${publicUrl}/auth/social/login`);
    const [, abort = ""] = /href="([^"]*abort)"/.exec(page.text) ?? [];
    const back = await browser.open(new URL(abort, page.url).href);
    expect(new URL(back.url).searchParams.get("error")).toBe("access_denied");
    expect(lineOf(harness, back.response)).toMatchObject({ error_code: "access_denied" });
    await expectError(back.response, 400, /was refused/);
  });
});

/** What the provider sends the browser back with, before the service sees it. */
async function stopBeforeCallback(person: string, browser: Browser): Promise<URLSearchParams> {
  browser.stopBefore(redirectUri);
  const { url } = await signIn(person, browser);
  return new URL(url).searchParams;
}
