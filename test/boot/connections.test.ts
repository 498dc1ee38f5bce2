/**
 * What connections may cost: the real program with few files, and clients of the addresses of 127.0.0.0/8.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { temporaryFolder, runProcess, userCreation } from "../cli/run-program.ts";
import { makeCertificate } from "../support/certificates.ts";
import { program } from "../support/program.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { beginRaw } from "../support/raw-http.ts";
import { projectRoot } from "../tidy/project-files.ts";

/** Of other systems' connections the service sees none. */
const isLinux = process.platform === "linux";
const password = "correct horse";
const attacker = "127.0.0.9";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let eventsRequest = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  if (!isLinux) return;
  await runProcess(userCreation("Owner", password), { folder: folder.path });
  const made = await runProcess(["token", "create", "watcher", "--may", "events", "--json"], {
    folder: folder.path,
  });
  const { token } = JSON.parse(made.out);
  eventsRequest = `GET /api/service/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
});
afterAll(() => folder[Symbol.asyncDispose]());

/** The program in a process that may open so many files. */
async function serve(filesMax: number, settings: Readonly<Record<string, string>> = {}) {
  const limited = ["sh", "-c", `ulimit -n ${filesMax} && exec "$@"`, "sh"];
  const child = Bun.spawn([...limited, ...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", METRICS_PORT: "0", ...settings },
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of child.stderr) log += decoder.decode(piece);
  })();
  const { value } = await child.stdout.getReader().read();
  const [, address = ""] = / listening on (\S+)\n/.exec(new TextDecoder().decode(value)) ?? [];
  const linesOf = (level: string) =>
    log
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line): Line => JSON.parse(line))
      .filter((line) => line.level === level);
  const metricsAddress = () => /"metrics are served","address":"([^"]+)"/.exec(log)?.[1];
  await until(() => metricsAddress() !== undefined);
  return {
    pid: child.pid,
    address,
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    linesOf,
    metrics: async () => parsePrometheusText(await (await fetch(metricsAddress() ?? "")).text()),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
  };
}

type Line = Readonly<Record<string, unknown>>;
type Program = Awaited<ReturnType<typeof serve>>;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(20);
}

const request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** The head of a request whose body of two bytes has yet to come. */
const bodyHead =
  "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";

const openStream = async (socket: Socket) => {
  socket.write(eventsRequest);
  expect(String(await once(socket, "data"))).toStartWith("HTTP/1.1 200 ");
};

/** What a client does with a connection that it then leaves idle. */
const kinds = {
  "that send nothing": () => undefined,
  "after a request": async (socket: Socket) => {
    socket.write(request);
    await once(socket, "data");
  },
  "with half a head": (socket: Socket) => void socket.write(request.slice(0, -8)),
  "with a head that comes byte by byte": (socket: Socket) => {
    socket.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Long: ");
    const sending = setInterval(() => socket.write("x"), 100);
    socket.on("close", () => clearInterval(sending));
  },
} as const;

type Held = Disposable & { readonly closed: () => number };

/** Opens so many idle connections from the address, and holds them until the server closes them. */
async function hold(
  open: () => Socket,
  given: { readonly count: number; readonly use: (socket: Socket) => unknown },
): Promise<Held> {
  let closed = 0;
  const sockets = Array.from({ length: given.count }, open);
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on("error", () => undefined);
      socket.on("close", () => (closed += 1));
      // The server may close it before its answer comes.
      const isClosed = new Promise((resolve) => void socket.once("close", resolve));
      socket.resume();
      await Promise.race([given.use(socket), isClosed]);
    }),
  );
  return {
    closed: () => closed,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function from(address: string, { address: server }: Program): () => Socket {
  const { protocol, port } = new URL(server);
  const place = { host: "127.0.0.1", port: Number(port), localAddress: address };
  return () => (protocol === "https:" ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place));
}

const signIn = ({ address }: Program) =>
  fetch(`${address}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Owner", password }),
  });

const upload = ({ address }: Program, token: string) => {
  const form = new FormData();
  form.set("skin", Bun.file(join(projectRoot, "docs/examples/scout.png")));
  return fetch(`${address}/api/home/edit/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
};

const picture = ({ address }: Program, size: number) =>
  fetch(`${address}/api/skin/head/Owner?type=player&size=${size}`);

const kindCount = Object.keys(kinds).length;

/** Idle connections of every kind. */
async function holdAll(open: () => Socket, countOfEach: number): Promise<Held> {
  const held = await Promise.all(Object.values(kinds).map((use) => hold(open, { count: countOfEach, use })));
  return {
    closed: () => held.reduce((sum, { closed }) => sum + closed(), 0),
    [Symbol.dispose]: () => {
      for (const one of held) one[Symbol.dispose]();
    },
  };
}

/** Connections that were closed, by reason. */
async function closedBy(server: Program) {
  const { samples = [] } = (await server.metrics()).get("cloakroom_client_connections_closed_total") ?? {};
  return Object.fromEntries(samples.map(({ labels, value }) => [labels["reason"], value]));
}

describe.skipIf(!isLinux)("more connections than files", () => {
  const filesMax = 512;
  const countOfEach = 180;

  test("that are idle: they are closed, and others sign in, upload and see pictures", async () => {
    await using server = await serve(filesMax, { CONNECTIONS_PER_ADDRESS: "0" });
    using held = await holdAll(from(attacker, server), countOfEach);
    await until(
      () =>
        held.closed() > kindCount * countOfEach - (filesMax - 128) && server.openFiles() <= filesMax - 128,
    );
    const signedIn = await signIn(server);
    expect(signedIn.status).toBe(200);
    const { data } = JSON.parse(await signedIn.text());
    const statuses = await Promise.all([
      ...[101, 102, 103].map(async (size) => (await picture(server, size)).status),
      upload(server, data.jwt).then(({ status }) => status),
      ...Array.from({ length: 3 }, async () => (await signIn(server)).status),
    ]);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect(server.openFiles()).toBeLessThanOrEqual(filesMax - 128);
    expect(server.linesOf("error")).toEqual([]);
    const warnings = server.linesOf("warn").map(({ message }) => message);
    expect(warnings).toContain(`this process may open only ${filesMax} files at once, connections included`);
    const said = warnings.filter(
      (message) => message === "connections take up the files that this process may open",
    );
    expect(said).toHaveLength(1);
    expect(await closedBy(server)).toMatchObject({ address: 0, busy: 0 });
  });

  test("that are busy: the address with most of them loses some, and others keep theirs", async () => {
    await using server = await serve(filesMax, { RATE_LIMIT_FACTOR: "0" });
    const begun = beginRaw(server.address, `${bodyHead}{`);
    const sending = async (socket: Socket) => void socket.write(bodyHead);
    using held = await hold(from(attacker, server), { count: 600, use: sending });
    await until(() => held.closed() > 0 && server.openFiles() <= filesMax - 128);
    begun.send(Buffer.from("}"));
    expect(await begun.answer).toStartWith("HTTP/1.1 400 ");
    let counts = await closedBy(server);
    // The last ones are accepted when others have gone; those whose head was not read yet are idle ones.
    while (counts.busy + counts.idle < 600 + 128 - filesMax) {
      await Bun.sleep(20);
      counts = await closedBy(server);
    }
    expect(counts.busy).toBeGreaterThan(0);
  });

  test("on a socket file: idle ones are closed, and requests are answered", async () => {
    const path = join(folder.path, "busy.sock");
    await using server = await serve(256, { LISTEN_UNIX: path, PUBLIC_URL: "http://skins.example.org" });
    using held = await hold(() => connect(path), { count: 400, use: kinds["after a request"] });
    await until(() => held.closed() > 0 && server.openFiles() <= 256 - 128);
    const answer = await fetch("http://skins.example.org/health/ready", { unix: path });
    expect(answer.status).toBe(200);
  });
});

/** Sends a request on a connection that is kept, and returns the head of its answer. */
async function ask(socket: Socket, head: string, body: Uint8Array = new Uint8Array()): Promise<string> {
  const [line, ...fields] = [head, "Host: localhost", `Content-Length: ${body.length}`];
  const answer = once(socket, "data");
  socket.write(Buffer.concat([Buffer.from(`${[line, ...fields].join("\r\n")}\r\n\r\n`), body]));
  return String(await answer).split("\r\n\r\n")[0] ?? "";
}

test.skipIf(!isLinux)("what needs a file while no more can be opened is 503, and works again", async () => {
  await using server = await serve(4096);
  const { data } = JSON.parse(await (await signIn(server)).text());
  await upload(server, data.jwt);
  const form = new FormData();
  form.set("skin", Bun.file(join(projectRoot, "docs/examples/scout.png")));
  const uploaded = new Response(form);
  const type = `Content-Type: ${uploaded.headers.get("content-type")}\r\nAuthorization: Bearer ${data.jwt}`;
  const body = await uploaded.bytes();
  const socket = from("127.0.0.1", server)();
  const requests = async () => [
    await ask(socket, "GET /api/skin/head/Owner?type=player&size=201 HTTP/1.1"),
    await ask(socket, `POST /api/home/edit/upload HTTP/1.1\r\n${type}`, body),
  ];
  await ask(socket, request.slice(0, request.indexOf("\r")));
  await limitFiles(server, 3);
  for (const answer of await requests()) {
    expect(answer).toStartWith("HTTP/1.1 503 ");
    expect(answer).toMatch(/^retry-after: 5\r?$/im);
  }
  await limitFiles(server, 4096);
  for (const answer of await requests()) expect(answer).toMatch(/^HTTP\/1\.1 20[01] /);
  socket.destroy();
});

/** Bounds the files of the process from now on; those that are open stay. */
async function limitFiles({ pid }: Program, max: number): Promise<void> {
  await Bun.$`prlimit --pid ${pid} --nofile=${max}:`;
}

describe.skipIf(!isLinux).each(["http", "https"])("idle connections of one address, by %s", (scheme) => {
  test("are closed beyond CONNECTIONS_PER_ADDRESS; those at work, of others and of proxies stay", async () => {
    const { certFile, keyFile } = await makeCertificate(folder.path, "skins.example.org");
    const settings = { CONNECTIONS_PER_ADDRESS: "5", TRUSTED_PROXIES: "127.0.0.8", RATE_LIMIT_FACTOR: "0" };
    const tls = scheme === "https" ? { TLS_CERT: certFile, TLS_KEY: keyFile } : {};
    await using server = await serve(8192, { ...settings, ...tls });
    const open = from(attacker, server);
    using proxy = await hold(from("127.0.0.8", server), { count: 20, use: kinds["after a request"] });
    using other = await hold(from("127.0.0.7", server), { count: 5, use: kinds["after a request"] });
    using body = await hold(open, { count: 1, use: (socket) => socket.write(bodyHead) });
    using stream = await hold(open, { count: 1, use: openStream });
    using held = await holdAll(open, 20);
    await until(() => held.closed() >= kindCount * 20 - 5);
    expect([proxy, other, body, stream].map(({ closed }) => closed())).toEqual([0, 0, 0, 0]);
    expect(await closedBy(server)).toEqual({ address: kindCount * 20 - 5, idle: 0, busy: 0 });
    const shown = (await server.metrics()).get("cloakroom_client_connections_open")?.samples[0]?.value;
    // The runtime itself ends those that have sent no whole head for 12 seconds.
    expect(shown).toBeWithin(20 + 5 + 1 + 1, 20 + 5 + 1 + 1 + 5 + 1);
    expect(server.linesOf("warn").map(({ message }) => message)).toContain(
      "idle connections were closed: an address had more than CONNECTIONS_PER_ADDRESS",
    );
  });
});
