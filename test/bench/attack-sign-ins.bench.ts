/*
 * What attacks on sign-ins cost other people: a machine without file descriptors, a queue full of wrong
 * passwords, and strangers who try a launcher's login all the time.
 *
 *   bun run bench --only attack-sign-ins
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-sign-ins     and the same of another program
 */
import { chmod } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { alsoOfBaseline } from "./baseline-program.ts";
import { digits, type Line } from "./report.ts";
import { median } from "./statistics.ts";
import { openSubject, password, type Server, type Subject } from "./subject.ts";

const settings = { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1" };
const mail = "bench@example.org";
const ownAddress = "198.51.100.1";

export function benchSignInAttacks(subject: Subject): Promise<readonly Line[]> {
  return alsoOfBaseline(subject, attackAll);
}

/** Attacks a server of its own for each attack, calm first. */
async function attackAll(subject: Subject): Promise<readonly Line[]> {
  const folder = join(subject.folder, "attacked");
  const member = ["--mail", mail, "--username", "Bench", "--password", password];
  await Bun.$`${subject.binary} user create ${member}`.env({ ...settings, DATA_DIR: folder }).quiet();
  const attacked = async (measure: (server: Server) => Promise<readonly Line[]>) => {
    await using server = await subject.serve(folder, settings);
    return await measure(server);
  };
  return [
    ...(await withoutDescriptors(subject, folder)),
    ...(await attacked(fullQueue)),
    ...(await attacked(triedByStrangers)),
  ];
}

type Answer = { readonly status: number; readonly milliseconds: number };

async function post(server: Server, path: string, json: object, address: string): Promise<Answer> {
  const begunAt = performance.now();
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(json),
    keepalive: false,
  });
  await answer.arrayBuffer();
  return { status: answer.status, milliseconds: performance.now() - begunAt };
}

const website = (server: Server, username: string, text: string, address: string) =>
  post(server, "/api/auth/login", { username, password: text }, address);
const launcher = (server: Server, username: string, text: string, address: string) =>
  post(server, "/api/yggdrasil/authserver/authenticate", { username, password: text }, address);

const tries = 10;
const files = 256;

/** Idle connections take the file descriptors of a server that has few, until it takes no further one. */
async function withoutDescriptors(subject: Subject, folder: string): Promise<readonly Line[]> {
  const binary = join(subject.folder, "with-few-files");
  await Bun.write(binary, `#!/bin/sh\nulimit -n ${files}\nexec "${resolve(subject.binary)}" "$@"\n`);
  await chmod(binary, 0o700);
  await using server = await openSubject(binary, subject.folder).serve(folder, settings);
  const line = openLine(server);
  await line.signIn();
  const idle = Array.from({ length: files }, () => connect(server.port, "127.0.0.1").on("error", () => {}));
  await Bun.sleep(1000);
  let right = 0;
  for (let time = 0; time < tries; time++) if ((await line.signIn()) === 200) right += 1;
  for (const socket of [line.socket, ...idle]) socket.destroy();
  return [
    {
      measure: "right passwords that are right while no file descriptor is left",
      goal: { atLeast: 1 },
      measured: right / tries,
      unit: "of calm",
    },
  ];
}

/** A connection that is kept, over which a member signs in. */
function openLine({ port }: Server) {
  const socket: Socket = connect(port, "127.0.0.1");
  const body = JSON.stringify({ username: "Bench", password });
  const request = `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return {
    socket,
    signIn: async (): Promise<number> => {
      const { promise, resolve: found } = Promise.withResolvers<number>();
      socket.once("data", (data) => found(Number(data.toString().split(" ")[1])));
      socket.write(request);
      return promise;
    },
  };
}

async function fullQueue(server: Server): Promise<readonly Line[]> {
  const own = () => website(server, "Bench", password, ownAddress);
  const calm: number[] = [];
  for (let time = 0; time < 9; time++) calm.push((await own()).milliseconds);
  const flood = Array.from({ length: 160 }, (_, at) =>
    website(server, `Nobody${at}`, "a wrong password", `192.0.2.${at % 8}`),
  );
  // The flood is in the queue by then.
  await Bun.sleep(200);
  const { status, milliseconds } = await own();
  const all = await Promise.all(flood);
  return [
    {
      measure: "a sign-in while 160 wrong passwords of eight addresses wait",
      goal: { atMost: 1000 },
      measured: milliseconds,
      unit: "ms",
      detail: `status ${status}; calm ${digits(median(calm))} ms; the flood took ${digits(Math.max(...all.map((one) => one.milliseconds)))} ms`,
    },
  ];
}

const attackSeconds = 15;

/**
 * 2.5 wrong tries a second of one /48, as long as the owner signs in every three seconds, from home and from
 * elsewhere.
 */
async function triedByStrangers(server: Server): Promise<readonly Line[]> {
  const home = () => launcher(server, "Bench", password, ownAddress);
  const calm = await home();
  await Bun.sleep(3000);
  const attack = Array.from({ length: attackSeconds * 2.5 }, async (_, at) => {
    await Bun.sleep(at * 400);
    return launcher(server, "Bench", "a wrong password", `2001:db8:0:${at.toString(16)}::1`);
  });
  const known: Answer[] = [];
  const strange: Answer[] = [];
  for (let round = 1; round <= attackSeconds / 3; round++) {
    const [one, other] = await Promise.all([home(), launcher(server, mail, password, `203.0.113.${round}`)]);
    known.push(one);
    strange.push(other);
    await Bun.sleep(3000 - Math.min(2900, Math.max(one.milliseconds, other.milliseconds)));
  }
  await Promise.all(attack);
  const lineOf = (what: string, answers: readonly Answer[]): Line => ({
    measure: `right passwords that are right while a /48 tries the login of launchers, ${what}`,
    goal: { atLeast: 1 },
    measured: answers.filter(({ status }) => status === 200).length / answers.length,
    unit: "of calm",
    detail: `${answers.map(({ status, milliseconds }) => `${status} in ${digits(milliseconds)} ms`).join(", ")}; calm ${digits(calm.milliseconds)} ms`,
  });
  return [lineOf("at home", known), lineOf("from a new network, by mail address", strange)];
}
