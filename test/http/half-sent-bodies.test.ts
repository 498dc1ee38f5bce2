/** A client gets its refusal without sending the body, and cannot hold many open. */
import { afterAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin } from "../support/members.ts";
import { sendRaw } from "../support/raw-http.ts";

const trusting = { TRUSTED_PROXIES: "127.0.0.1" };
const json = "Content-Type: application/json";

/** A head, and a body of which only this much is sent. */
function message(request: string, headers: readonly string[], body = ""): string {
  return [`${request} HTTP/1.1`, "Host: localhost", ...headers, "", body].join("\r\n");
}

describe("an address that tried too often hears so before its body is read", () => {
  const harness = openHarness({ settings: { ...trusting, RATE_LIMIT_FACTOR: "1" } });
  afterAll(async () => (await harness)[Symbol.asyncDispose]());

  const routes: readonly (readonly [
    request: string,
    times: number,
    who: "anybody" | "unfinished" | "member",
  ])[] = [
    ["POST /api/auth/login", 20, "anybody"],
    ["POST /api/auth/register", 20, "anybody"],
    ["POST /api/auth/confirm", 20, "anybody"],
    ["POST /api/auth/forgetpass", 20, "anybody"],
    ["POST /api/auth/forgetpass/validate", 20, "anybody"],
    ["POST /api/auth/forgetpass/update", 20, "anybody"],
    ["POST /api/auth/login/social", 60, "anybody"],
    ["POST /api/auth/register/social", 20, "anybody"],
    ["POST /api/home/registerfinish", 20, "unfinished"],
    ["POST /api/home/mail/validate", 20, "member"],
    ["PUT /api/home/edit/skin", 300, "member"],
  ];

  test.each(routes)("%s, and %d that were no JSON are too many", async (request, times, who) => {
    const { listen, services, ...rest } = await harness;
    const name = `m${Bun.hash(request).toString(36).slice(0, 10)}`;
    const finished = who !== "unfinished";
    const member =
      who === "anybody" ? null : await addMember({ listen, services, ...rest }, name, { finished });
    const { address } = listen();
    const from = `X-Forwarded-For: 192.0.2.${routes.findIndex(([one]) => one === request)}`;
    const session = member === null ? [] : [`Authorization: ${member.authorization}`];
    const ask = (length: number, sent: string) =>
      sendRaw(address, message(request, [json, from, ...session, `Content-Length: ${length}`], sent));

    for (let time = 0; time < times; time++) expect(await ask(1, "{")).toStartWith("HTTP/1.1 400 ");
    // Nothing of the body is sent: what is waited for comes without it.
    const refused = await ask(100, "");
    expect(refused).toStartWith("HTTP/1.1 429 ");
    expect(refused).toMatch(/^retry-after: [1-9][0-9]*\r$/im);
    (await harness).clock.advance(600);
    expect(await ask(1, "{")).toStartWith("HTTP/1.1 400 ");
  });
});

/** The address that others are compared with. */
const here = "192.0.2.1";

describe("bodies that an address holds open", () => {
  /** A tenth of what is usual: three at once. */
  async function open(factor = "0.1") {
    await using opened = new AsyncDisposableStack();
    const harness = opened.use(await openHarness({ settings: { ...trusting, RATE_LIMIT_FACTOR: factor } }));
    const member = await addMember(harness, "Alice");
    const skinid = await addSkin(harness, member, {});
    const authorization = `Authorization: ${member.authorization}`;
    // By turns, for each of them may have two uploads under way.
    const holders = [authorization];
    for (const name of ["Bob", "Carl", "Dora", "Emil"]) {
      // Signing in is limited as well.
      harness.clock.advance(60);
      holders.push(`Authorization: ${(await addMember(harness, name)).authorization}`);
    }
    const { address } = harness.listen();
    const { hostname, port } = new URL(address);
    const sockets: Socket[] = [];
    opened.defer(() => sockets.forEach((socket) => socket.destroy()));
    const select = JSON.stringify({ skinid });
    const closing = opened.move();

    /** Sends a part of a body and no more; what is answered all the same goes to `hear`. */
    const hold = (bytes: string, hear: (answer: string) => void): Socket => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setEncoding("latin1");
      socket.on("data", hear);
      socket.on("error", () => undefined);
      sockets.push(socket);
      return socket;
    };
    const head = (from: string) =>
      message("POST /api/home/edit/skin/select", [
        json,
        authorization,
        `X-Forwarded-For: ${from}`,
        `Content-Length: ${select.length}`,
      ]);
    const ask = (from: string) => sendRaw(address, head(from) + select);
    return {
      ask,
      /** A whole request whose body comes in two pieces, after another request was answered in between. */
      askSlowly: async (from: string) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        const socket = hold(head(from) + select.slice(0, 10), resolve);
        await ask(from);
        socket.write(select.slice(10));
        return promise;
      },
      /** Sends the parts of one body after another until this many are refused; returns how. */
      refusals: (
        addressOf: (n: number) => string,
        { request, headers, sent }: Half,
        total: number,
        wanted: number,
      ) => {
        const { promise, resolve } = Promise.withResolvers<readonly string[]>();
        const answers: string[] = [];
        const hear = (answer: string) => void (answers.push(answer) === wanted && resolve(answers));
        for (let n = 0; n < total; n++) {
          const holder = holders[sockets.length % holders.length] ?? "";
          hold(message(request, [holder, `X-Forwarded-For: ${addressOf(n)}`, ...headers], sent), hear);
        }
        return promise;
      },
      letGo: () => sockets.splice(0).forEach((socket) => socket.destroy()),
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  }

  type Half = { readonly request: string; readonly headers: readonly string[]; readonly sent: string };
  const plain: Half = {
    request: "PUT /api/home/edit/skin",
    headers: [json, "Content-Length: 100"],
    sent: "{",
  };
  const chunked = "Transfer-Encoding: chunked";
  const halves: readonly (readonly [what: string, half: Half])[] = [
    ["JSON", plain],
    ["JSON of which nothing came", { ...plain, sent: "" }],
    ["JSON in chunks", { ...plain, headers: [json, chunked], sent: "1\r\n{\r\n" }],
    ["JSON in chunks that never came", { ...plain, headers: [json, chunked], sent: "" }],
    [
      "a form",
      {
        request: "POST /api/home/edit/upload",
        headers: ["Content-Type: multipart/form-data; boundary=b", "Content-Length: 100000"],
        sent: "--b\r\n",
      },
    ],
    [
      "a page's form",
      { request: "POST /mail/unsubscribe/x", headers: ["Content-Length: 10"], sent: "mails" },
    ],
  ];

  test.each(halves)("are few: %s", async (_, half) => {
    await using world = await open();
    // Nothing more is sent: what is refused is refused without being waited for.
    const answers = await world.refusals(() => here, half, 5, 2);
    for (const refused of answers) {
      expect(refused).toStartWith("HTTP/1.1 429 ");
      expect(refused).toMatch(/^retry-after: 5\r$/im);
      expect(refused).toMatch(/^connection: close\r$/im);
      expect(refused).toMatch(/oo many requests[^]*try again in 5 seconds/);
    }
    // Whole requests are not in the way of anybody, nor is anybody elsewhere.
    expect(await world.ask(here)).toStartWith("HTTP/1.1 200 ");
    expect(answers).toHaveLength(2);
    const [refused] = await world.refusals(() => "192.0.2.2", half, 4, 1);
    expect(refused).toStartWith("HTTP/1.1 429 ");
  });

  test("are few: what no route reads, in chunks", async () => {
    await using world = await open();
    const half = { request: "POST /no/such/place", headers: [chunked], sent: "1\r\n{\r\n" };
    const answers = await world.refusals(() => here, half, 4, 1);
    expect(await world.ask(here)).toStartWith("HTTP/1.1 200 ");
    expect(answers).toHaveLength(1);
    expect(answers[0]).toStartWith("HTTP/1.1 404 ");
    expect(answers[0]).toMatch(/^connection: close\r$/im);
  });

  test("make room when they are let go", async () => {
    await using world = await open();
    await world.refusals(() => here, plain, 4, 1);
    expect(await world.askSlowly(here)).toStartWith("HTTP/1.1 429 ");
    world.letGo();
    // The server sees a moment later that they are gone.
    for (let time = 0; time < 1000; time++) {
      if ((await world.askSlowly(here)).startsWith("HTTP/1.1 200 ")) return;
    }
    throw new Error("a slow body is refused for good");
  });

  test("are counted for an IPv6 network and, four times as many, for a customer's whole one", async () => {
    await using world = await open();
    // Eight networks hold two each: sixteen, of which twelve may be.
    const answers = await world.refusals((n) => `2001:db8:1:${n % 8}::${n}`, plain, 16, 4);
    expect(await world.ask(here)).toStartWith("HTTP/1.1 200 ");
    expect(answers).toHaveLength(4);
    const [refused] = await world.refusals(() => "2001:db8:2::1", plain, 4, 1);
    expect(refused).toStartWith("HTTP/1.1 429 ");
  });

  test("may be any number with the factor 0", async () => {
    await using world = await open("0");
    void world.refusals(() => here, plain, 100, 1).then((answers) => expect(answers).toEqual([]));
    for (let time = 0; time < 50; time++) expect(await world.ask(here)).toStartWith("HTTP/1.1 200 ");
  });

  test("are on their way no more once they are read: a crowd that sends whole requests is answered", async () => {
    await using world = await open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.ask(here)));
    expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 200 "))).toHaveLength(50);
  });
});
