/* Clients that mean no good: they hold connections, send without end, or hardly at all. */
import { connect, type Socket } from "node:net";

export type Crowd = AsyncDisposable & {
  /** Connections that the server has not closed. */
  readonly open: () => number;
  /** Connections that there were, those of who came again included. */
  readonly joined: () => number;
};

type Behaviour = {
  readonly connections: number;
  /** What each sends first. */
  readonly first: string;
  /** What it sends again and again, each piece when the server has taken the one before. */
  readonly more?: Uint8Array;
  /** Waits so long between two pieces. */
  readonly everyMs?: number;
  /** Comes again so long after the server has closed the connection. */
  readonly returnsAfterMs?: number;
};

/** Who connects and says nothing. */
export const idlers = (connections: number): Behaviour => ({ connections, first: "" });

/** Who sends a head byte by byte, which never ends. */
export const dawdlers = (connections: number): Behaviour => ({
  connections,
  first: "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  more: Buffer.from("x"),
  everyMs: 1000,
  returnsAfterMs: 20,
});

/**
 * Who uploads ten gigabytes, declared or not, as fast as a line of a gigabit a second carries them or as the
 * server takes them.
 */
export function uploader(token: string, declared: boolean, speed: "gigabit" | "all" = "gigabit"): Behaviour {
  const length = declared ? "Content-Length: 10737418240" : "Transfer-Encoding: chunked";
  const head = `POST /api/home/edit/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  // The timer has milliseconds: two pieces of 64 KiB in one.
  const piece = Buffer.alloc(128 * 1024, 0x20);
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
  return {
    connections: 1,
    first: `${head}${length}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n`,
    more: declared ? piece : chunk,
    everyMs: speed === "gigabit" ? 1 : 0,
    returnsAfterMs: 1000,
  };
}

/** Who sends headers without end. */
export const headerFlood = (connections: number): Behaviour => ({
  connections,
  first: "GET / HTTP/1.1\r\nHost: localhost\r\n",
  more: Buffer.from(`X-Flood: ${"x".repeat(1000)}\r\n`),
  everyMs: 5,
  returnsAfterMs: 20,
});

/** Gathers them around a port. They go when the scope ends. */
export async function gather(
  port: number,
  { connections, returnsAfterMs, ...sent }: Behaviour,
): Promise<Crowd> {
  const sockets = new Set<Socket>();
  const coming = new Set<Timer>();
  let over = false;
  let joined = 0;
  const join = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, "127.0.0.1", () => {
      sockets.add(socket);
      joined += 1;
      if (sent.first !== "") socket.write(sent.first);
      if (sent.more !== undefined) void pump(socket, sent.more, sent.everyMs ?? 1);
      resolve();
    });
    // The answer does not matter, but unread it would keep the connection open.
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      resolve();
      if (returnsAfterMs !== undefined && !over) coming.add(setTimeout(() => void join(), returnsAfterMs));
    });
    return promise;
  };
  // Not all at once: the system queues only so many that knock.
  for (let asked = 0; asked < connections; asked += 100) {
    await Promise.all(Array.from({ length: Math.min(100, connections - asked) }, join));
  }
  return {
    open: () => sockets.size,
    joined: () => joined,
    [Symbol.asyncDispose]: async () => {
      over = true;
      for (const timer of coming) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await Bun.sleep(50);
    },
  };
}

async function pump(socket: Socket, piece: Uint8Array, everyMs: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.write(piece, () => resolve());
    socket.once("close", resolve);
    await promise;
    socket.off("close", resolve);
    if (everyMs > 0) await Bun.sleep(everyMs);
  }
}
