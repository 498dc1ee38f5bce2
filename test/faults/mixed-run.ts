/* The service is killed again and again while everything that writes goes on. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openLedger } from "./ledger.ts";
import { liveTogether, serviceToken, type Cast } from "./mixed-life.ts";
import { examineAll } from "./mixed-examine.ts";
import { createAccounts, signAllIn } from "./people.ts";
import { openPostOffice } from "./post-office.ts";
import { randomFrom } from "./random.ts";
import { openService, type Run, type Service } from "./service.ts";

export type MixedPlan = {
  /** The program: from source or compiled. */
  readonly command: readonly string[];
  readonly kills: number;
  readonly players: number;
  readonly seed: number;
};

export type MixedReport = {
  /** What did not hold, with the number of kills before it was found. */
  readonly faults: readonly string[];
  readonly complaints: string;
  readonly kills: number;
  /** Changes that were answered with success, cut off by a kill, and refused. */
  readonly answered: number;
  readonly cutOff: number;
  readonly refused: number;
  readonly mails: number;
  readonly slowestReadyMs: number;
};

/** A run lives this long from when it is ready: short enough to die in the middle of many things. */
const runMs = { min: 50, max: 450 } as const;
/** What needs no password hash is done in this time. */
const afterRequestMs = 6;

export async function killAmidEverything({ command, kills, players, seed }: MixedPlan): Promise<MixedReport> {
  const random = randomFrom(seed);
  await using office = await openPostOffice(random);
  await using service = await openService(command, office.port, { SERVICE_API_TOKEN: serviceToken });
  const ledger = openLedger();
  const over = new AbortController();
  const faults: string[] = [];
  let slowestReadyMs = 0;
  let newestHash: string | null = null;
  const look = async (killed: number): Promise<void> => {
    const found = await examineAll(service.dataDir, newestHash);
    newestHash = found.newestHash;
    faults.push(
      ...[...found.faults, ...ledger.settle(found.facts)].map((fault) => `after ${killed} kills: ${fault}`),
    );
  };
  const start = async (): Promise<Run> => {
    const run = await service.start();
    slowestReadyMs = Math.max(slowestReadyMs, run.readyMs);
    passMinute(service.dataDir);
    return run;
  };

  const names = await createAccounts(service.dataDir, command, players);
  const first = await start();
  const people = await signAllIn(first, names);
  const [administrator, ...others] = people;
  if (administrator === undefined) throw new Error("There is no administrator");
  const cast: Cast = { service, ledger, random, over: over.signal, players: others, administrator };
  const lives = liveTogether(cast);
  // A life that fails ends the run, below; until then it must not end the process.
  const failed = lives.then(
    () => null,
    (error: unknown) => error,
  );
  service.openToAll(first);
  let killed = 0;
  while (killed < kills && faults.length === 0) {
    const failure = await Promise.race([failed, momentToKill(service, random)]);
    if (failure !== undefined) throw failure;
    await service.kill();
    killed += 1;
    await look(killed);
    service.openToAll(await start());
  }
  over.abort();
  await lives;
  await mailsLeft(service);
  if ((await service.stop()) !== 0) faults.push("it does not stop cleanly");
  await look(killed);
  faults.push(...lostMails(service, office.taken));
  return {
    faults,
    complaints: service.complaints(),
    kills: killed,
    ...ledger.counts(),
    mails: office.taken.size,
    slowestReadyMs: Math.round(slowestReadyMs),
  };
}

/** Half of the moments follow from nothing, half come just after a request: there most is in the middle of something. */
async function momentToKill(service: Service, random: () => number): Promise<undefined> {
  const afterRequest = random() < 0.5;
  await Bun.sleep(runMs.min + random() * (runMs.max - runMs.min));
  if (!afterRequest) return;
  await service.nextRequest();
  await Bun.sleep(random() * afterRequestMs);
}

/** Mails that were on their way when the service was killed are tried again a minute later; the test does not wait. */
function passMinute(dataDir: string): void {
  using database = new Database(join(dataDir, "cloakroom.db"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run("UPDATE outbox SET due_at = created_at WHERE state = 'waiting' AND due_at > created_at");
}

/** Waits until every mail is sent. */
async function mailsLeft({ dataDir }: Service): Promise<void> {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  const waiting = database.query("SELECT 1 FROM outbox WHERE state = 'waiting' LIMIT 1");
  while (waiting.get() !== null) await Bun.sleep(50);
}

function lostMails({ dataDir }: Service, taken: ReadonlyMap<string, number>): readonly string[] {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  const rows = database
    .query<{ name: string; state: string }, []>(
      "SELECT created_at || '.' || id || '@www.example.org' AS name, state FROM outbox",
    )
    .all();
  const known = new Set(rows.map(({ name }) => name));
  return [
    ...rows.filter(({ state }) => state !== "sent").map(({ name }) => `a mail was not sent: ${name}`),
    ...rows.filter(({ name }) => !taken.has(name)).map(({ name }) => `a mail never came: ${name}`),
    ...[...taken.keys()]
      .filter((name) => !known.has(name))
      .map((name) => `a mail that nobody posted: ${name}`),
  ];
}
