/**
 * Issuers of OpenID Connect with wrong answers (docs/contract/social.md#callback; OpenID Connect Core
 * 3.1.3.7).
 */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { UnsecuredJWT, type JWTPayload } from "jose";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import type { LogLine } from "../support/collected-log.ts";
import { openBrowser } from "../support/social/browser.ts";
import { startFakeIssuer, type FakeIssuer } from "../support/social/fake-issuer.ts";
import { clientId, clientSecret } from "../support/social/provider-shapes.ts";
import { lineOf, redirectUri, settingsOf, type SocialUser } from "../support/social/social-world.ts";

type World = AsyncDisposable & { readonly issuer: FakeIssuer; readonly harness: Harness };

async function openWorld(
  settings: (issuer: FakeIssuer) => Record<string, string> = ownIssuer,
): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const issuer = opened.use(await startFakeIssuer());
  const { SOCIAL_OIDC_BASE_URL: _, ...access } = settingsOf("oidc", "");
  const harness = opened.use(await openHarness({ settings: { ...access, ...settings(issuer) } }));
  const closing = opened.move();
  return { issuer, harness, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

function ownIssuer({ url }: FakeIssuer): Record<string, string> {
  return { SOCIAL_OIDC_ISSUER: url };
}

/** An issuer of the web, whose configuration is found here. */
function issuerElsewhere({ url }: FakeIssuer): Record<string, string> {
  return { SOCIAL_OIDC_ISSUER: "https://issuer.example", SOCIAL_OIDC_BASE_URL: url };
}

/**
 * Begins a login and comes back with a code; the ID token has the nonce that was asked for unless the test
 * says otherwise.
 */
async function comeBack({ harness, issuer }: World, rest = ""): Promise<Response> {
  const browser = openBrowser(harness);
  const away = await browser.peek(`${publicUrl}/auth/social/login`);
  if (away.status !== 302) return away;
  const { searchParams } = new URL(away.headers.get("location") ?? "");
  const { claims } = issuer.answers;
  if (claims !== null) issuer.answers.claims = { nonce: searchParams.get("nonce") ?? "", ...claims };
  return browser.peek(`${redirectUri}?code=x&state=${searchParams.get("state")}${rest}`);
}

async function failureOf(world: World, rest = ""): Promise<[number, LogLine | undefined]> {
  const response = await comeBack(world, rest);
  return [response.status, lineOf(world.harness, response)];
}

async function userOf(response: Response): Promise<SocialUser> {
  return (await readJson<Envelope<{ user: SocialUser }>>(response)).data.user;
}

test("an issuer that does everything right is believed", async () => {
  await using world = await openWorld();
  const response = await comeBack(world);
  expect(response.status).toBe(404);
  expect(await userOf(response)).toMatchObject({ id: "anna", username: "anna" });
});

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

describe("an ID token is refused", () => {
  const now = Math.floor(Date.now() / 1000);
  const claims: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["of another issuer", { iss: "https://elsewhere.example" }],
    ["for another client", { aud: "somebody-else" }],
    ["for another client that this one was given by", { aud: [clientId, "other"], azp: "other" }],
    ["for several clients, without the one that it was given to", { aud: [clientId, "other"] }],
    ["that was given to another client", { azp: "other" }],
    ["that has expired", { exp: now - 61 }],
    ["that never expires", { exp: undefined }],
    ["that is not valid yet", { nbf: now + 600 }],
    ["of another login", { nonce: "another" }],
    ["of no login", { nonce: undefined }],
    ["about nobody", { sub: undefined }],
    ["without a time", { iat: undefined }],
  ];
  test.each(claims)("%s", async (_, changed) => {
    await using world = await openWorld();
    Object.assign(world.issuer.answers.claims ?? {}, changed);
    expect(await failureOf(world)).toMatchObject([
      502,
      { level: "warn", provider: "oidc", reason: "the ID token is not valid" },
    ]);
  });

  const signs: readonly (readonly [string, (claims: JWTPayload) => string])[] = [
    ["without a signature", (claims) => new UnsecuredJWT(claims).encode()],
    [
      "signed with the client's secret",
      (claims) => {
        const signed = `${encode({ alg: "HS256" })}.${encode(claims)}`;
        return `${signed}.${createHmac("sha256", clientSecret).update(signed).digest("base64url")}`;
      },
    ],
    ["that is no token", () => "not a token"],
    ["that is empty", () => ""],
  ];
  test.each(signs)("%s", async (_, sign) => {
    await using world = await openWorld();
    world.issuer.answers.sign = sign;
    expect(await failureOf(world)).toMatchObject([502, { reason: "the ID token is not valid" }]);
  });

  test("signed with a key that is not the issuer's, under the name of one that is", async () => {
    await using world = await openWorld();
    world.issuer.answers.sign = (await world.issuer.newKey("first")).sign;
    expect(await failureOf(world)).toMatchObject([502, { reason: "the ID token is not valid" }]);
  });

  test("signed with a key that the issuer does not have, and its keys are asked for once more", async () => {
    await using world = await openWorld();
    world.issuer.answers.sign = (await world.issuer.newKey("other")).sign;
    expect(await failureOf(world)).toMatchObject([502, { error_code: "ERR_JWKS_NO_MATCHING_KEY" }]);
    expect(world.issuer.asked.filter((path) => path === "/keys")).toHaveLength(2);
  });
});

test("an issuer may change its keys", async () => {
  await using world = await openWorld();
  expect((await comeBack(world)).status).toBe(404);
  const { sign, key } = await world.issuer.newKey("second");
  Object.assign(world.issuer.answers, { sign, keys: [key] });
  delete world.issuer.answers.claims?.["nonce"];
  expect((await comeBack(world)).status).toBe(404);
});

test("userinfo about another person than the ID token is refused", async () => {
  await using world = await openWorld();
  world.issuer.answers.userinfo = { sub: "mallory", preferred_username: "anna" };
  expect(await failureOf(world)).toMatchObject([
    502,
    { reason: "userinfo is about another person than the ID token" },
  ]);
});

test("without userinfo the ID token is enough", async () => {
  await using world = await openWorld();
  delete world.issuer.answers.metadata["userinfo_endpoint"];
  Object.assign(world.issuer.answers.claims ?? {}, { nickname: "Annie" });
  expect(await userOf(await comeBack(world))).toMatchObject({ id: "anna", username: "Annie" });
});

test("without an ID token userinfo is enough", async () => {
  await using world = await openWorld();
  world.issuer.answers.claims = null;
  expect(await userOf(await comeBack(world))).toMatchObject({ id: "anna" });
});

test("without either sign-in fails", async () => {
  await using world = await openWorld();
  world.issuer.answers.claims = null;
  delete world.issuer.answers.metadata["userinfo_endpoint"];
  expect(await failureOf(world)).toMatchObject([502, { reason: "a profile without an id" }]);
});

describe("what an issuer says of itself is refused", () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["when it is another one", { issuer: "https://elsewhere.example" }, "another issuer answers"],
    ["when it does not say who it is", { issuer: undefined }, "another issuer answers"],
    ["without a place for tokens", { token_endpoint: undefined }, "no usable token_endpoint"],
    ["with a place that is no address", { jwks_uri: "/keys" }, "no usable jwks_uri"],
    [
      "with a place in the open",
      { token_endpoint: "http://issuer.example/token" },
      "no usable token_endpoint",
    ],
    ["with a file for a place", { userinfo_endpoint: "file:///etc/passwd" }, "no usable userinfo_endpoint"],
    ["with a list for a place", { authorization_endpoint: [] }, "no usable authorization_endpoint"],
  ];
  test.each(cases)("%s", async (_, changed, reason) => {
    await using world = await openWorld();
    Object.assign(world.issuer.answers.metadata, changed);
    const [status, line] = await failureOf(world);
    expect(status).toBe(502);
    expect(line).toMatchObject({ level: "warn", provider: "oidc", reason: expect.stringContaining(reason) });
    expect(world.issuer.asked).not.toContain("/token");
  });

  test("when an issuer elsewhere sends us to this machine", async () => {
    await using world = await openWorld(issuerElsewhere);
    Object.assign(world.issuer.answers.metadata, { issuer: "https://issuer.example" });
    expect(await failureOf(world)).toMatchObject([
      502,
      { reason: "no usable authorization_endpoint in the issuer's configuration" },
    ]);
  });
});

describe("an issuer that was down", () => {
  test("does not prevent a start, and is asked again", async () => {
    await using world = await openWorld();
    const { metadata } = world.issuer.answers;
    world.issuer.answers.metadata = {};
    expect((await comeBack(world)).status).toBe(502);
    world.issuer.answers.metadata = metadata;
    expect((await comeBack(world)).status).toBe(404);
  });

  test("and one that is up is asked about itself once", async () => {
    await using world = await openWorld();
    for (const _ of [1, 2, 3]) {
      delete world.issuer.answers.claims?.["nonce"];
      expect((await comeBack(world)).status).toBe(404);
    }
    const asked = (path: string) => world.issuer.asked.filter((one) => one === path).length;
    expect([asked("/.well-known/openid-configuration"), asked("/keys")]).toEqual([1, 1]);
  });
});

describe("who answers (RFC 9207)", () => {
  test.each([
    ["is believed when it is the issuer", true, (url: string) => `&iss=${encodeURIComponent(url)}`, 404],
    ["may stay open when it was not promised", false, () => "", 404],
    ["is refused when it is another one", false, () => "&iss=https%3A%2F%2Felsewhere.example", 400],
    ["must be said when it was promised", true, () => "", 400],
  ])("%s", async (_, promised, rest, status) => {
    await using world = await openWorld();
    Object.assign(world.issuer.answers.metadata, {
      authorization_response_iss_parameter_supported: promised,
    });
    const [found] = await failureOf(world, rest(world.issuer.url));
    expect(found).toBe(status);
    expect(world.issuer.asked.includes("/token")).toBe(status === 404);
  });

  test("may stay open when a website began the login", async () => {
    await using world = await openWorld();
    Object.assign(world.issuer.answers.metadata, { authorization_response_iss_parameter_supported: true });
    expect((await world.harness.fetch("/auth/social/callback?code=x")).status).toBe(404);
  });
});

test("the client shows itself in the way that the issuer takes", async () => {
  await using world = await openWorld();
  Object.assign(world.issuer.answers.metadata, {
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  });
  expect((await comeBack(world)).status).toBe(404);
});

/** What userinfo and the ID token say of the address, and the address that the new account has. */
const vouchers: readonly (readonly [string, object, object, string | null])[] = [
  ["when the issuer vouches for it", { email: "a@example.net", email_verified: "true" }, {}, null],
  ["where it vouches in userinfo", { email: "a@example.net", email_verified: true }, {}, "a@example.net"],
  ["where it vouches in the ID token", {}, { email: "b@example.net", email_verified: true }, "b@example.net"],
  [
    "where the same document vouches",
    { email: "victim@example.net" },
    { email: "b@example.net", email_verified: true },
    "b@example.net",
  ],
  ["with an address beside the proof", { email: "victim@example.net" }, { email_verified: true }, null],
  [
    "in the newer document, which is userinfo",
    { email: "victim@example.net", email_verified: false },
    { email: "b@example.net", email_verified: true },
    null,
  ],
];
test.each(vouchers)("an address counts only %s", async (_, userinfo, claims, mail) => {
  await using world = await openWorld();
  world.issuer.answers.userinfo = { sub: "anna", ...userinfo };
  Object.assign(world.issuer.answers.claims ?? {}, claims);
  const { id, conn_id } = await userOf(await comeBack(world));
  const created = await world.harness.fetch("/api/auth/register/social", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ meta: { id, conn_id } }),
  });
  expect(created.status).toBe(200);
  expect(world.harness.database.everything()["accounts"]).toContainEqual(
    expect.objectContaining({ mail, mail_verified: mail === null ? 0 : 1 }),
  );
});
