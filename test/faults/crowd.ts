/* Clients that hold connections, send too much or never come to an end, and what others notice of them. */
import { connect, type Socket } from "node:net";
import { readFile } from "node:fs/promises";
import { startLoad } from "../bench/peer.ts";
import { requestText } from "../bench/http.bench.ts";
import { median } from "../bench/statistics.ts";
import { sendRaw, chunk } from "../support/raw-http.ts";

export type CrowdOptions = {
  readonly port: number;
  readonly pid: number;
  /** How many clients there are of the crowd, a quarter of each kind. */
  readonly clients: number;
  /** How much is uploaded, twice. */
  readonly uploadBytes: number;
  /** How long the others are watched in each of five rounds: alone, and among the crowd. */
  readonly milliseconds: number;
};

export type CrowdReport = {
  /** Microseconds of the others' requests, alone and among the crowd. */
  readonly p99Alone: number;
  readonly p99Crowded: number;
  readonly bytesAlone: number;
  readonly bytesCrowded: number;
  /** The most that the service used while it was sent what it does not want. */
  readonly bytesUploading: number;
  /** The statuses of a declared and of a chunked upload that is too large. */
  readonly uploads: readonly string[];
  /** The statuses of too many header fields, too long ones, and a path too long. */
  readonly floods: readonly string[];
};

/** Ways to keep a connection: nothing at all, half a head, a body that trickles in, and silence after an answer. */
const kinds = [
  { first: "", more: "" },
  { first: "GET /api/home HTTP/1.1\r\nHost: skins.example.org\r\nX-A: ", more: "a" },
  {
    first:
      "POST /api/auth/login HTTP/1.1\r\nHost: skins.example.org\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n",
    more: " ",
  },
  { first: "GET /api/home HTTP/1.1\r\nHost: skins.example.org\r\n\r\n", more: "" },
] as const;

/** How often each of the slow ones sends a byte. They are strangers, so they do not all do it at once. */
const trickleMs = 500;
const tickMs = 10;
const rounds = 5;

export async function crowd({
  port,
  pid,
  clients,
  uploadBytes,
  milliseconds,
}: CrowdOptions): Promise<CrowdReport> {
  using load = startLoad();
  const job = {
    port,
    request: requestText("/api/nowhere"),
    status: 404,
    connections: 8,
    pace: "steady",
  } as const;
  // Of several rounds the middle one, for the machine has other things to do as well.
  const p99 = async () => {
    const found: number[] = [];
    for (let round = 0; round < rounds; round++) found.push((await load.ask({ ...job, milliseconds })).p99);
    return median(found);
  };
  await p99(); // until the code is compiled
  const p99Alone = await p99();
  const bytesAlone = await residentBytes(pid);
  const slow = await openCrowd(port, clients);
  const p99Crowded = await p99();
  const bytesCrowded = await residentBytes(pid);
  slow.close();
  const { most: bytesUploading, result: uploads } = await watching(pid, async () => [
    await upload(port, uploadBytes, `Content-Length: ${uploadBytes}`),
    await upload(port, uploadBytes, "Transfer-Encoding: chunked"),
  ]);
  const floods = await flood(port);
  return { p99Alone, p99Crowded, bytesAlone, bytesCrowded, bytesUploading, uploads, floods };
}

async function openCrowd(port: number, clients: number) {
  const sockets = await Promise.all(Array.from({ length: clients }, (_, at) => openSlow(port, at)));
  const ticks = trickleMs / tickMs;
  let tick = 0;
  const ticker = setInterval(() => {
    tick = (tick + 1) % ticks;
    for (let at = tick; at < sockets.length; at += ticks) {
      const { socket, more } = sockets[at]!;
      if (more !== "" && socket.writable) socket.write(more);
    }
  }, tickMs);
  return {
    close: () => {
      clearInterval(ticker);
      for (const { socket } of sockets) socket.destroy();
    },
  };
}

function openSlow(port: number, at: number): Promise<{ socket: Socket; more: string }> {
  const { first, more } = kinds[at % kinds.length]!;
  const { promise, resolve, reject } = Promise.withResolvers<{ socket: Socket; more: string }>();
  const socket = connect(port, "127.0.0.1", () => {
    if (first !== "") socket.write(first);
    resolve({ socket, more });
  });
  socket.resume();
  // Whom the service has had enough of is closed: no failure of the crowd's.
  socket.on("error", reject);
  return promise;
}

/** Sends all of it, whatever is answered meanwhile; the status that was answered. */
async function upload(port: number, bytes: number, length: string): Promise<string> {
  const block = new Uint8Array(1024 * 1024);
  const piece = length.startsWith("Transfer") ? chunk(block) : block;
  const { promise, resolve } = Promise.withResolvers<void>();
  let answer = "";
  let sent = 0;
  const socket = connect(port, "127.0.0.1", () => {
    const type = "Content-Type: application/json";
    socket.write(`POST /api/auth/login HTTP/1.1\r\nHost: a\r\n${type}\r\n${length}\r\n\r\n`);
    pump();
  });
  const pump = (): void => {
    if (sent >= bytes || socket.destroyed) return resolve();
    sent += block.length;
    if (socket.write(piece)) setImmediate(pump);
    else socket.once("drain", pump);
  };
  socket.on("data", (data) => (answer += data.toString("latin1")));
  socket.on("close", () => resolve());
  socket.on("error", () => resolve());
  await promise;
  socket.destroy();
  return statusOf(answer);
}

async function flood(port: number): Promise<readonly string[]> {
  const address = `http://127.0.0.1:${port}`;
  const fields = Array.from({ length: 5000 }, (_, at) => `X-${at}: a\r\n`).join("");
  const heads = [
    `GET / HTTP/1.1\r\nHost: skins.example.org\r\n${fields}\r\n`,
    `GET / HTTP/1.1\r\nHost: skins.example.org\r\nX-A: ${"a".repeat(1024 * 1024)}\r\n\r\n`,
    `GET /${"a".repeat(1024 * 1024)} HTTP/1.1\r\nHost: skins.example.org\r\n\r\n`,
  ];
  const answers = await Promise.all(heads.map((head) => sendRaw(address, head)));
  return answers.map(statusOf);
}

function statusOf(answer: string): string {
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "none";
}

/** The most that the process uses while something is done to it. */
async function watching<Result>(pid: number, work: () => Promise<Result>) {
  let most = 0;
  const looking = setInterval(async () => void (most = Math.max(most, await residentBytes(pid))), 100);
  try {
    const result = await work();
    return { result, most: Math.max(most, await residentBytes(pid)) };
  } finally {
    clearInterval(looking);
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
