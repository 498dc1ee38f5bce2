/** An unwanted body costs no more than a bounded part of it. */
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { chunk } from "../support/raw-http.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
const { address } = harness.listen();
// From now on the response cache has its picture.
const cached = `/api/skin/head/${alice.uuid}`;
await fetch(`${address}${cached}`, { headers: { host: "localhost" } });

const piece = new Uint8Array(64 * 1024).fill(0x20);
/** What the system's own buffers take on loopback, and more than what is read all the same. */
const patienceBytes = 256 * 1024 * 1024;

/** Sends until the server has had enough. Fails when it never has. */
function pour(request: string, headers: readonly string[], more: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  let sent = 0;
  const socket = connect(Number(port), hostname, () => {
    socket.write([`${request} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));
    pump();
  });
  const pump = () => {
    if (socket.destroyed) return;
    sent += more.length;
    if (sent > patienceBytes) {
      reject(new Error(`${sent} bytes were taken`));
      socket.destroy();
    } else if (socket.write(more)) setImmediate(pump);
    else socket.once("drain", pump);
  };
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => void (answer += text));
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(answer));
  return promise;
}

const mebibytes = (count: number) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let piece = 0; piece < count; piece++) controller.enqueue(new Uint8Array(1024 * 1024));
      controller.close();
    },
  });

const json = "Content-Type: application/json";
const form = "Content-Type: multipart/form-data; boundary=b";
const session = `Authorization: ${alice.authorization}`;

const requests: readonly (readonly [string, readonly string[], number])[] = [
  ["POST /api/auth/login", [json], 413],
  ["POST /api/home/edit/upload", [form], 401],
  ["POST /api/home/edit/upload", [form, session], 413],
  ["POST /api/no/such/place", [json], 404],
  ["DELETE /api/home", [json, session], 405],
  ["GET /health/live", [], 200],
  [`GET ${cached}`, [], 200],
];

describe.each(requests)("%s with %p", (request, headers, status) => {
  test.each([
    ["ten gigabytes", "Content-Length: 10737418240", piece],
    ["a body without an end", "Transfer-Encoding: chunked", chunk(piece)],
  ])(`answers ${status} to %s and ends the connection`, async (_, length, more) => {
    const answer = await pour(request, [...headers, length], more);
    // The system may drop what a client has not read when it goes on sending to a connection that has ended.
    if (answer === "") return;
    expect(answer).toStartWith(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  });
});

describe("a body that is too large, but not by much, passes by, so that its client hears why", () => {
  test.each([
    ["declared, by a member", () => new Uint8Array(8 * 1024 * 1024), alice.authorization, 413],
    ["declared, by a stranger", () => new Uint8Array(8 * 1024 * 1024), "Bearer of-nobody", 401],
    ["in chunks, by a member", () => mebibytes(2), alice.authorization, 413],
    ["in chunks, by a stranger", () => mebibytes(2), "Bearer of-nobody", 401],
  ])("%s", async (_, body, authorization, status) => {
    const headers = { "content-type": "multipart/form-data; boundary=b", authorization };
    const answer = await fetch(`${address}/api/home/edit/upload`, { method: "POST", headers, body: body() });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: true });
  });
});
