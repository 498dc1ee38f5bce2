/** What the proxy does to requests, as a real S3 server and `fetch` see it. */
import { describe, expect, test } from "bun:test";
import { bucketMissing, testBucket } from "../support/bucket.ts";
import { openBucketProxy, type RequestFault } from "../support/bucket-proxy.ts";

if (bucketMissing !== null) console.error(`NOT RUN: the proxy before a bucket (${bucketMissing})`);

const content = "0123456789".repeat(1000);

/** An object that holds the content, and requests through the proxy. */
async function openWorld() {
  await using opened = new AsyncDisposableStack();
  const bucket = opened.use(await testBucket());
  const proxy = opened.use(await openBucketProxy(bucket));
  await bucket.client.write(`${bucket.prefix}/kept`, content);
  const client = new Bun.S3Client(proxy);
  const ask = async (method: "GET" | "PUT", name: string) => {
    const url = client.presign(`${bucket.prefix}/${name}`, { method, expiresIn: 60 });
    const signal = AbortSignal.timeout(1_000);
    const body = method === "PUT" ? { body: content } : {};
    try {
      const answer = await fetch(url, { method, signal, ...body });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      return String(error instanceof Error && "code" in error ? error.code : error);
    }
  };
  const opening = opened.move();
  return {
    proxy,
    ask,
    exists: (name: string) => bucket.client.exists(`${bucket.prefix}/${name}`),
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  };
}

describe.skipIf(bucketMissing !== null)("the proxy before a bucket", () => {
  test("all passes, and every request is seen", async () => {
    await using world = await openWorld();
    const seen: string[] = [];
    world.proxy.onRequest(({ method, path }) => {
      seen.push(`${method} ${path.replace(/^.*\/|\?.*$/g, "")}`);
      return null;
    });
    expect(await world.ask("PUT", "new")).toEqual({ status: 200, text: "" });
    expect(await world.ask("GET", "new")).toEqual({ status: 200, text: content });
    expect(seen).toEqual(["PUT new", "GET new"]);
  });

  const gone = "ECONNRESET";
  const late = "23";
  test.each<[string, RequestFault, unknown]>([
    ["an answer of the proxy", { answer: 503 }, { status: 503, text: expect.stringContaining("SlowDown") }],
    ["another status", { answerAfter: 500 }, { status: 500, text: expect.stringContaining("InternalError") }],
    ["a reset", "reset", gone],
    ["a lost answer", "loseAnswer", gone],
    ["a stall", "stall", late],
    ["half a body and a reset", "half", gone],
    ["half a body and a stall", "stallHalf", late],
    [
      "a changed byte",
      "changeByte",
      { status: 200, text: `${content.slice(0, 5000)}1${content.slice(5001)}` },
    ],
  ])("a read gets %s, once", async (_, fault, outcome) => {
    await using world = await openWorld();
    let isDone = false;
    world.proxy.onRequest(() => {
      if (isDone) return null;
      isDone = true;
      return fault;
    });
    const answer: unknown = await world.ask("GET", "kept");
    expect(answer).toEqual(outcome);
    expect(await world.ask("GET", "kept")).toEqual({ status: 200, text: content });
  });

  test.each<[string, RequestFault, boolean]>([
    ["answered by the proxy", { answer: 500 }, false],
    ["reset", "reset", false],
    ["stalled", "stall", false],
    ["answered otherwise", { answerAfter: 500 }, true],
    ["carried out without an answer", "loseAnswer", true],
  ])("a write that is %s", async (_, fault, isKept) => {
    await using world = await openWorld();
    world.proxy.onRequest(() => fault);
    expect(await world.ask("PUT", "new")).not.toEqual({ status: 200, text: "" });
    expect(await world.exists("new")).toBe(isKept);
  });
});
