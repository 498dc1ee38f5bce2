import { Database } from "bun:sqlite";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PlainError } from "../../src/kernel/errors.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { hearChanges } from "../support/heard-changes.ts";
import { addMember, addSkin, upload } from "../support/members.ts";
import { lastCode, orderCode, send } from "../support/registration.ts";
import { openSocialWorld, signInSocially } from "../support/social/social-world.ts";
import { isLeftOut } from "../support/storages.ts";

const serviceToken = "a service token that is long enough for a setting";
const origin = "https://www.example.org";
const harness = await openHarness({ settings: { SERVICE_API_TOKEN: serviceToken, CORS_ORIGINS: origin } });
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
const skin = await addSkin(harness, alice, {});
beforeEach(() => void harness.takeRequests());

const idPattern = /^[0-9a-f]{12}-[0-9a-z]+$/;

/** The line of the one request that was made. */
function takeLine() {
  const lines = harness.takeRequests();
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

describe("every request has one line", () => {
  const asAlice = { headers: { authorization: alice.authorization } };
  const user = alice.account.id;

  test.each([
    [
      "a picture that is made",
      `/api/skin/head/${alice.uuid}?size=20`,
      {},
      { route: "/api/skin/head/:uuid", status: 200 },
    ],
    [
      "the same, ready",
      `/api/skin/head/${alice.uuid}?size=20`,
      {},
      { route: "/api/skin/head/:uuid", status: 200 },
    ],
    [
      "its head",
      `/api/skin/head/${alice.uuid}?size=20`,
      { method: "HEAD" },
      { route: "/api/skin/head/:uuid", status: 200 },
    ],
    ["a member's request", "/api/home", asAlice, { route: "/api/home", status: 200, user }],
    ["a stranger's request", "/api/home", {}, { route: "/api/home", status: 401 }],
    ["one without the level", "/api/admin/users", asAlice, { route: "/api/admin/users", status: 403, user }],
    ["one that breaks a rule", "/api/skin/head/x?size=7", {}, { route: "/api/skin/head/:uuid", status: 400 }],
    ["an address that does not exist", "/api/nothing/here?a=b", {}, { route: "unknown", status: 404 }],
    ["a method that is not taken", "/api/home", { method: "PUT" }, { route: "unknown", status: 405 }],
    [
      "a browser's question, which no route answers",
      "/api/home",
      { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } },
      { route: "preflight", status: 204 },
    ],
    [
      "a page with a token in its address",
      "/mail/unsubscribe/jy5MGlt9Tj-aYBwtPk9aawM0qk0Vb1mTn2Jx4uCwP7E",
      { method: "POST" },
      { route: "/mail/unsubscribe/:token", status: 404 },
    ],
    [
      "a provider's code",
      "/auth/social/callback?code=a-code-of-a-provider&state=a-state-of-ours",
      {},
      { route: "/auth/social/callback", status: 400 },
    ],
    ["a path that ends with a slash", "/api/home/", asAlice, { route: "/api/home", status: 200, user }],
  ])("%s", async (_, path, init, wanted) => {
    await harness.fetch(path, init);
    const line = takeLine();
    const { method } = { method: "GET", ...init };
    expect(line).toEqual({
      time: expect.any(String),
      level: "info",
      message: "request",
      requestId: expect.stringMatching(idPattern),
      method,
      ms: expect.any(Number),
      ...wanted,
    });
  });

  test("a picture that the client has already, ready or not", async () => {
    const path = `/api/skin/head/${alice.uuid}?size=21`;
    const etag = (await harness.fetch(path)).headers.get("etag") ?? "";
    for (let i = 0; i < 2; i++) await harness.fetch(path, { headers: { "if-none-match": etag } });
    expect(harness.takeRequests().map(({ status }) => status)).toEqual([200, 304, 304]);
  });

  test("a sign-in names who signed in, a service's request the service", async () => {
    await send(harness, "POST /api/auth/login", { username: "Alice", password: alice.password });
    expect(takeLine()).toMatchObject({ route: "/api/auth/login", status: 200, user: alice.account.id });
    await send(harness, "POST /api/service/user", { Playername: "Alice" }, { authorization: serviceToken });
    expect(takeLine()).toMatchObject({ route: "/api/service/user", status: 200, user: "service:default" });
  });

  test("each has an id of its own", async () => {
    await Promise.all(Array.from({ length: 50 }, () => harness.fetch(`/api/skin/public/${skin}`)));
    const ids = harness.takeRequests().map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(50);
  });

  test("a health check, but only at the level debug", async () => {
    await harness.fetch("/health/live");
    expect(takeLine()).toMatchObject({ level: "debug", route: "/health/live" });
  });
});

test.each([
  ["all", ["/health/live", "/api/skin/head/:uuid", "/api/skin/head/:uuid", "/api/home"]],
  ["api", ["/health/live", "/api/skin/head/:uuid", "/api/home"]],
  ["none", []],
])("LOG_REQUESTS=%s logs %j", async (LOG_REQUESTS, routes) => {
  await using listening = await openHarness({ settings: { LOG_REQUESTS } });
  const { uuid } = await addMember(listening, "Alice");
  await hearChanges(listening);
  const { address } = listening.listen();
  listening.takeRequests();
  const paths = ["/health/live", `/api/skin/head/${uuid}`, `/api/skin/head/${uuid}`, "/api/home"];
  for (const path of paths) await (await fetch(address + path)).bytes();
  expect(listening.takeRequests().map(({ route }) => route)).toEqual(routes);
});

describe("what goes wrong is found by its id", () => {
  test.each([
    ["a fault", new Error("the disk is on fire"), 500, 1],
    ["a full disk", new PlainError("no_space", "No space is left on the server's disk"), 507, 0],
  ])("%s: the answer has the id of its lines", async (_, error, status, faults) => {
    await using broken = await openHarness({ blobs: { put: () => Promise.reject(error) } });
    const member = await addMember(broken, "Alice");
    broken.takeRequests();
    const response = await upload(broken, member, {});
    expect(response.status).toBe(status);
    const requestId = response.headers.get("x-request-id");
    expect(requestId).toMatch(idPattern);
    expect(broken.takeRequests()).toMatchObject([{ requestId, status, user: member.account.id }]);
    const complaints = broken.takeComplaints();
    expect(complaints).toHaveLength(faults);
    expect(complaints.every((line) => line["requestId"] === requestId)).toBe(true);
    expect(complaints.every((line) => line["route"] === "/api/home/edit/upload")).toBe(true);
  });

  test("a provider that fails: the answer has the id of its lines", async () => {
    await using world = await openSocialWorld();
    world.provider.answer("/api/oauth2/token", () => new Response("broken", { status: 500 }));
    const response = await signInSocially(world);
    expect(response.status).toBe(502);
    const requestId = response.headers.get("x-request-id");
    expect(requestId).toMatch(idPattern);
    const { harness: social } = world;
    const route = "/auth/social/callback";
    expect(social.takeRequests().at(-1)).toMatchObject({ requestId, status: 502, route });
    expect(social.takeComplaints()).toMatchObject([{ requestId, level: "warn", route }]);
  });

  test("what succeeds, and what a client did wrong, has none", async () => {
    for (const path of ["/api/nowhere", "/api/home", `/api/skin/public/${skin}`])
      expect((await harness.fetch(path)).headers.has("x-request-id")).toBe(false);
  });
});

/** What the harness says when it goes. */
async function refusalOf(leaky: Harness): Promise<string> {
  try {
    await leaky[Symbol.asyncDispose]();
    return "";
  } catch (error) {
    return String(error);
  }
}

describe("no line holds a secret", () => {
  test.skipIf(isLeftOut("sqlite", "the trigger is SQLite's"))(
    "when a code cannot be mailed because the database refuses it",
    async () => {
      await using broken = await openHarness();
      using other = new Database(join(broken.folder, "cloakroom.db"));
      other.run("CREATE TRIGGER t BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'refused'); END");
      const json = { mail: "anna@example.org", password: "a long good password" };
      expect((await send(broken, "POST /api/auth/register", json)).status).toBe(500);
      const complaints = JSON.stringify(broken.takeComplaints());
      expect(complaints).toContain("refused");
      expect(complaints).not.toContain("/confirm");
    },
  );

  test.each([
    ["a token in a header", { authorization: `Bearer ${alice.jwt}` }, "GET /api/home", undefined],
    ["a code in a body", {}, "POST /api/auth/confirm", { code: "AAAAA-BBBBB" }],
  ])("%s, and the harness would notice", async (_, headers, request, json) => {
    const leaky = await openHarness();
    await send(leaky, request, json, headers);
    const { log } = leaky;
    log.info("leak", { headers, json });
    expect(await refusalOf(leaky)).toContain("the log holds");
  });

  test("a code in a link, and the harness would notice", async () => {
    const leaky = await openHarness();
    await orderCode(leaky, "confirm", "anna@example.org");
    leaky.log.info("leak", { link: `https://www.example.org/?code=${lastCode(leaky, "anna@example.org")}` });
    expect(await refusalOf(leaky)).toContain("the log holds");
  });
});
