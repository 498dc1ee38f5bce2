/** Nobody has to send a body to hear that it is not wanted, and nobody holds many open (the first attack, 3 and 15). */
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

describe("bodies that an address holds open", () => {
  /** A tenth of what is usual: three at once. */
  async function open(factor = "0.1") {
    await using opened = new AsyncDisposableStack();
    const harness = opened.use(await openHarness({ settings: { ...trusting, RATE_LIMIT_FACTOR: factor } }));
    const member = await addMember(harness, "Alice");
    const skinid = await addSkin(harness, member, {});
    const { address } = harness.listen();
    const sockets: Socket[] = [];
    opened.defer(() => sockets.forEach((socket) => socket.destroy()));
    const authorization = `Authorization: ${member.authorization}`;
    const select = JSON.stringify({ skinid });
    const closing = opened.move();
    return {
      /** Sends a part of a body and no more. */
      hold: (from: string, request: string, headers: readonly string[], sent: string) => {
        const { hostname, port } = new URL(address);
        const socket = connect(Number(port), hostname, () =>
          socket.write(message(request, [authorization, `X-Forwarded-For: ${from}`, ...headers], sent)),
        );
        socket.on("error", () => undefined);
        sockets.push(socket);
      },
      /** A whole request. */
      ask: (from: string) =>
        sendRaw(
          address,
          message(
            "POST /api/home/edit/skin/select",
            [json, authorization, `X-Forwarded-For: ${from}`, `Content-Length: ${select.length}`],
            select,
          ),
        ),
      /** A request of which only the head is sent. */
      begin: (from: string, ...headers: readonly string[]) =>
        sendRaw(address, message("POST /api/auth/confirm", [json, `X-Forwarded-For: ${from}`, ...headers])),
      letGo: () => sockets.splice(0).forEach((socket) => socket.destroy()),
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  }
  type World = Awaited<ReturnType<typeof open>>;

  /** Asks until the answer is this: the server sees what others do a moment later. */
  async function askUntil(world: World, from: string, status: number): Promise<string> {
    for (let time = 0; time < 1000; time++) {
      const answer = await world.ask(from);
      if (answer.startsWith(`HTTP/1.1 ${status} `)) return answer;
      await new Promise(setImmediate);
    }
    throw new Error(`never answered with ${status}`);
  }

  const held: readonly (readonly [
    what: string,
    request: string,
    headers: readonly string[],
    sent: string,
  ])[] = [
    ["JSON", "PUT /api/home/edit/skin", [json, "Content-Length: 100"], "{"],
    ["JSON of which nothing came", "POST /api/home/edit/skin/select", [json, "Content-Length: 100"], ""],
    ["JSON in chunks", "DELETE /api/home/edit/skin", [json, "Transfer-Encoding: chunked"], "1\r\n{\r\n"],
    [
      "a form",
      "POST /api/home/edit/upload",
      ["Content-Type: multipart/form-data; boundary=b", "Content-Length: 100000"],
      "--b\r\n",
    ],
    ["a page's form", "POST /mail/unsubscribe/nobodys", ["Content-Length: 10"], "mails"],
  ];

  test.each(held)("are few: %s", async (_, request, headers, sent) => {
    await using world = await open();
    const [here, elsewhere] = ["192.0.2.1", "192.0.2.2"];
    for (const _one of [1, 2, 3]) world.hold(here, request, headers, sent);
    const refused = await askUntil(world, here, 429);
    expect(refused).toMatch(/^retry-after: 5\r$/im);
    expect(refused).toMatch(/^connection: close\r$/im);
    expect(refused).toContain('"msg":"Too many requests are on their way at once; try again in 5 seconds"');
    expect(await world.ask(elsewhere)).toStartWith("HTTP/1.1 200 ");
    world.letGo();
    await askUntil(world, here, 200);
  });

  test.each([["Content-Length: 100"], ["Transfer-Encoding: chunked"]])(
    "are refused without being waited for: %s",
    async (length) => {
      await using world = await open();
      const [, request, headers, sent] = held[0] ?? ["", "", [], ""];
      for (const _one of [1, 2, 3]) world.hold("192.0.2.1", request, headers, sent);
      await askUntil(world, "192.0.2.1", 429);
      expect(await world.begin("192.0.2.1", length)).toStartWith("HTTP/1.1 429 ");
    },
  );

  test("are counted for an IPv6 network and, four times as many, for a customer's whole one", async () => {
    await using world = await open();
    const [, request, headers, sent] = held[0] ?? ["", "", [], ""];
    for (let network = 0; network < 4; network++) {
      for (const host of [1, 2, 3]) world.hold(`2001:db8:1:${network}::${host}`, request, headers, sent);
      await askUntil(world, `2001:db8:1:${network}::4`, 429);
    }
    expect(await world.ask("2001:db8:1:9::1")).toStartWith("HTTP/1.1 429 ");
    expect(await world.ask("2001:db8:2::1")).toStartWith("HTTP/1.1 200 ");
  });

  test("may be any number with the factor 0", async () => {
    await using world = await open("0");
    const [, request, headers, sent] = held[0] ?? ["", "", [], ""];
    for (let one = 0; one < 100; one++) world.hold("192.0.2.1", request, headers, sent);
    for (let time = 0; time < 50; time++) expect(await world.ask("192.0.2.1")).toStartWith("HTTP/1.1 200 ");
  });

  test("are on their way no more once they are read: a crowd that sends whole requests at once is answered", async () => {
    await using world = await open();
    const answers = await Promise.all(Array.from({ length: 15 }, () => world.ask("192.0.2.1")));
    expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 200 "))).toHaveLength(15);
  });
});
