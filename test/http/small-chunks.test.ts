/**
 * Many small chunks cost no more than a large one: a piece of a body costs as much of the event loop as
 * kilobytes do.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { beginRaw, chunk } from "../support/raw-http.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
const { address } = harness.listen();

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };
const session = { authorization: alice.authorization };
const chunked = { "transfer-encoding": "chunked" };

/** A body of small pieces, and how many of them were asked for. */
function pieces(count: number, bytes = 1) {
  const asked = { pieces: 0 };
  const piece = new Uint8Array(bytes).fill(0x20);
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (asked.pieces === count) return controller.close();
        asked.pieces += 1;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, asked };
}

const requests: readonly (readonly [request: string, status: number, headers: Record<string, string>])[] = [
  ["POST /api/no/such/place", 404, json],
  ["DELETE /api/home", 405, { ...json, ...session }],
  ["POST /api/home/edit/upload", 401, form],
  ["POST /api/auth/login", 415, { "content-type": "text/plain" }],
  ["POST /api/auth/login", 400, json],
  ["PUT /api/home/edit/skin", 400, { ...json, ...session }],
  ["POST /api/home/edit/upload", 400, { ...form, ...session }],
  ["POST /api/yggdrasil/authserver/authenticate", 400, {}],
  ["POST /mail/unsubscribe/x", 400, {}],
];

describe.each(requests)("%s, which answers %d", (request, status, headers) => {
  const [method = "", path = ""] = request.split(" ");

  test("does so to a hundred thousand chunks of one byte, of which it reads few", async () => {
    const { body, asked } = pieces(100_000);
    const answer = await harness.fetch(path, { method, headers: { ...headers, ...chunked }, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("connection")).toBe("close");
    // Twice, where a reader gives up and the rest is passed over.
    expect(asked.pieces).toBeLessThanOrEqual(2 * 1020);
  });
});

describe("a body in small chunks", () => {
  test("that a route reads is refused with the cure", async () => {
    const { body } = pieces(1100);
    const init = { method: "POST", headers: { ...json, ...chunked }, body };
    const { msg } = await readJson<Envelope<object>>(await harness.fetch("/api/auth/login", init));
    expect(msg).toBe(
      "The body comes in too many small chunks: send larger ones, or its length (Content-Length)",
    );
  });

  test("is read while they are not the smallest: a sign-in of 8 KiB in pieces of 8 bytes", async () => {
    const { name: username, password } = alice;
    const bytes = new TextEncoder().encode(JSON.stringify({ username, password }).padEnd(8192));
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, (at += 8)));
      },
    });
    const init = { method: "POST", headers: { ...json, ...chunked }, body };
    expect((await harness.fetch("/api/auth/login", init)).status).toBe(200);
  });

  test("that a route waits for is refused over a connection, too, and the connection ends", async () => {
    const head = [
      "POST /api/auth/login HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    const one = chunk(new Uint8Array([0x20]));
    const { send, answer } = beginRaw(address, [...head, "", ""].join("\r\n"));
    send(one);
    // Once another request is answered, the first one waits for its body.
    for (let time = 0; time < 3; time++) await (await fetch(`${address}/api/no/such/place`)).bytes();
    send(Buffer.concat([...Array.from({ length: 5000 }, () => one), chunk(new Uint8Array())]));
    const refused = await answer;
    expect(refused).toStartWith("HTTP/1.1 400 ");
    expect(refused).toContain("too many small chunks");
    expect(refused).toMatch(/^connection: close\r$/im);
  });

  test("that no route reads passes by in whole, and its client gets the answer", async () => {
    const head = [
      "POST /api/no/such/place HTTP/1.1",
      "Host: localhost",
      "Transfer-Encoding: chunked",
      "",
      "",
    ];
    for (const count of [1, 500, 100_000]) {
      const { send, answer } = beginRaw(address, head.join("\r\n"));
      const one = chunk(new Uint8Array([0x20]));
      send(Buffer.concat([...Array.from({ length: count }, () => one), chunk(new Uint8Array())]));
      expect(await answer).toStartWith("HTTP/1.1 404 ");
    }
  });
});

test("each such body counts for its address, whether or not a route reads it", async () => {
  await using limited = await openHarness({
    settings: { RATE_LIMIT_FACTOR: "0.01", TRUSTED_PROXIES: "127.0.0.1" },
  });
  const ask = async (path: string, count: number, from: string) => {
    const headers = { ...json, ...chunked, "x-forwarded-for": from };
    const { body } = pieces(count);
    return (await limited.fetch(path, { method: "POST", headers, body })).status;
  };
  for (const [path, status, from] of [
    ["/api/yggdrasil/authserver/validate", 400, "192.0.2.1"],
    ["/api/no/such/place", 404, "192.0.2.2"],
  ] as const) {
    // Three in a minute.
    for (let time = 0; time < 3; time++) expect(await ask(path, 5000, from)).toBe(status);
    expect(await ask(path, 5000, from)).toBe(429);
    expect(await ask(path, 1, "192.0.2.9")).toBe(status);
  }
});
