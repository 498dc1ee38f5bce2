/** A fault in the proxy would hide faults of what is behind it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";

type Seen = { readonly heard: string[]; socket: { end: () => void } | null };

let server: ReturnType<typeof echo>;
let proxy: FaultProxy;
let clients: Socket[];

/** Answers what it hears, in capitals. */
function echo() {
  const seen: Seen[] = [];
  const listener = Bun.listen<Seen>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = { heard: [], socket };
        seen.push(socket.data);
      },
      data: (socket, bytes) => {
        socket.data.heard.push(bytes.toString());
        socket.write(bytes.toString().toUpperCase());
      },
      close: (socket) => void (socket.data.socket = null),
      error: () => undefined,
    },
  });
  return { port: listener.port, seen, stop: () => listener.stop(true) };
}

beforeEach(async () => {
  server = echo();
  proxy = await openFaultProxy({ target: { host: "127.0.0.1", port: server.port } });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy[Symbol.asyncDispose]();
  server.stop();
});

/** What happened at this end of a connection, in order. */
function open() {
  const events: string[] = [];
  const socket = connect(proxy.port, "127.0.0.1");
  socket.on("data", (bytes) => events.push(bytes.toString()));
  socket.on("error", (error) => events.push("code" in error ? String(error.code) : error.message));
  socket.on("close", () => events.push("closed"));
  clients.push(socket);
  return { socket, events };
}

const becomes = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 400 && !isSo(); tries++) await Bun.sleep(5);
  return isSo();
};

test("carries both directions and both ends", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.includes("ONE"))).toBe(true);
  expect(proxy.openLinks()).toBe(1);
  socket.end();
  expect(await becomes(() => events.includes("closed") && proxy.openLinks() === 0)).toBe(true);
  expect(server.seen).toEqual([{ heard: ["one"], socket: null }]);
});

test("the end of the server reaches the client", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.length === 1)).toBe(true);
  server.seen[0]?.socket?.end();
  expect(await becomes(() => events.includes("closed"))).toBe(true);
  expect(events).toEqual(["ONE", "closed"]);
});

test("a cut connection is reset at both ends, and a new one works", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.length === 1)).toBe(true);
  proxy.cut();
  expect(await becomes(() => events.includes("closed") && server.seen[0]?.socket === null)).toBe(true);
  expect(events).toEqual(["ONE", "ECONNRESET", "closed"]);
  const next = open();
  next.socket.write("two");
  expect(await becomes(() => next.events.includes("TWO"))).toBe(true);
});

test("a stalled network loses nothing, and nothing comes through before it heals", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.length === 1)).toBe(true);
  proxy.stall();
  socket.write("two");
  const late = open();
  late.socket.write("three");
  await Bun.sleep(100);
  expect(server.seen.map(({ heard }) => heard)).toEqual([["one"], []]);
  await proxy.heal();
  expect(await becomes(() => events.length === 2 && late.events.length === 1)).toBe(true);
  expect([events, late.events]).toEqual([["ONE", "TWO"], ["THREE"]]);
});

test("a stalled network hides that a client has gone until it heals", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.length === 1)).toBe(true);
  proxy.stall();
  socket.resetAndDestroy();
  await Bun.sleep(100);
  expect(server.seen[0]?.socket).not.toBeNull();
  await proxy.heal();
  expect(await becomes(() => server.seen[0]?.socket === null)).toBe(true);
});

test("a slow network keeps the order, also while it becomes fast again", async () => {
  const { socket, events } = open();
  proxy.slow(60);
  socket.write("a");
  await Bun.sleep(20);
  socket.write("b");
  await Bun.sleep(20);
  await proxy.heal();
  socket.write("c");
  expect(await becomes(() => events.join("") === "ABC")).toBe(true);
  expect(server.seen[0]?.heard.join("")).toBe("abc");
});

test("a network that refuses keeps the connections it has", async () => {
  const { socket, events } = open();
  socket.write("one");
  expect(await becomes(() => events.length === 1)).toBe(true);
  proxy.refuse();
  const refused = open();
  expect(await becomes(() => refused.events.includes("closed"))).toBe(true);
  expect(refused.events).toEqual(["ECONNREFUSED", "closed"]);
  socket.write("two");
  expect(await becomes(() => events.includes("TWO"))).toBe(true);
  await proxy.heal();
  const next = open();
  next.socket.write("three");
  expect(await becomes(() => next.events.includes("THREE"))).toBe(true);
});
