/*
 * What one client does to a proxy, for proxies.sh:
 * `bun proxy-attack.ts <what> <address> [<count> <own address>]`. Each way ends by itself, and prints what
 * came of it.
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

const [what = "", host = "", count = "1", localAddress] = process.argv.slice(2);
const port = 443;
const ends = AbortSignal.timeout(90_000);

/**
 * Opens so many connections and says nothing more than the first byte of a handshake. Prints `held <number>`
 * when their number has settled, and `closed` when the proxy has closed all of them.
 */
async function hold(): Promise<void> {
  const open = new Set<Socket>();
  const attempts = { waiting: Number(count) };
  for (let made = 0; made < Number(count); made++) {
    const socket = connect({ host, port, ...(localAddress && { localAddress }) }, () => {
      open.add(socket);
      socket.write(Buffer.from([0x16]));
    });
    socket.once("connect", () => (attempts.waiting -= 1));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (!open.delete(socket)) attempts.waiting -= 1;
    });
    if (made % 10 === 9) await Bun.sleep(100);
  }
  let [before, still] = [-1, 0];
  while (attempts.waiting > 0 || still < 5) {
    await Bun.sleep(200);
    still = open.size === before ? still + 1 : 0;
    before = open.size;
  }
  console.log(`held ${open.size}`);
  while (open.size > 0 && !ends.aborted) await Bun.sleep(100);
  console.log(open.size === 0 ? "closed" : `${open.size} are open after all`);
}

function secureConnection(): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectTls({ host, port, servername: "skins.example.org", rejectUnauthorized: false }, () =>
    resolve(socket),
  );
  socket.on("error", reject);
  return promise;
}

/** A head that never ends, a byte at a time. Prints `cut` when the proxy closes the connection. */
async function slowHead(): Promise<void> {
  const socket = await secureConnection();
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.resume();
  socket.write("GET /health/live HTTP/1.1\r\nHost: skins.example.org\r\nX-Slow: ");
  const timer = setInterval(() => socket.write("x"), 500);
  const isCut = await Promise.race([closed.then(() => true), Bun.sleep(60_000).then(() => false)]);
  clearInterval(timer);
  console.log(isCut ? "cut" : "open");
  process.exit();
}

/** A body of JSON that takes 20 seconds, as on a bad line; cloakroom allows 31. Prints the status. */
async function slowBody(): Promise<void> {
  const socket = await secureConnection();
  const body = JSON.stringify({ username: "You", password: "not the password" });
  const answer = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
  socket.write(
    "POST /api/auth/login HTTP/1.1\r\nHost: skins.example.org\r\nContent-Type: application/json\r\n" +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  const pieces = 20;
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) {
    await Bun.sleep(1000);
    socket.write(body.slice(at, at + size));
  }
  console.log((await answer).split(" ", 2)[1]);
  process.exit();
}

const ways: Readonly<Record<string, () => Promise<void>>> = {
  hold,
  "slow-head": slowHead,
  "slow-body": slowBody,
};
await ways[what]?.();
