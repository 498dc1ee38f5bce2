/*
 * What others notice of one address that holds more idle connections than the server has files, and what the
 * watch costs.
 *
 *   bun run bench --only attack-connections
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-connections     and the same of another program
 */
import { chmod, mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { processorMicroseconds } from "./processor-time.ts";
import { digits, type Line } from "./report.ts";
import { median } from "./statistics.ts";
import { createPlayer, openSubject, password, type Server, type Subject } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const attackerAddress = "127.0.0.9";
const filesMax = 1024;
const connections = 1300;
const milliseconds = 8000;
/** How long the attacker waits before it opens a connection again that was closed. */
const reopenMilliseconds = 20;
const restMilliseconds = 5000;
const manyConnections = 8000;
/** Makes this file the attacker. */
const holdWord = "hold";

/** The attack, and what many idle connections cost; with `BASELINE` the attack on that program as well. */
export async function benchConnectionAttacks(subject: Subject): Promise<readonly Line[]> {
  const lines = [await attack(await withFewFiles(subject, subject.binary, "ours"), ""), await rest(subject)];
  const path = process.env["BASELINE"];
  if (path === undefined) {
    console.error("bench: NOT RUN: idle connections against another program (BASELINE names no binary)");
    return lines;
  }
  return [...lines, await attack(await withFewFiles(subject, resolve(path), "before"), ", before")];
}

/** The same program, which may open few files. */
async function withFewFiles({ folder }: Subject, binary: string, name: string): Promise<Subject> {
  const own = join(folder, name);
  await mkdir(own);
  const script = join(own, "limited");
  await Bun.write(script, `#!/bin/sh\nulimit -n ${filesMax} && exec '${binary}' "$@"\n`);
  await chmod(script, 0o755);
  return openSubject(script, own);
}

async function attack(subject: Subject, suffix: string): Promise<Line> {
  await using server = await subject.serve();
  await createPlayer(subject, server, 1);
  const session = await newSession(server);
  const calm = await work(server, session);
  const attacker = Bun.spawn([process.execPath, import.meta.path, holdWord, String(server.port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Until they are there, which those that send nothing are after a second.
  await Bun.sleep(2000);
  const during = await work(server, session);
  attacker.kill();
  const opened = (await attacker.stdout.text()).trim();
  const share = during.done / during.tried;
  return {
    measure: `others' sign-ins, pictures and uploads that succeed beside ${connections} idle connections with ${filesMax} files${suffix}`,
    goal: { atLeast: 1 },
    measured: share / (calm.done / calm.tried),
    unit: "of calm",
    detail:
      `${calm.done} of ${calm.tried} calm, ${during.done} of ${during.tried} beside, ${during.wrong} right passwords were wrong; ` +
      `median ${digits(median(calm.times))} → ${digits(median(during.times))} ms; opened ${opened} times`,
  };
}

/**
 * Holds idle connections of every kind, and opens those again that are closed, until SIGTERM. In a process of
 * its own.
 */
function holdIdle(port: number): void {
  let opened = 0;
  const open = (number: number): void => {
    opened += 1;
    const socket = connect({ host: "127.0.0.1", port, localAddress: attackerAddress });
    const request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const sent = ["", request, request.slice(0, -8)][number % 3] ?? "";
    if (sent !== "") socket.write(sent);
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => setTimeout(() => open(number), reopenMilliseconds));
  };
  for (let number = 0; number < connections; number++) open(number);
  process.on("SIGTERM", () => {
    console.log(opened);
    process.exit();
  });
  // It ends by itself where the bench was killed.
  setTimeout(() => process.exit(), 4 * milliseconds);
}

type Worked = {
  readonly tried: number;
  readonly done: number;
  readonly wrong: number;
  readonly times: readonly number[];
};

let made = 0;

/**
 * Signs in, asks for a picture that is not in memory, and uploads, one after the other. Each on a connection
 * of its own.
 */
async function work({ url }: Server, first: string): Promise<Worked> {
  // The newest hundred sessions of an account stay.
  let authorization = first;
  const statuses: number[] = [];
  const times: number[] = [];
  const ask = async (path: string, init: RequestInit): Promise<string> => {
    const start = performance.now();
    const headers = new Headers(init.headers);
    headers.set("connection", "close");
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(url + path, { ...init, headers, signal }).catch(() => null);
    const text = await answer?.text().catch(() => "");
    statuses.push(answer?.status ?? 0);
    times.push(performance.now() - start);
    return text ?? "";
  };
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    made += 1;
    const form = new FormData();
    form.append("skin", new File([paintedSkinFile(made + 100)], "skin.png"));
    const [, jwt] = /"jwt":"([^"]+)"/.exec(await ask("/api/auth/login", signInRequest())) ?? [];
    if (jwt !== undefined) authorization = `Bearer ${jwt}`;
    await ask(`/api/skin/body/Bench?type=player&size=${64 + (made % 900)}`, {});
    await ask("/api/home/edit/upload", { method: "POST", headers: { authorization }, body: form });
  }
  const done = statuses.filter((status) => status >= 200 && status < 300).length;
  const wrong = statuses.filter((status) => status === 401).length;
  return { tried: statuses.length, done, wrong, times };
}

function signInRequest() {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Bench", password }),
  };
}

async function newSession({ url }: Server): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, signInRequest());
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return `Bearer ${data.jwt}`;
}

/** What a server does while many connections are idle, of as many addresses as one can have. */
async function rest(subject: Subject): Promise<Line> {
  await using server = await subject.serve(join(subject.folder, "rest"));
  await Bun.sleep(1000);
  const alone = await processorShare(server);
  const sockets = Array.from({ length: manyConnections }, (_, at) => {
    const localAddress = `127.1.${at >> 8}.${at & 255}`;
    const socket = connect({ host: "127.0.0.1", port: server.port, localAddress });
    socket.on("error", () => undefined);
    socket.resume().write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return socket;
  });
  await Bun.sleep(3000);
  const full = await processorShare(server);
  const open = sockets.filter(({ readyState }) => readyState === "open").length;
  for (const socket of sockets) socket.destroy();
  return {
    measure: `processor time a second of a server with ${open} idle connections`,
    goal: { atMost: 100 },
    measured: full * 1000,
    unit: "ms",
    detail: `${digits(alone * 1000)} ms without connections`,
  };
}

/** Of one processor. */
async function processorShare({ pid }: Server): Promise<number> {
  const before = await processorMicroseconds(pid);
  await Bun.sleep(restMilliseconds);
  return ((await processorMicroseconds(pid)) - before) / (restMilliseconds * 1000);
}

if (import.meta.main && process.argv[2] === holdWord) {
  holdIdle(Number(process.argv[3]));
}

if (import.meta.main && process.argv[2] === holdWord) holdIdle(Number(process.argv[3]));
