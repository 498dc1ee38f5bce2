/**
 * What a client may expect that sends its next request before it has the answer to the last
 * (docs/contract/answers.md#connections).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { cheapHasher, openHarness } from "../support/harness.ts";
import { hearChanges } from "../support/heard-changes.ts";
import { addMember } from "../support/members.ts";

const working = Promise.withResolvers<void>();
const goOn = Promise.withResolvers<void>();
const harness = await openHarness({
  hasher: {
    ...cheapHasher,
    verify: async (password, hash) => {
      if (password !== "wrong password") return cheapHasher.verify(password, hash);
      working.resolve();
      await goOn.promise;
      return false;
    },
  },
});
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
await hearChanges(harness);
const server = harness.listen();
const picture = `/api/skin/head/${alice.uuid}?size=16`;
let pictureBytes: Uint8Array;
beforeAll(async () => void (pictureBytes = await (await fetch(server.address + picture)).bytes()));

/** What comes back for bytes that are sent at once, until the server ends the connection or `isEnough`. */
function exchange(text: string, isEnough: (answer: Buffer) => boolean = () => false): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let answer = Buffer.alloc(0);
  const socket = connect(Number(new URL(server.address).port), "127.0.0.1");
  socket.write(text);
  socket.on("data", (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (isEnough(answer)) socket.destroy();
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve(answer));
  return promise;
}

const get = `GET ${picture} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const unknown = "GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n";
const signIn = (password: string): string => {
  const body = JSON.stringify({ username: "Alice", password });
  return `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
/** Its answer waits for `goOn`. */
const post = signIn("wrong password");

type Answer = { readonly head: string; readonly body: Uint8Array };

function countAnswers(bytes: Buffer): number {
  return bytes.toString("latin1").match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
}

/** The whole answers, one after the other. */
function answersIn(bytes: Buffer): readonly Answer[] {
  const answers: Answer[] = [];
  for (let at = 0; ;) {
    const start = bytes.indexOf("\r\n\r\n", at) + 4;
    const head = bytes.toString("latin1", at, start);
    const end = start + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    if (start < at + 4 || end > bytes.length) return answers;
    answers.push({ head, body: bytes.subarray(start, end) });
    at = end;
  }
}

test("500 requests for what is in memory are answered in order; one answer that says so may be the last, and the rest is asked for again", async () => {
  const answers: Answer[] = [];
  let tries = 0;
  for (; answers.length < 500 && tries < 100; tries++) {
    const left = 500 - answers.length;
    const hasAll = (bytes: Buffer) => countAnswers(bytes) >= left && answersIn(bytes).length >= left;
    const got = answersIn(await exchange(get.repeat(left), hasAll));
    // Each connection is of use, and ends with an answer that says so.
    expect(got.length).toBeGreaterThan(0);
    if (got.length < left) expect(got.at(-1)?.head).toMatch(/^connection: close\r$/im);
    expect(got.slice(0, -1).filter(({ head }) => /^connection: close\r$/im.test(head))).toEqual([]);
    answers.push(...got);
  }
  expect(answers.every(({ head }) => head.startsWith("HTTP/1.1 200 "))).toBe(true);
  expect(answers.every(({ body }) => Buffer.compare(body, pictureBytes) === 0)).toBe(true);
});

test("a client that sends more than is answered in one turn learns where it was cut, and no other answer says so", async () => {
  const cut = answersIn(await exchange(unknown.repeat(800)));
  expect(cut.length).toBeLessThan(800);
  expect(cut.at(-1)?.head).toMatch(/^connection: close\r$/im);
  for (const path of [picture, "/api/x"]) {
    const { headers } = await fetch(server.address + path);
    expect(headers.get("connection")).not.toBe("close");
  }
});

test("a request behind one whose answer takes time ends the connection without an answer, and the first takes effect", async () => {
  harness.takeRequests();
  const answer = exchange(post + get);
  await working.promise;
  expect(String(await answer)).toBe("");
  goOn.resolve();
  const { status } = await fetch(`${server.address}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Alice", password: "wrong password" }),
  });
  expect(status).toBe(401);
});

test("a request behind the answer goes over the same connection", async () => {
  let isSent = false;
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(server.address).port), "127.0.0.1");
  let text = "";
  socket.write(signIn("another wrong password"));
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (!isSent) socket.write(get);
    else socket.destroy();
    isSent = true;
  });
  socket.on("close", () => resolve(text));
  expect((await promise).match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
});
