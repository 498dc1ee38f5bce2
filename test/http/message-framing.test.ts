/** Where one request ends and the next begins is never a matter of opinion between a proxy and us. */
import { afterAll, describe, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { sendRaw } from "../support/raw-http.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const server = harness.listen();

const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A sign-in with these headers and this body, and whatever comes behind it. */
function post(headers: readonly string[], body: string): Promise<string> {
  const lines = [
    "POST /api/auth/login HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    ...headers,
  ];
  return sendRaw(server.address, `${lines.join("\r\n")}\r\n\r\n${body}`);
}

describe("a request whose end is doubtful is refused, and nothing behind it is read", () => {
  test.each([
    ["a length and chunks", ["Content-Length: 6", "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 6"], `0\r\n\r\n${smuggled}`],
    ["two lengths", ["Content-Length: 2", "Content-Length: 5"], `{}${smuggled}`],
    ["a length with a sign", ["Content-Length: +2"], `{}${smuggled}`],
    ["another coding", ["Transfer-Encoding: xchunked", "Content-Length: 2"], `{}${smuggled}`],
  ])("%s", async (_, headers, body) => {
    const answer = await post(headers, body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

const lines = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`);
const get = (target: string, headers: readonly string[]) =>
  sendRaw(server.address, [`GET ${target} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));

describe("a head that is too long", () => {
  test.each([
    ["of 16 KiB in one line", "/health/live", [`X: ${"a".repeat(16 * 1024)}`]],
    ["of 16 KiB in many lines", "/health/live", lines(150).map((line) => line + "a".repeat(110))],
    ["of 16 KiB in the target", `/health/live?x=${"a".repeat(16 * 1024)}`, []],
    ["of 200 lines", "/health/live", lines(199)],
  ])("%s is answered 431 without a body, and the connection ends", async (_, target, headers) => {
    expect(await get(target, headers)).toBe(
      "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n",
    );
  });

  test.each([
    ["15 KiB", [`X: ${"a".repeat(15 * 1024)}`]],
    ["198 lines", lines(197)],
  ])("is none with %s", async (_, headers) => {
    expect(await get("/health/live", headers)).toStartWith("HTTP/1.1 200 ");
  });
});

test("TRACE gives nothing of the request back", async () => {
  const answer = await sendRaw(
    server.address,
    "TRACE /api/home HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer abc\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).not.toContain("Bearer abc");
});

test.each(["/textures/", "/textures", "/api/skin/public/", "/.git/config", "/cloakroom.db"])(
  "%s shows neither a list of files nor a file",
  async (path) => {
    const answer = await fetch(`${server.address}${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: true, data: {} });
  },
);
