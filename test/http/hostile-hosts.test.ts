/** What a request names as its host decides nothing, and breaks nothing (RFC 9112 3.2). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { sendRaw } from "../support/raw-http.ts";

let harness: Harness;
let address: string;
beforeAll(async () => {
  // Every answer of another origin's page passes through what looks at the address.
  harness = await openHarness({ settings: { CORS_ORIGINS: "https://www.example.org" } });
  address = harness.listen().address;
  await addMember(harness, "Alice");
});
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

/**
 * Ways in which a request's address is looked at: a route, none, another method, a page of elsewhere, a
 * preflight.
 */
const requests: readonly (readonly [
  what: string,
  line: string,
  headers: readonly string[],
  status: number,
])[] = [
  ["a page", "GET /health/live", [], 200],
  ["no page", "GET /no/such/place", [], 404],
  ["another method", "DELETE /health/live", [], 405],
  ["a page of elsewhere", "GET /no/such/place?x=/y", ["Origin: https://www.example.org"], 404],
  [
    "a question beforehand",
    "OPTIONS /api/auth/login",
    ["Origin: https://www.example.org", "Access-Control-Request-Method: POST"],
    204,
  ],
];

const ask = (line: string, headers: readonly string[], version = "1.1") =>
  sendRaw(address, [`${line} HTTP/${version}`, ...headers, "Connection: close", "", ""].join("\r\n"));

const long = "a".repeat(5000);

describe.each(requests)("%s", (_, line, headers, status) => {
  test.each([
    "localhost",
    "mc",
    "a",
    "skins.example.org",
    "skins.example.org.",
    "SKINS.example.org:443",
    "a_b",
    "127.0.0.1:80",
    "[::1]",
    "[::1]:3000",
    "localhost:",
    "localhost:65535",
    "xn--mnchen-3ya.example",
  ])("is answered under the host %s", async (host) => {
    expect(await ask(line, [`Host: ${host}`, ...headers])).toStartWith(`HTTP/1.1 ${status} `);
  });

  test.each([
    "xn--",
    "xn--a",
    "xn--a.example",
    "xn--zzzzzzzzzzzzz-",
    "[",
    "[::",
    "[::1",
    "[::1]x",
    "[::g]",
    "[v1.x]",
    "a b",
    "%",
    "a%",
    "a%20b",
    "a%zz",
    "user@localhost",
    "a/b",
    "/",
    "http://localhost",
    "a?b",
    "a#b",
    "a\\b",
    "a|b",
    "a^b",
    "<a>",
    'a"b',
    "localhost:99999",
    "localhost:65536",
    "localhost:x",
    "localhost:-1",
    "localhost:80:80",
    ":80",
    "256.1.1.1",
    "localhost, evil.example",
    "",
    " ",
    "é.example",
    "\u{1f642}",
    "\u00ad",
  ])("is refused under the malformed host %p", async (host) => {
    const answer = await ask(line, [`Host: ${host}`, ...headers]);
    expect(answer).toStartWith("HTTP/1.1 400 ");
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^content-type: application\/json/im);
    expect(JSON.parse(body)).toEqual({
      error: true,
      msg: "Host: must name one host, as in skins.example.org",
      url: null,
      data: {},
    });
  });

  test("is refused under two hosts", async () => {
    const answer = await ask(line, ["Host: localhost", "Host: evil.example", ...headers]);
    expect(answer).toStartWith("HTTP/1.1 400 ");
  });

  test.each([
    ["a very long one", [`Host: ${long}.example`]],
    ["dots alone", ["Host: .."]],
    ["an empty label", ["Host: a..b"]],
    ["a byte that is no text", ["Host: a\u0000b"]],
    ["none at all", []],
  ])("breaks nothing under %s", async (_name, host) => {
    expect(await ask(line, [...host, ...headers])).toMatch(/^HTTP\/1\.1 (?:2|4)\d\d /);
  });
});

describe("a request target", () => {
  test.each([
    ["in absolute form is answered by its path", "GET http://evil.example/health/live", 200],
    ["in absolute form with no valid host", "GET http://xn--/health/live", 200],
    ["without a path", "GET http://localhost", 200],
    ["with a query alone", "GET http://localhost?x=/health/live", 200],
    ["with two slashes", "GET //evil.example/health/live", 404],
    ["of a tunnel", "CONNECT localhost:80", 400],
    ["of a tunnel to a path", "CONNECT /health/live", 405],
    ["of a tunnel to what is no host", "CONNECT a@", 400],
    ["of a tunnel to another path", "CONNECT a/b", 400],
  ])("%s", async (_, line, status) => {
    expect(await ask(line, ["Host: localhost"])).toStartWith(`HTTP/1.1 ${status} `);
    expect(await ask(line, ["Host: a"])).toStartWith(`HTTP/1.1 ${status} `);
  });

  test.each(["GET health/live", "GET *", "OPTIONS *", "GET javascript:alert(1)", "GET ftp://a/b"])(
    "%s is refused before the service sees it",
    async (line) => {
      expect(await ask(line, ["Host: localhost"])).toStartWith("HTTP/1.1 400 ");
    },
  );
});

describe("HTTP/1.0, which needs no host", () => {
  test.each([
    ["GET /health/live", 200],
    ["HEAD /health/live", 200],
    ["GET /health/ready?x=//y", 200],
    ["GET /no/such/place", 404],
    ["DELETE /health/live", 405],
    ["GET //health/live", 404],
  ])("%s", async (line, status) => {
    expect(await ask(line, [], "1.0")).toStartWith(`HTTP/1.1 ${status} `);
    expect(await ask(line, ["Host: mc"], "1.0")).toStartWith(`HTTP/1.1 ${status} `);
    expect(await ask(line, ["Host: "], "1.0")).toStartWith("HTTP/1.1 400 ");
  });

  test("has its body read", async () => {
    const body = JSON.stringify({ username: "Nobody", password: "wrong password" });
    const head = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const request = ["POST /api/auth/login HTTP/1.0", ...head, "", body].join("\r\n");
    expect(await sendRaw(address, request)).toStartWith("HTTP/1.1 401 ");
  });
});

describe("a remembered answer", () => {
  const hosts = [
    "localhost",
    "mc",
    "skins.example.org",
    "[::1]:80",
    ...Array.from({ length: 40 }, (_, at) => `a${at}`),
  ];

  test.each([
    ["a page", "GET /login", []],
    ["a page in another language and coding", "GET /login", ["Accept-Language: de", "Accept-Encoding: gzip"]],
    ["a picture", "GET /api/skin/head/Alice?size=32", []],
    ["a descriptor", "GET /csl/Alice.json", []],
  ])("is one for all hosts: %s", async (_, line, headers) => {
    harness.takeRequests();
    const bodies = new Set<string>();
    for (const host of hosts) {
      const answer = await ask(line, [`Host: ${host}`, ...headers]);
      expect(answer).toStartWith("HTTP/1.1 200 ");
      bodies.add(answer.split("\r\n\r\n").slice(1).join());
    }
    expect(bodies.size).toBe(1);
    // What is answered from memory has no line.
    expect(harness.takeRequests()).toHaveLength(1);
  });

  test.each([
    ["a malformed one", ["Host: a b"]],
    ["two", ["Host: localhost", "Host: evil.example"]],
    ["a name with a bad label", ["Host: xn--a"]],
  ])("is given to no request that names a host badly: %s", async (_, host) => {
    await ask("GET /register", ["Host: localhost"]);
    expect(await ask("GET /register", host)).toStartWith("HTTP/1.1 400 ");
  });

  test("is given to a request without a host, as HTTP/1.0 may have none", async () => {
    await ask("GET /register", ["Host: localhost"]);
    harness.takeRequests();
    expect(await ask("GET /register", [], "1.0")).toStartWith("HTTP/1.1 200 ");
    expect(harness.takeRequests()).toEqual([]);
  });
});
