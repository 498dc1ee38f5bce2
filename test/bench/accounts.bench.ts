/*
 * Sign-ins, and the home area with few and with very many accounts.
 *
 *   bun test/bench/accounts.bench.ts
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { fillAccounts, password, type SignedIn } from "./accounts-data.ts";
import { type Community, compareAdminPages } from "./admin-pages.ts";
import { requestText } from "./http.bench.ts";
import type { LoadJob } from "./load.ts";
import { startBaseline, startLoad } from "./peer.ts";
import { describeMachine, digits, type Line, tableOf } from "./report.ts";
import { inTurn, median } from "./statistics.ts";
import { buildSubject, type Server, type Subject } from "./subject.ts";

const few = 1000;
const many = 1_000_000;
/** Sessions that ask in turn: too many for what they need to stay in the reader's page cache. */
const signedInCount = 4000;
/** How often all of them ask in one round: the system counts processor time in hundredths of a second. */
const passes = 3;
/** As many sign-ins are on their way at once. More only wait longer: there are fewer threads to hash in. */
const signInConnections = 8;

/** Measures on data folders of its own, beside what the subject has already. */
export async function benchAccounts(subject: Subject): Promise<readonly Line[]> {
  const small = join(subject.folder, "few-accounts");
  const large = join(subject.folder, "many-accounts");
  const smallMembers = await fillAccounts(small, { accounts: few, signedIn: signedInCount });
  const start = performance.now();
  const largeMembers = await fillAccounts(large, { accounts: many, signedIn: signedInCount });
  console.error(`bench: ${many} accounts written in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  await using server = await subject.serve(small);
  await using largeServer = await subject.serve(large);
  const fewOnes = { server, members: smallMembers };
  const manyOnes = { server: largeServer, members: largeMembers };
  const [member] = smallMembers;
  if (member === undefined) throw new Error("No member is signed in");
  return [
    await compareSignIns(server, member),
    await measureBesideSignIns(server, member),
    await compareHome(server, member),
    ...(await compareSizes(fewOnes, manyOnes)),
    ...(await compareAdminPages(fewOnes, manyOnes)),
    await compareRefusals(server, member),
  ];
}

/**
 * Where it is spent if it is missed: a sign-in is one verified password, two reads, a commit and a signature.
 */
async function compareSignIns({ port }: Server, { mail }: SignedIn): Promise<Line> {
  using load = startLoad();
  const milliseconds = 2000;
  const hash = await argon2Hasher.hash(password);
  const job = signInJob(port, { username: mail, password, status: 200 });
  const signIns = async () => (await load.ask({ ...job, milliseconds })).perSecond;
  const { first, second, ratio } = await inTurn(9, signIns, () => verifyRate(hash, milliseconds));
  return {
    measure: "sign-ins, against Bun.password.verify alone",
    goal: { atLeast: 0.9 },
    measured: ratio,
    unit: "of bare",
    detail: `${digits(first)} against ${digits(second)} a second, ${signInConnections} at once`,
  };
}

async function verifyRate(hash: string, milliseconds: number): Promise<number> {
  const start = performance.now();
  const end = start + milliseconds;
  let verified = 0;
  const verifyOn = async () => {
    while (performance.now() < end) {
      if (!(await argon2Hasher.verify(password, hash))) throw new Error("The password does not fit");
      if (performance.now() < end) verified++;
    }
  };
  await Promise.all(Array.from({ length: signInConnections }, verifyOn));
  return verified / (milliseconds / 1000);
}

function signInJob(
  port: number,
  { status, ...body }: { readonly username: string; readonly password: string; readonly status: number },
): Omit<LoadJob, "milliseconds"> {
  const json = JSON.stringify(body);
  const request = [
    "POST /api/auth/login HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Content-Length: ${json.length}`,
    "",
    json,
  ].join("\r\n");
  return { port, request, status, connections: signInConnections, pace: "full" };
}

async function measureBesideSignIns({ port, url }: Server, { mail, uuid }: SignedIn): Promise<Line> {
  using load = startLoad();
  using signIns = startLoad();
  const path = `/api/skin/head/${uuid}?size=100&type=skin`;
  const milliseconds = 1500;
  const signInsBeside: number[] = [];
  await (await fetch(url + path)).bytes();
  const pictures = async () => {
    const job = { port, request: requestText(path), status: 200, connections: 32, pace: "full" } as const;
    return (await load.ask({ ...job, milliseconds })).perSecond;
  };
  const besideSignIns = async () => {
    const job = signInJob(port, { username: mail, password, status: 200 });
    const [rate, beside] = await Promise.all([pictures(), signIns.ask({ ...job, milliseconds })]);
    signInsBeside.push(beside.perSecond);
    return rate;
  };
  const { first, second, ratio } = await inTurn(9, besideSignIns, pictures);
  return {
    measure: "cached pictures while sign-ins saturate the machine",
    goal: { atLeast: 0.5 },
    measured: ratio,
    unit: "of bare",
    detail: `${digits(first)} against ${digits(second)} requests/s; ${digits(median(signInsBeside))} sign-ins/s beside`,
  };
}

async function compareHome({ port, url }: Server, { token }: SignedIn): Promise<Line> {
  using load = startLoad();
  using baseline = startBaseline();
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/home`, { headers });
  const body = await answer.bytes();
  const barePort = await baseline.ask({
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => name !== "date" && name !== "content-length"),
    bodyBase64: body.toBase64(),
  });
  const job = {
    request: requestText("/api/home", headers),
    status: 200,
    connections: 32,
    pace: "full",
  } as const;
  const rate = async (at: number) => (await load.ask({ ...job, port: at, milliseconds: 500 })).perSecond;
  await rate(port);
  const { first, second, ratio } = await inTurn(
    15,
    () => rate(port),
    () => rate(barePort),
  );
  return {
    measure: "GET /api/home, signed in",
    goal: { atLeast: 0.35 },
    measured: ratio,
    unit: "of bare",
    detail: `${digits(first)} against ${digits(second)} requests/s; ${body.length} bytes`,
  };
}

/** What a request costs where the tables are a thousand times as long. */
async function compareSizes(small: Community, large: Community): Promise<readonly Line[]> {
  const goal = { atMost: 1.3 };
  const { first, second, ratio } = await inTurn(
    9,
    () => costOfAll(large),
    () => costOfAll(small),
  );
  using load = startLoad();
  const one = await inTurn(
    15,
    () => costOfOne(load, large),
    () => costOfOne(load, small),
  );
  const measure = `GET /api/home, ${many.toLocaleString("en")} accounts against ${few.toLocaleString("en")}`;
  const lines: readonly Line[] = [
    {
      measure: `${measure}, everybody in turn`,
      goal,
      measured: ratio,
      unit: "times as much",
      detail: `${digits(first)} µs against ${digits(second)} µs of processor time`,
    },
    {
      measure: `${measure}, one member`,
      goal,
      measured: one.ratio,
      unit: "times as much",
      detail: `${digits(one.first)} µs against ${digits(one.second)} µs`,
    },
  ];
  return lines.filter(({ measured }) => !Number.isNaN(measured));
}

/**
 * Microseconds of processor time that the server spends on a request, each from another member. The
 * throughput of a client that has to send another token each time would say more about the client. NaN where
 * the system does not report it.
 */
async function costOfAll({ server, members }: Community): Promise<number> {
  const before = await processorSeconds(server.pid);
  for (let pass = 0; pass < passes; pass++) await visitAll(server, members);
  const seconds = (await processorSeconds(server.pid)) - before;
  return (seconds * 1e6) / (passes * members.length);
}

/** Microseconds between two answers to a server that has nothing else to do. */
async function costOfOne(
  load: ReturnType<typeof startLoad>,
  { server, members }: Community,
): Promise<number> {
  const headers = { Authorization: `Bearer ${members[0]?.token}` };
  const { perSecond } = await load.ask({
    port: server.port,
    request: requestText("/api/home", headers),
    status: 200,
    connections: 32,
    milliseconds: 500,
    pace: "full",
  });
  return 1e6 / perSecond;
}

/** Strides through the members, so that neighbours in the table do not ask one after the other. */
async function visitAll({ url }: Server, members: readonly SignedIn[]): Promise<void> {
  const order = members.map((_, number) => members[(number * 1493) % members.length]).values();
  const visitOn = async () => {
    for (const member of order) {
      const headers = { authorization: `Bearer ${member?.token}` };
      const answer = await fetch(`${url}/api/home`, { headers });
      if (answer.status !== 200) throw new Error(`A member's home is answered with ${answer.status}`);
      await answer.bytes();
    }
  };
  await Promise.all(Array.from({ length: 16 }, visitOn));
}

/** Processor time of a process as Linux reports it, to a hundredth of a second; NaN on other systems. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // User and system time are the 14th and 15th field; the second is a name that may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function compareRefusals({ port }: Server, { mail }: SignedIn): Promise<Line> {
  using load = startLoad();
  const wrong = signInJob(port, { username: mail, password: "not the password", status: 401 });
  const unknown = signInJob(port, {
    username: "nobody@example.org",
    password: "not the password",
    status: 401,
  });
  const middle = async (job: typeof wrong) =>
    (await load.ask({ ...job, connections: 1, milliseconds: 1000 })).p50;
  const { first, second, ratio } = await inTurn(
    15,
    () => middle(unknown),
    () => middle(wrong),
  );
  return {
    measure: "refusing an unknown user, against a wrong password",
    goal: { atMost: 1.05 },
    // The order of the two does not matter.
    measured: Math.max(ratio, 1 / ratio),
    unit: "times as much",
    detail: `medians ${digits(first)} µs against ${digits(second)} µs`,
  };
}

if (import.meta.main) {
  await using subject = await buildSubject();
  const machine = await describeMachine();
  const lines = await benchAccounts(subject);
  for (const [name, value] of Object.entries(machine)) console.log(`${name}: ${value}`);
  console.log(`\n${tableOf(lines)}`);
}
