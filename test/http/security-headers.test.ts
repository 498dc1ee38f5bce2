import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkHeaders } from "../support/scenario.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";

let harness: Harness;
let overHttp: Harness;
beforeAll(async () => {
  [harness, overHttp] = await Promise.all([
    openHarness(),
    openHarness({ settings: { PUBLIC_URL: "http://localhost:3000" } }),
  ]);
  await addMember(harness, "Alice");
});
afterAll(() => Promise.all([harness, overHttp].map((one) => one[Symbol.asyncDispose]())));

const head = "/api/skin/head/Alice";
const locked = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Every kind of answer: each asked twice, for the second may come from memory. */
const answers: readonly (readonly [string, string, RequestInit, number])[] = [
  ["a picture", head, {}, 200],
  ["a picture's head", head, { method: "HEAD" }, 200],
  ["a picture that has not changed", head, { headers: { "if-none-match": "*" } }, 304],
  ["a descriptor", "/api/skin/launcher/8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b", {}, 200],
  ["a picture of an unknown player", "/api/skin/head/Nobody1", {}, 404],
  ["a refusal", "/api/home", {}, 401],
  ["an address that is not there", "/api/nowhere", {}, 404],
  ["a method that is not taken", "/api/home", { method: "DELETE" }, 405],
  ["a body of the wrong type", "/api/auth/login", { method: "POST", body: "{" }, 415],
  ["the API's document", "/swagger/json", {}, 200],
  ["a script", "/swagger/page.js", {}, 200],
];

describe.each(answers)("%s", (_, path, init, status) => {
  test.each(["at first", "again"])("has every security header, %s", async () => {
    const response = await harness.fetch(path, init);
    expect(response.status).toBe(status);
    checkHeaders(response, {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": locked,
      "strict-transport-security": "max-age=31536000",
      server: null,
      "x-powered-by": null,
    });
  });
});

test.each([
  ["/swagger", 200],
  ["/mail/unsubscribe/nobodys", 404],
])("the page %s keeps the policy of its own", async (path, status) => {
  const response = await harness.fetch(path);
  expect(response.status).toBe(status);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toStartWith("default-src 'none'; ");
  expect(policy).toContain("style-src ");
  expect(policy).toEndWith("frame-ancestors 'none'");
  checkHeaders(response, {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  });
});

test.each([head, "/api/home", "/swagger"])(
  "%s promises no TLS where people come by plain HTTP",
  async (path) => {
    for (const _ of ["at first", "again"]) {
      checkHeaders(await overHttp.fetch(path), { "strict-transport-security": null });
    }
  },
);

describe("answers for one person are kept by no browser and no proxy", () => {
  const serviceToken = "a service token that is long enough";
  const open = async () => {
    const own = await openHarness({ settings: { SERVICE_API_TOKEN: serviceToken } });
    return Object.assign(own, { chief: await addMember(own, "Chief", { level: 3 }) });
  };

  test("every answer to a GET of members and staff", async () => {
    await using own = await open();
    const { authorization, account } = own.chief;
    const routes = own.routes.filter((route) => /^GET \/api\/(?:home|admin)\b/.test(route));
    const kept: string[] = [];
    for (const route of routes) {
      const path = route.replace("GET ", "").replace(":identifier", String(account.id));
      const { status, headers } = await own.fetch(path, { headers: { authorization } });
      expect([200, 400]).toContain(status);
      if (headers.get("cache-control") !== "no-store") kept.push(`${route}: ${status}`);
    }
    expect(routes.length).toBeGreaterThan(7);
    expect(kept).toEqual([]);
  });

  test.each([
    ["a token", "/api/auth/login", (chief: Member) => ({ username: "Chief", password: chief.password }), ""],
    ["what a service looks up", "/api/service/user", () => ({ Playername: "Chief" }), serviceToken],
  ])("%s", async (_, path, bodyOf, authorization) => {
    await using own = await open();
    const response = await own.fetch(path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(bodyOf(own.chief)),
    });
    expect(response.status).toBe(200);
    checkHeaders(response, { "cache-control": "no-store" });
  });
});
