/** One client that sends many requests at once keeps the server neither from its timers nor from others. */
import { afterAll, describe, expect, test } from "bun:test";
import type { ClientPort } from "../../src/boot/followed-requests.ts";
import { listen } from "../../src/boot/listener.ts";
import { paced } from "../../src/boot/paced.ts";
import type { RunningServer } from "../../src/boot/server.ts";
import { limits } from "../../src/kernel/limits.ts";
import { makeCertificate } from "../support/certificates.ts";
import { openHarness } from "../support/harness.ts";
import { hearChanges } from "../support/heard-changes.ts";
import { addMember } from "../support/members.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1", LOG_REQUESTS: "none" } });
afterAll(() => harness[Symbol.asyncDispose]());
const { uuid } = await addMember(harness, "Alice");
await hearChanges(harness);
const server = harness.listen();
const picture = `/api/skin/head/${uuid}?size=16`;
const ask = async (path: string, address = server.address) => {
  const answer = await fetch(address + path, { headers: { "x-forwarded-for": "198.51.100.7" } });
  await answer.bytes();
  return answer;
};
await ask(picture);

/** How many requests were answered, whatever became of their clients. */
function answered({ requests }: RunningServer): number {
  const counts = requests.read().flatMap(({ answers }) => [...answers.values()]);
  return counts.reduce((sum, one) => sum + one, 0);
}

/** The most that was answered in one turn of the event loop, until it is disposed of. */
function watchTurns(): Disposable & { readonly most: () => number } {
  let before = answered(server);
  let most = 0;
  let isOver = false;
  const look = (): void => {
    const now = answered(server);
    most = Math.max(most, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return { most: () => most, [Symbol.dispose]: () => void (isOver = true) };
}

type Sender = {
  readonly opened: Promise<void>;
  /** What was answered until the connection ended, or until there were as many answers as requests. */
  readonly answer: Promise<string>;
  readonly send: () => void;
};

/** A connection for requests that are sent in one piece. */
function connect(requests: readonly string[], { port } = new URL(server.address)): Sender {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<string>();
  let text = "";
  let socket: Bun.Socket | null = null;
  void Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      open: (open) => {
        socket = open;
        opened.resolve();
      },
      data: (open, chunk) => {
        text += chunk.toString("latin1");
        if (countAnswers(text) >= requests.length) open.end();
      },
      close: () => closed.resolve(text),
      error: () => closed.resolve(text),
    },
  });
  return {
    opened: opened.promise,
    answer: closed.promise,
    send: () => void socket?.write(requests.map(textOf).join("")),
  };
}

function textOf(request: string): string {
  return `${request} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

function countAnswers(text: string): number {
  return text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
}

function repeat(times: number, ...requests: readonly string[]): readonly string[] {
  return Array.from({ length: times }, (_, at) => requests[at % requests.length] ?? "");
}

/** What one connection sends: so much that it arrives in one piece. */
const each = 1000;
const connections = 8;
/** Ten times what is answered in some 5 ms, and a small part of what is sent. */
const atMost = (each * connections) / 4;

const kinds: readonly (readonly [string, readonly string[]])[] = [
  ["a cached picture", [`GET ${picture}`]],
  ["the head of a cached picture", [`HEAD ${picture}`]],
  ["an unknown path", ["GET /api/x"]],
  ["profiles of nobody", ["GET /api/skin/head/x"]],
  ["something else each time", [`GET ${picture}`, "GET /api/x", `HEAD ${picture}`, "GET /health/live"]],
];

describe.each(kinds)("eight connections that ask for %s a thousand times at once", (_, requests) => {
  test("leave turns of the event loop to others, whose requests go before theirs", async () => {
    const other = connect([`GET ${picture}`]);
    const attackers = repeat(connections, "").map(() => connect(repeat(each, ...requests)));
    await Promise.all([other, ...attackers].map(({ opened }) => opened));
    using turns = watchTurns();
    const before = answered(server);
    for (const { send } of attackers) send();
    other.send();
    expect(await other.answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answered(server) - before).toBeLessThan(atMost);
    await Promise.all(attackers.map(({ answer }) => answer));
    expect(turns.most()).toBeLessThan(atMost);
  });
});

test("new connections do not keep the server from open ones", async () => {
  const before = answered(server);
  const other = connect([`GET ${picture}`]);
  await other.opened;
  using turns = watchTurns();
  const attackers = repeat(connections, "").map(() => connect(repeat(each, "GET /api/x")));
  for (const { opened, send } of attackers) void opened.then(send);
  await attackers.at(-1)?.opened;
  other.send();
  expect(await other.answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answered(server) - before).toBeLessThan(atMost);
  await Promise.all(attackers.map(({ answer }) => answer));
  expect(turns.most()).toBeLessThan(atMost);
});

describe("a connection that asks too often is cut", () => {
  const requests = repeat(each * 4, "GET /api/x")
    .map(textOf)
    .join("");

  test("over a socket file", async () => {
    const unix = `${harness.folder}/http.sock`;
    await using onFile = await openHarness({ settings: { LOG_REQUESTS: "none", LISTEN_UNIX: unix } });
    const listening = onFile.listen();
    await sendAll(requests, (socket) => Bun.connect({ unix, socket }));
    expect(answered(listening)).toBeLessThan(each);
  });

  test("over TLS", async () => {
    const { certFile, keyFile } = await makeCertificate(harness.folder, "skins.example.org");
    const settings = { LOG_REQUESTS: "none", PUBLIC_URL: undefined, TLS_CERT: certFile, TLS_KEY: keyFile };
    await using overTls = await openHarness({ settings });
    const listening = overTls.listen();
    const { hostname, port } = new URL(listening.address);
    const place = { hostname, port: Number(port), tls: { rejectUnauthorized: false } };
    await sendAll(requests, (socket) => Bun.connect({ ...place, socket }));
    expect(answered(listening)).toBeLessThan(each);
  });
});

/** Sends text over a new connection, and waits until the server ends it. */
async function sendAll(text: string, open: (socket: Bun.SocketHandler) => Promise<unknown>) {
  const closed = Promise.withResolvers<void>();
  let rest: Uint8Array = Buffer.from(text);
  const send = (socket: Bun.Socket): void => {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
  };
  await open({ open: send, drain: send, data: () => {}, close: () => closed.resolve() });
  await closed.promise;
}

/** Keeps the event loop. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The first letter is the client. */
function named(name: string, signal?: AbortSignal): Request {
  return new Request(`http://localhost/${name}`, signal && { signal });
}

const nameOf = ({ url }: Request) => new URL(url).pathname.slice(1);

/** Answers, of which this one takes as long as is said. Connections cannot be told apart. */
function open(
  takes = (at: number) => (at === 0 ? limits.turnMilliseconds + 1 : 0),
  connectionOf: (request: Request) => ClientPort | null = () => null,
) {
  const order: string[] = [];
  const answer = paced({
    answer: (request) => {
      spin(takes(order.length));
      order.push(nameOf(request));
      if (nameOf(request).endsWith("!")) throw new Error("a fault");
      return new Response("");
    },
    connectionOf,
    clientOf: (request) => nameOf(request).slice(0, 1),
  });
  return { order, send: async (name: string, signal?: AbortSignal) => answer(named(name, signal)) };
}

/** What is set for the next turn has been done by then. */
async function untilNextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
}

describe("what waits for the next turn", () => {
  test("is answered alternately for each client, in the order in which it came", async () => {
    const { order, send } = open();
    await Promise.all(["a0", "a1", "a2", "a3", "b1", "a4", "b2", "c1"].map((name) => send(name)));
    expect(order).toEqual(["a0", "a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  });

  test("is not answered where the client has gone", async () => {
    const { order, send } = open();
    const gone = new AbortController();
    const answers = [send("a0"), send("a1", gone.signal), send("b1")];
    gone.abort();
    await Promise.all(answers);
    expect(order).toEqual(["a0", "b1"]);
  });

  test("is bounded: what comes beyond that is answered at once, and its connection ends", async () => {
    const { order, send } = open();
    const waiting = repeat(limits.requestsWaitingMax + 1, "a0").map((name) => send(name));
    expect(order).toEqual(["a0"]);
    const beyond = await send("b1");
    expect(order.slice(0, 2)).toEqual(["a0", "b1"]);
    expect(beyond.headers.get("connection")).toBe("close");
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ headers }) => headers.has("connection"))).toEqual([]);
  });

  test("fails as its answer does", async () => {
    const { send } = open();
    const [, failed] = await Promise.allSettled([send("a0"), send("a1!"), send("a2")]);
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "a fault" } });
  });

  test("is answered for a turn's time there, and what is left in the turns after it", async () => {
    const { order, send } = open(() => limits.turnMilliseconds / 2);
    const answers = Array.from({ length: 10 }, (_, at) => send(String(at)));
    const atOnce = order.length;
    await untilNextTurn();
    expect(order.length).toBeGreaterThan(atOnce);
    expect(order.length).toBeLessThan(10);
    await Promise.all(answers);
    expect(order).toHaveLength(10);
  });

  test("is answered when the server stops meanwhile", async () => {
    const stopped = Promise.withResolvers<void>();
    let isFirst = true;
    const listener = listen(harness.config, {
      fetch: paced({
        answer: () => {
          if (isFirst) {
            void untilNextTurn().then(() => stopped.resolve(listener.stop()));
            spin(limits.turnMilliseconds + 1);
          }
          isFirst = false;
          return new Response("here");
        },
        connectionOf: (request) => listener.connectionOf(request),
        clientOf: () => "",
      }),
      error: () => new Response("fault", { status: 500 }),
      log: harness.log,
    });
    const senders = repeat(8, "GET /").map((request) => connect([request], new URL(listener.address)));
    await Promise.all(senders.map(({ opened }) => opened));
    for (const { send } of senders) send();
    for (const { answer } of senders) expect(await answer).toEndWith("here");
    await stopped.promise;
  });

  test("is more right after a connection was cut, because its client comes back at once", async () => {
    const { order, send } = open(
      () => limits.turnMilliseconds / 2,
      (request) => ({ address: nameOf(request), port: 1 }),
    );
    const cut = await Promise.all(["a", "a", "a", "a", "a"].map((name) => send(name)));
    expect(cut.some(({ headers }) => headers.get("connection") === "close")).toBe(true);
    await untilNextTurn();
    order.length = 0;
    const answers = ["b", "c", "d", "e"].map((name) => send(name));
    // Of a whole turn's time it would be all four.
    expect(order.length).toBeLessThan(4);
    await Promise.all(answers);
    expect(order).toEqual(["b", "c", "d", "e"]);
  });
});
