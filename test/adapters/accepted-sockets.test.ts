/** What the kernel shows of connections, and how they are ended. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { acceptedSockets, type AcceptedSocket } from "../../src/adapters/linux/accepted-sockets.ts";
import { watchOpenFiles } from "../../src/adapters/linux/open-files.ts";

const isLinux = process.platform === "linux";

/** A server on an address, whose connections can be read. */
function open(hostname: string) {
  const server = Bun.serve({ hostname, port: 0, fetch: () => new Response("well") });
  const files = watchOpenFiles();
  const sockets = acceptedSockets(server.port ?? 0);
  if (files === null || sockets === null) throw new Error("the kernel is not asked");
  return {
    port: server.port ?? 0,
    all: (): readonly AcceptedSocket[] =>
      files.descriptors().flatMap((descriptor) => sockets.read(descriptor) ?? []),
    hangUp: sockets.hangUp,
    [Symbol.asyncDispose]: async () => {
      files[Symbol.dispose]();
      await server.stop(true);
    },
  };
}

/** A connection after an answered request. */
async function connectTo(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  return socket;
}

test.skipIf(!isLinux).each([
  ["IPv4", "127.0.0.1", "127.0.0.1", "127.0.0.1"],
  ["IPv6", "::1", "::1", "::1"],
  ["IPv4 on a socket of IPv6", "::", "127.0.0.1", "127.0.0.1"],
])("shows a client of %s by its own address and port, and nothing else", async (_, host, to, shown) => {
  await using server = open(host);
  const client = await connectTo(to, server.port);
  expect(server.all()).toEqual([
    {
      descriptor: expect.any(Number),
      address: shown,
      port: client.localPort ?? 0,
      silentMs: expect.any(Number),
      isSending: false,
    },
  ]);
  client.destroy();
});

test.skipIf(!isLinux)("ends a connection as if its client had hung up", async () => {
  await using server = open("127.0.0.1");
  const client = await connectTo("127.0.0.1", server.port);
  const ended = once(client, "close");
  client.resume();
  expect(server.all().map((socket) => server.hangUp(socket))).toEqual([true]);
  expect(server.all()).toEqual([]);
  await ended;
});

test.skipIf(!isLinux)("leaves a connection on which a request has come that is not read yet", async () => {
  await using server = open("127.0.0.1");
  const client = await connectTo("127.0.0.1", server.port);
  const sockets = server.all();
  const answered = once(client, "data");
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(sockets.map((socket) => server.hangUp(socket))).toEqual([false]);
  expect(String(await answered)).toStartWith("HTTP/1.1 200 ");
  client.destroy();
});

test.skipIf(!isLinux)("leaves a connection that is another one, or was used, since it was read", async () => {
  await using server = open("127.0.0.1");
  const client = await connectTo("127.0.0.1", server.port);
  const [socket] = server.all();
  if (socket === undefined) throw new Error("no connection");
  const others = [
    { ...socket, port: socket.port ^ 1 },
    { ...socket, address: "127.0.0.2" },
    { ...socket, silentMs: socket.silentMs + 60_000 },
    { ...socket, descriptor: 2 ** 30 },
  ];
  expect(others.map((other) => server.hangUp(other))).toEqual([false, false, false, false]);
  client.destroy();
});
