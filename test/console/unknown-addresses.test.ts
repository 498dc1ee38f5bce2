import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anonymous } from "../../src/domain/model/actor.ts";
import { openSession } from "../../src/domain/sessions/open-session.ts";
import { consolePages } from "../../src/words/page-list.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { ownHeaders, secureName } from "../support/console.ts";
import { checkHeaders } from "../support/scenario.ts";
import { claimsOf, forge } from "../support/tokens.ts";

let harness: Harness;
let off: Harness;
beforeAll(async () => {
  [harness, off] = await Promise.all([openHarness(), openHarness({ settings: { CONSOLE: "false" } })]);
  await addMember(harness, "Alice");
});
afterAll(() => Promise.all([harness, off].map((one) => one[Symbol.asyncDispose]())));

const html = "text/html;charset=utf-8";
const envelope = "application/json; charset=utf-8";

/** The headers by which a browser is known, and what it gets at an address where nothing is. */
const askers: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["a browser that opens it", { "sec-fetch-dest": "document", accept: "text/html,*/*" }, html],
  ["a browser whatever it accepts", { "sec-fetch-dest": "document", accept: "*/*" }, html],
  ["a browser on plain http", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, html],
  ["a browser with TEXT/HTML", { accept: "TEXT/HTML" }, html],
  ["a script's fetch", { "sec-fetch-dest": "empty", accept: "text/html" }, envelope],
  ["a picture of a page", { "sec-fetch-dest": "image", accept: "text/html" }, envelope],
  ["a frame", { "sec-fetch-dest": "iframe", accept: "text/html" }, envelope],
  ["a program", { accept: "application/json" }, envelope],
  ["a program that accepts anything", { accept: "*/*" }, envelope],
  ["a program without headers", {}, envelope],
];

describe.each([
  "/nothing",
  "/nothing/here",
  "/u",
  "/u//",
  "//",
  "//evil.example/",
  "/u/Nobody1",
  "/u/a%3Cb",
  "/u/%ff",
  "/u/%00",
  "/homes",
  "/admin/none",
  "/auth/x",
])("%s", (path) => {
  test.each(askers)("%s", async (_, headers, type) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await harness.fetch(path, { method, headers });
      expect(response.status).toBe(404);
      checkHeaders(response, { "content-type": type, "cache-control": "no-store", etag: null });
    }
  });
});

/** Not found, but of somebody who knows no pages. */
const others = [
  "/api/nothing",
  "/api",
  "/api/skin/head/Nobody1",
  "/api/yggdrasil/nothing",
  "/csl/Nobody1.json",
  "/ely/nothing",
  "/legacy/nothing",
  "/minotar/nothing",
];

test.each(others)("%s is no page, however it is asked for", async (path) => {
  const plain = await harness.fetch(path);
  for (const [, headers] of askers) {
    const response = await harness.fetch(path, { headers });
    expect(response.status).toBe(plain.status);
    expect(response.headers.get("content-type")).toBe(plain.headers.get("content-type"));
  }
});

test("the page says that nothing is there, with and without scripts, in the browser's language", async () => {
  const response = await harness.fetch("/nothing", {
    headers: { accept: "text/html", "accept-language": "ru" },
  });
  checkHeaders(response, { "content-language": "ru", vary: /sec-fetch-dest/i });
  const text = await response.text();
  expect(text).toContain("<h1>Страница не найдена</h1>");
  expect(text).toContain("<title>Страница не найдена · www.example.org</title>");
});

test("other methods get the envelope", async () => {
  const response = await harness.fetch("/nothing", { method: "POST", headers: { accept: "text/html" } });
  expect(response.status).toBe(404);
  checkHeaders(response, { "content-type": envelope });
});

describe("with CONSOLE=false", () => {
  const addresses = [
    ...consolePages.map(({ path }) => path.replace(":name", "Alice").replace(":id", "1")),
    "/nothing",
    "/favicon.ico",
    "/apple-touch-icon.png",
    "/console/community",
    "/console/assets/x.js",
    "/console/accent.css",
    "/console/logo",
    "/console/touch-icon",
    "/console/session",
    "/console/setup",
  ];

  test.each(addresses)("%s is an address like any other where nothing is", async (path) => {
    for (const [, headers] of askers) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await off.fetch(path, { method, headers });
        expect(response.status).toBe(404);
        checkHeaders(response, {
          "content-type": envelope,
          "content-security-policy": /^default-src 'none'; base-uri/,
        });
        if (method === "GET") {
          expect(await response.json()).toEqual({
            error: true,
            msg: "There is nothing at this address",
            url: null,
            data: {},
          });
        }
      }
    }
  });

  test("the API answers as ever", async () => {
    expect((await off.fetch("/health/live")).status).toBe(200);
    expect((await off.fetch("/api/skin/head/Nobody1")).status).toBe(404);
  });
});

/** A token of the console, which a server without one opens none for. */
async function consoleTokenOf({ services }: Harness, { jwt, account }: Member): Promise<string> {
  const member = await services.reads.accounts.findMember({ by: "id", value: account.id });
  if (member === null) throw new Error(`no account ${account.id}`);
  const client = { address: "192.0.2.1", userAgent: "", console: { stay: false } };
  const { session } = await services.transact(anonymous, (tx) =>
    openSession(tx, { member, methods: ["password"], provedAt: tx.now }, client),
  );
  return forge({ ...claimsOf(jwt), sid: session.id });
}

test("without a console a cookie from earlier counts for nothing", async () => {
  for (const [world, statuses] of [
    [harness, [200, 400]],
    [off, [401, 401]],
  ] as const) {
    const token = await consoleTokenOf(world, await addMember(world, "Cookie"));
    const headers = { ...ownHeaders, cookie: `${secureName}=${token}` };
    const read = await world.fetch("/api/home", { headers });
    const init = { method: "PUT", headers: { ...headers, "content-type": "application/json" }, body: "{}" };
    const change = await world.fetch("/api/home/edit/skin", init);
    expect([read.status, change.status]).toEqual([...statuses]);
  }
});
