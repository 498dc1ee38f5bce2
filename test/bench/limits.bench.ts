/*
 * What counting for all nodes costs: sign-ins on PostgreSQL, and attempts alone.
 *
 *   bun test/bench/limits.bench.ts
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { shareAttempts } from "../../src/adapters/postgres/cluster/attempt-counts.ts";
import { takeAttempts } from "../../src/domain/limits/address-limit.ts";
import { jwtSecret } from "../support/harness.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { describeMachine, digits, type Line, tableOf } from "./report.ts";
import { inTurn, median } from "./statistics.ts";
import { buildSubject, password, type Server, type Subject } from "./subject.ts";

/** As in `accounts.bench.ts`. */
const connections = 8;
const rounds = 9;
const milliseconds = 2000;

/** Measures on a database of its own; nothing where there is no PostgreSQL. */
export async function benchLimits(subject: Subject): Promise<readonly Line[]> {
  if (postgresMissing !== null) {
    console.error(`bench: NOT RUN: limits on PostgreSQL (${postgresMissing})`);
    return [];
  }
  await using database = await testDatabase();
  const settings = {
    DATABASE_URL: database.url,
    JWT_SECRET: jwtSecret,
    RATE_LIMIT_FACTOR: "1",
    TRUSTED_PROXIES: "127.0.0.1",
  };
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-bench-node-"));
  await using _gone = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  const member = ["--mail", "bench@example.org", "--username", "Bench", "--password", password];
  await Bun.$`${subject.binary} user create ${member}`.env({ ...settings, DATA_DIR: folder }).quiet();
  await using server = await subject.serve(folder, settings);
  return [await compareSignIns(server), await measureAttempts(database.url)];
}

async function compareSignIns({ url }: Server): Promise<Line> {
  const hash = await argon2Hasher.hash(password);
  const verify = () => argon2Hasher.verify(password, hash);
  let sent = 0;
  const signIn = async (): Promise<boolean> => {
    sent += 1;
    // Each attempt counts, for an address of its own, which has attempts left.
    const address = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
    const { status } = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ username: "Bench", password }),
    });
    return status === 200;
  };
  const { first, second, ratio } = await inTurn(
    rounds,
    () => rateOf(signIn),
    () => rateOf(verify),
  );
  return {
    measure: "sign-ins on PostgreSQL, against Bun.password.verify alone",
    goal: { atLeast: 0.9 },
    measured: ratio,
    unit: "of bare",
    detail: `${digits(first)} against ${digits(second)} a second, ${connections} at once`,
  };
}

/** How often in a second, with as many at once. */
async function rateOf(work: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  const end = start + milliseconds;
  let done = 0;
  const workOn = async () => {
    while (performance.now() < end) {
      if (!(await work())) throw new Error("A password does not fit");
      if (performance.now() < end) done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, workOn));
  return done / (milliseconds / 1000);
}

/** One statement each, over as many connections: address and pair at once. */
async function measureAttempts(url: string): Promise<Line> {
  await using client = new SQL({ url, max: connections });
  const store = shareAttempts({
    db: { send: (text, values) => client.unsafe<unknown[][]>(text, [...values]).values() },
    hash: (text) => new Bun.CryptoHasher("sha256", jwtSecret).update(text).digest("base64url"),
    now: () => Math.floor(Date.now() / 1000),
  });
  let made = 0;
  const take = async (): Promise<boolean> => {
    made += 1;
    const key = String(made % 100_000);
    const wait = await takeAttempts(store, [
      { limit: "address", key, rule: { times: 20, seconds: 60 } },
      { limit: "pair", key, rule: { times: 5, seconds: 60, secondsMax: 900 } },
    ]);
    return wait >= 0;
  };
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) rates.push(await rateOf(take));
  const perSecond = median(rates);
  return {
    measure: "an attempt, counted for all nodes",
    measured: 1e6 / perSecond,
    unit: "µs",
    detail: `${digits(perSecond)} a second over ${connections} connections, address and account in one statement`,
  };
}

if (import.meta.main) {
  const machine = await describeMachine();
  await using subject = await buildSubject();
  const lines = await benchLimits(subject);
  console.log(
    Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  );
  console.log(`\n${tableOf(lines)}`);
}
