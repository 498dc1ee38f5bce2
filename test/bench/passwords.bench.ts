/*
 * What the time of a wrong password shows, in a community whose passwords are hashed in five ways: whether
 * there is an account of that name.
 *
 *   bun test/bench/passwords.bench.ts
 */
import { Database } from "bun:sqlite";
import { cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { fillAccounts } from "./accounts-data.ts";
import { comparePair } from "./before.bench.ts";
import { describeMachine, type Line, tableOf } from "./report.ts";
import { written } from "./request-costs.ts";
import { median } from "./statistics.ts";
import { buildSubject, openSubject, type Subject } from "./subject.ts";

const accounts = 2000;
/** The kinds that are about beside today's, each of a fifth of all accounts. */
const otherKinds = {
  bcrypt: "$2y$10$",
  argon2i: "$argon2i$v=19$m=65536,t=1,p=1$",
  scrypt: "$scrypt$ln=15,r=8,p=1$",
  wrapped: "$wrapped$authme-sha256$$argon2id$v=19$m=19456,t=2,p=1$",
} as const;

/** Measures on data folders of its own. */
export async function benchPasswords(subject: Subject): Promise<readonly Line[]> {
  return [await tellApart(subject), ...(await compareSignIns(subject))];
}

/** Nothing without the other binary. */
export async function compareSignIns(subject: Subject): Promise<readonly Line[]> {
  const path = process.env["BASELINE"];
  if (path === undefined) {
    console.error("bench: NOT RUN: sign-ins against the release before (BASELINE names no binary)");
    return [];
  }
  const before = openSubject(resolve(path), join(subject.folder, "signing-in-before"));
  await mkdir(before.folder);
  const [ours, theirs] = [join(subject.folder, "signing-in"), join(before.folder, "data")];
  const members = await fillAccounts(ours, { accounts, signedIn: accounts, upToDate: false });
  await cp(ours, theirs, { recursive: true });
  await using server = await subject.serve(ours);
  await using other = await before.serve(theirs);
  const pair = [
    { servers: [server], members },
    { servers: [other], members },
  ] as const;
  const measure = "a sign-in without hashes of other systems, against the release before";
  const cost = written["a sign-in"];
  return cost === undefined ? [] : [await comparePair(measure, cost, pair, 1 / 0.98)];
}

/** Sends wrong passwords of known and unknown names in random order, and guesses which were which. */
export async function tellApart(subject: Subject, tries = 1000): Promise<Line> {
  const folder = join(subject.folder, "five-kinds");
  const members = await fillAccounts(folder, { accounts, signedIn: accounts });
  hashDifferently(folder);
  await using server = await subject.serve(folder);
  const known = members.slice(1).map(({ name }) => name);
  const samples: Sample[] = [];
  // The first sign-in counts the kinds.
  for (let warm = 0; warm < 10; warm++) await timed(server.url, `Nobody${warm}`);
  for (const isKnown of shuffled(tries)) {
    const name = isKnown ? (known[samples.length] ?? "") : nameLike(samples.length);
    samples.push({ isKnown, milliseconds: await timed(server.url, name) });
  }
  return lineOf(samples);
}

/** Four of five accounts get a hash of another kind, which no password fits. */
function hashDifferently(folder: string): void {
  using database = new Database(join(folder, "cloakroom.db"), { strict: true });
  const update = database.query("UPDATE accounts SET password_hash = $hash WHERE id = $id");
  const kinds = Object.values(otherKinds);
  database.transaction(() => {
    for (let id = 1; id <= accounts; id++) {
      const kind = kinds[id % (kinds.length + 1)];
      if (kind !== undefined) update.run({ id, hash: argon2Hasher.dummy(kind) });
    }
  })();
}

type Sample = { readonly isKnown: boolean; readonly milliseconds: number };

/** Half of each, in random order. */
function shuffled(count: number): readonly boolean[] {
  return Array.from({ length: count }, (_, at) => ({ isKnown: at % 2 === 0, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ isKnown }) => isKnown);
}

/** As long as the names of the members. */
function nameLike(number: number): string {
  return `Zz${crypto.randomUUID().slice(0, 5)}${number}`.slice(0, 16);
}

async function timed(url: string, username: string): Promise<number> {
  const begunAt = performance.now();
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password: "a wrong password" }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 401) throw new Error(`A wrong password is answered with ${answer.status}`);
  return performance.now() - begunAt;
}

function lineOf(samples: readonly Sample[]): Line {
  const of = (isKnown: boolean) =>
    median(samples.filter((one) => one.isKnown === isKnown).map(({ milliseconds }) => milliseconds));
  return {
    measure: "names recognised as accounts by the time of a wrong password",
    goal: { atMost: 0.55 },
    measured: toldApart(samples),
    unit: "of tries",
    detail: `${samples.length} tries, hashes of five kinds; median ${of(true).toFixed(1)} and ${of(false).toFixed(1)} ms`,
  };
}

/** How many parts take turns at being guessed by what was learnt from the others. */
const folds = 10;

/**
 * How often the better of two guesses is right: by the nearest samples in time, which sees any difference
 * between the two distributions, and by one limit.
 */
function toldApart(samples: readonly Sample[]): number {
  let [byNearest, byLimit] = [0, 0];
  for (let fold = 0; fold < folds; fold++) {
    const learnt = samples.filter((_, at) => at % folds !== fold);
    const asked = samples.filter((_, at) => at % folds === fold);
    const limit = bestLimit(learnt);
    for (const { isKnown, milliseconds } of asked) {
      if (guessByNearest(learnt, milliseconds) === isKnown) byNearest++;
      if ((milliseconds > limit.at === limit.isKnownAbove) === isKnown) byLimit++;
    }
  }
  return Math.max(byNearest, byLimit) / samples.length;
}

function guessByNearest(learnt: readonly Sample[], milliseconds: number): boolean {
  const nearest = learnt
    .map((one) => ({ ...one, distance: Math.abs(Math.log(one.milliseconds / milliseconds)) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 31);
  return nearest.filter(({ isKnown }) => isKnown).length > 15;
}

function bestLimit(learnt: readonly Sample[]): { readonly at: number; readonly isKnownAbove: boolean } {
  const sorted = learnt.toSorted((one, other) => one.milliseconds - other.milliseconds);
  const known = sorted.filter(({ isKnown }) => isKnown).length;
  let best = { at: 0, isKnownAbove: true, right: known };
  let [knownBelow, below] = [0, 0];
  for (const { isKnown, milliseconds } of sorted) {
    below++;
    if (isKnown) knownBelow++;
    const above = known - knownBelow + (below - knownBelow);
    for (const isKnownAbove of [true, false]) {
      const right = isKnownAbove ? above : sorted.length - above;
      if (right > best.right) best = { at: milliseconds, isKnownAbove, right };
    }
  }
  return best;
}

if (import.meta.main) {
  await using subject = await buildSubject();
  console.log(Object.values(await describeMachine()).join("\n"));
  console.log(tableOf(await benchPasswords(subject)));
}
