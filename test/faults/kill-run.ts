/* The service is killed again and again while everything that writes goes on. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { examine, type Found, type PostedMail } from "./examine.ts";
import { openEventLedger, type EventLedger } from "./event-ledger.ts";
import { confirmedFact, nameFact } from "./facts.ts";
import { openLedger, type Ledger } from "./ledger.ts";
import { liveTogether, serviceToken } from "./lives.ts";
import { signInRequest, type Newcomer } from "./newcomer.ts";
import { createAccounts, signAllIn } from "./people.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { randomFrom } from "./random.ts";
import { openService, type Run, type Service } from "./service.ts";

export type Plan = {
  /** The program: from source or compiled. */
  readonly command: readonly string[];
  readonly kills: number;
  readonly players: number;
  /** So many settle in at once; when one is done, another comes. */
  readonly newcomersAtOnce: number;
  readonly seed: number;
};

export type Report = {
  /** What did not hold, with the number of kills before it was found. */
  readonly faults: readonly string[];
  readonly complaints: string;
  readonly kills: number;
  readonly newcomers: number;
  /** Changes that were answered with success, cut off by a kill, and refused. */
  readonly answered: number;
  readonly cutOff: number;
  readonly refused: number;
  /** Events that came, and those that came again. */
  readonly events: number;
  readonly repeated: number;
  readonly mails: number;
  /** Mails that were on their way when the service was killed, and those that came more than once. */
  readonly inFlight: number;
  readonly twice: number;
  readonly slowestReadyMs: number;
};

/** A run lives this long from when it is ready: short enough to die in the middle of many things. */
const runMs = { min: 50, max: 1000 } as const;
/** What needs no password hash is done in this time. */
const afterRequestMs = 6;
/** Tens of thousands are left at the end of a long run, which waits for all of them. */
const mailsPerSecond = 1000;
/** What `jobs/mail-outbox.ts` has on its way at once at that rate: no kill can make more mails come twice. */
const parallelSends = 20;

type State = {
  readonly service: Service;
  readonly office: PostOffice;
  readonly events: EventLedger;
  readonly ledger: Ledger;
  readonly newcomers: Newcomer[];
  readonly faults: string[];
  /**
   * How often each mail was on its way when the service died: so often it may have arrived without a record.
   */
  readonly forgiven: Map<string, number>;
  found: Found;
  kills: number;
  slowestReadyMs: number;
};

export async function killAgainAndAgain(plan: Plan): Promise<Report> {
  const { command, kills, players, newcomersAtOnce } = plan;
  const random = randomFrom(plan.seed);
  await using office = await openPostOffice(random);
  await using events = openEventLedger();
  const settings = {
    PLAYERS_MAX: "2",
    SERVICE_API_TOKEN: serviceToken,
    MAIL_PER_SECOND_MAX: String(mailsPerSecond),
    ...events.settings,
  };
  await using service = await openService(command, office.port, settings);
  const names = await createAccounts(service.dataDir, command, players);
  const found = await examine(service.dataDir, null);
  const state: State = {
    service,
    office,
    events,
    ledger: openLedger(found.facts),
    newcomers: [],
    faults: [...found.faults],
    forgiven: new Map(),
    found,
    kills: 0,
    slowestReadyMs: 0,
  };

  let run = await startAndCheck(state);
  const [administrator, ...others] = await signAllIn(run, names);
  if (administrator === undefined) throw new Error("There is no administrator");
  const over = new AbortController();
  const cast = { ...state, random, over: over.signal, players: others, administrator, newcomersAtOnce };
  const lives = liveTogether(cast);
  // A life that fails ends the run, below; until then it must not end the process.
  const failed = lives.then(
    () => null,
    (error: unknown) => error,
  );
  while (state.kills < kills && state.faults.length === 0) {
    service.openToAll(run);
    const failure = await Promise.race([failed, momentToKill(service, random)]);
    if (failure !== undefined) throw failure;
    await service.kill();
    state.kills += 1;
    await look(state);
    run = await startAndCheck(state);
  }
  // Who was wronged may wait for ever.
  if (state.faults.length > 0) return reportOf(state);
  service.openToAll(run);
  over.abort();
  await lives;
  await endWell(state);
  return reportOf(state);
}

/**
 * Half of the moments follow from nothing, half come just after a request: there most is in the middle of
 * something.
 */
async function momentToKill(service: Service, random: () => number): Promise<undefined> {
  const afterRequest = random() < 0.5;
  await Bun.sleep(runMs.min + random() * (runMs.max - runMs.min));
  if (!afterRequest) return;
  await service.nextRequest();
  await Bun.sleep(random() * afterRequestMs);
}

/** Looks at what a run left. */
async function look(state: State): Promise<void> {
  const { service, ledger, newcomers, forgiven } = state;
  const found = await examine(service.dataDir, state.found.newestHash);
  state.found = found;
  note(state, [
    ...found.faults,
    ...ledger.settle(found.facts),
    ...mailFaults(found.mails, state.office),
    ...newcomers.flatMap((one) => postingFaults(found.mails, one)),
    ...state.events.faults,
  ]);
  for (const { messageId } of found.mails.filter(({ isInFlight }) => isInFlight))
    forgiven.set(messageId, (forgiven.get(messageId) ?? 0) + 1);
}

function mailFaults(mails: readonly PostedMail[], { taken }: PostOffice): readonly string[] {
  const known = new Set(mails.map(({ messageId }) => messageId));
  const inFlight = mails.filter(({ isInFlight }) => isInFlight).length;
  const those = (what: string, wrong: (mail: PostedMail) => boolean) =>
    mails.filter(wrong).map(({ messageId }) => `a mail that ${what}: ${messageId}`);
  return [
    ...those(
      "counts as sent never came",
      ({ state, messageId }) => state === "sent" && !taken.has(messageId),
    ),
    ...those(
      "came counts as never tried",
      ({ attempts, messageId }) => attempts === 0 && taken.has(messageId),
    ),
    ...those(
      "was not taken at once, although the server takes all",
      ({ state, reply }) => state === "failed" || (state === "waiting" && reply !== null),
    ),
    ...[...taken.keys()].filter((id) => !known.has(id)).map((id) => `a mail that was never posted: ${id}`),
    ...(inFlight > parallelSends ? [`${inFlight} mails were on their way at once`] : []),
  ];
}

function postingFaults(mails: readonly PostedMail[], { mail, posted }: Newcomer): readonly string[] {
  const own = mails.filter(({ recipient }) => recipient === mail);
  return Object.entries(posted).flatMap(([template, { asked, answered }]) => {
    const count = own.filter((one) => one.template === template).length;
    if (count >= answered && count <= asked) return [];
    return [`${mail}: ${count} mails of ${template}, not ${answered} to ${asked}`];
  });
}

/**
 * Starts the service and looks at what was promised since the last time, before anything else is asked of it.
 */
async function startAndCheck(state: State): Promise<Run> {
  const run = await state.service.start();
  state.slowestReadyMs = Math.max(state.slowestReadyMs, run.readyMs);
  passMinute(state);
  for (const one of state.newcomers.filter(({ changed }) => changed)) {
    note(state, await signInFaults(run, state.found.facts, one));
    one.changed = false;
  }
  return run;
}

/**
 * Mails that were on their way when the service was killed are tried again a minute later; the test does not
 * wait so long. No sender of the new run can have taken them yet.
 */
function passMinute({ service, found }: State): void {
  using database = new Database(join(service.dataDir, "cloakroom.db"));
  database.run("PRAGMA busy_timeout = 5000");
  for (const { id } of found.mails.filter(({ isInFlight }) => isInFlight))
    database.run("UPDATE outbox SET due_at = created_at WHERE id = ?", [id]);
}

/** What is wrong with how a newcomer can sign in and whom they find, by what the data folder holds. */
async function signInFaults(
  run: Run,
  facts: ReadonlySet<string>,
  { mail, password, pendingPassword, posted }: Newcomer,
): Promise<readonly string[]> {
  const tried = [password, ...(pendingPassword === null ? [] : [pendingPassword])];
  const answers = [];
  for (const one of tried) answers.push(await run.ask(signInRequest(mail, one)));
  const statuses = answers.map(({ status }) => status).join();
  if (!facts.has(confirmedFact(mail))) {
    // Where a registration was kept unanswered and came again, there is no password until the code's is
    // chosen.
    const allowed = posted.confirm.asked > 1 ? ["401", "403"] : ["403"];
    return allowed.includes(statuses) ? [] : [`${mail} is not confirmed and is answered with ${statuses}`];
  }
  const [accepted, another] = answers.filter(({ status }) => status === 200);
  if (accepted === undefined || another !== undefined)
    return [`${mail}: not one of ${tried.length} passwords works, but ${statuses}`];
  const home = await run.ask({ line: "GET /api/home", token: String(accepted.data["jwt"]) });
  const name = String(home.data["Username"]);
  return facts.has(nameFact(mail, name)) ? [] : [`${mail} is called ${name} by the service alone`];
}

/** Lets the service send what is left and stop, twice, and asks it for everything that was ever promised. */
async function endWell(state: State): Promise<void> {
  const { office, newcomers } = state;
  for (const one of newcomers) one.changed = true;
  await stopCleanly(state);
  const run = await startAndCheck(state);
  for (const one of newcomers) note(state, await pastFaults(run, one));
  await stopCleanly(state);
  const unsent = state.found.mails.filter(({ state: mailState }) => mailState !== "sent");
  const tooOften = [...office.taken].filter(([id, times]) => times > 1 + (state.forgiven.get(id) ?? 0));
  note(state, [
    ...unsent.map(({ messageId }) => `a mail is still not sent: ${messageId}`),
    ...tooOften.map(([id, times]) => `a mail came ${times} times: ${id}`),
  ]);
}

async function stopCleanly(state: State): Promise<void> {
  await mailsLeft(state.service);
  await state.events.untilAll(state.service.dataDir);
  if ((await state.service.stop()) !== 0) note(state, ["it does not stop cleanly"]);
  await look(state);
}

/** Waits until no mail is left to send. */
async function mailsLeft({ dataDir }: Service): Promise<void> {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  const waiting = database.query("SELECT 1 FROM outbox WHERE state = 'waiting' LIMIT 1");
  while (waiting.get() !== null) await Bun.sleep(50);
}

/** What worked once and must not work any more. */
async function pastFaults(
  run: Run,
  { mail, formerPasswords, usedCodes }: Newcomer,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const password of formerPasswords) {
    const { status } = await run.ask(signInRequest(mail, password));
    if (status !== 401) faults.push(`${mail}: a former password is answered with ${status}`);
  }
  for (const { page, code } of usedCodes) {
    const line = page === "confirm" ? "POST /api/auth/confirm" : "POST /api/auth/forgetpass/update";
    const { status } = await run.ask({ line, json: { code, password: "never to be set" } });
    if (status !== 400) faults.push(`${mail}: a used code of ${page} is answered with ${status}`);
  }
  return faults;
}

function note(state: State, faults: readonly string[]): void {
  state.faults.push(...faults.map((fault) => `after ${state.kills} kills: ${fault}`));
}

function reportOf({ faults, service, kills, newcomers, ledger, ...state }: State): Report {
  return {
    faults,
    complaints: service.complaints(),
    kills,
    newcomers: newcomers.length,
    ...ledger.counts(),
    ...state.events.counts(),
    mails: state.found.mails.length,
    inFlight: [...state.forgiven.values()].reduce((sum, times) => sum + times, 0),
    twice: [...state.office.taken.values()].filter((times) => times > 1).length,
    slowestReadyMs: Math.round(state.slowestReadyMs),
  };
}
