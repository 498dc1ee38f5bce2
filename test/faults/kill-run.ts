/* Members live their lives while the service is killed again and again. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { examine, type Posted } from "./examine.ts";
import { live, operationsOfLife, stranger, type Promised } from "./life.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { randomFrom } from "./random.ts";
import { openService, type Run, type Service } from "./service.ts";

export type Plan = {
  /** The program: from source or compiled. */
  readonly command: readonly string[];
  readonly lives: number;
  /** Lives that go on at once. */
  readonly parallel: number;
  readonly seed: number;
};

export type Report = {
  /** What did not hold, with the number of kills before it was found. Nothing, one hopes. */
  readonly faults: readonly string[];
  readonly complaints: string;
  readonly operations: number;
  readonly kills: number;
  readonly mails: number;
  /** Mails that were on their way when the service was killed, and those of them that came more than once. */
  readonly inFlight: number;
  readonly twice: number;
  readonly slowestReadyMs: number;
};

/** A run lives this long from when it is ready: short enough to die in the middle of many things. */
const runMs = { min: 150, max: 1000 } as const;
/** What needs no password hash is done in this time. */
const afterRequestMs = 6;
/** What `jobs/mail-outbox.ts` has on its way at once: no kill can make more mails come twice. */
const parallelSends = 4;
/** With more the lives hang, probably because a mail is lost. */
const killsMax = 400;

export async function killAgainAndAgain({ command, lives, parallel, seed }: Plan): Promise<Report> {
  const random = randomFrom(seed);
  await using office = await openPostOffice(random);
  await using service = await openService(command, office.port);
  const members = Array.from({ length: lives }, (_, number) => stranger(number));
  const state: State = {
    office,
    service,
    members,
    faults: [],
    forgiven: new Map(),
    inFlight: [],
    kills: 0,
    slowestReadyMs: 0,
  };

  const over = new AbortController();
  const allLives = liveAll(state, parallel).finally(() => over.abort());
  // Awaited below; a life that fails while the service is down must not end the process before.
  allLives.catch(() => undefined);
  while (!over.signal.aborted && state.faults.length === 0) {
    if (state.kills === killsMax)
      throw new Error(`Members wait after ${killsMax} kills: ${unfinished(members)}`);
    service.openToAll(await startAndCheck(state));
    await Promise.race([allLives, momentToKill(service, random)]);
    await killAndExamine(state);
  }
  // Who was wronged may wait for ever.
  if (state.faults.length > 0) return reportOf(state, []);
  await allLives;
  return reportOf(state, await endWell(state));
}

type State = {
  readonly office: PostOffice;
  readonly service: Service;
  readonly members: readonly Promised[];
  readonly faults: string[];
  /** How often each mail was on its way when the service was killed: so often it may have come in vain. */
  readonly forgiven: Map<string, number>;
  /** Mails that were on their way at the last kill. */
  inFlight: readonly Posted[];
  kills: number;
  slowestReadyMs: number;
};

async function liveAll(world: State, parallel: number): Promise<void> {
  const waiting = world.members.entries();
  const liveOn = async () => {
    for (const [number, member] of waiting) await live(world, member, number);
  };
  await Promise.all(Array.from({ length: parallel }, liveOn));
}

/** Half of the moments follow from nothing, half come just after a request: there most is in the middle of something. */
async function momentToKill(service: Service, random: () => number): Promise<void> {
  const afterRequest = random() < 0.5;
  await Bun.sleep(runMs.min + random() * (runMs.max - runMs.min));
  if (!afterRequest) return;
  await service.nextRequest();
  await Bun.sleep(random() * afterRequestMs);
}

async function killAndExamine(state: State): Promise<void> {
  const { service, members, office } = state;
  await service.kill();
  state.kills += 1;
  const { faults, mails } = await examine(service.dataDir, members, office);
  note(state, faults);
  state.inFlight = mails.filter((mail) => mail.inFlight);
  if (state.inFlight.length > parallelSends)
    note(state, [`${state.inFlight.length} mails were on their way at once`]);
  for (const { messageId } of state.inFlight) {
    state.forgiven.set(messageId, (state.forgiven.get(messageId) ?? 0) + 1);
  }
}

/** Starts the service and looks at what was promised since the last time, before anything else is asked of it. */
async function startAndCheck(state: State): Promise<Run> {
  const run = await state.service.start();
  state.slowestReadyMs = Math.max(state.slowestReadyMs, run.readyMs);
  passMinute(join(state.service.dataDir, "cloakroom.db"), state.inFlight);
  const changed = state.members.filter((member) => member.changed);
  for (const member of changed) {
    note(state, await signInFaults(run, member));
    member.changed = false;
  }
  return run;
}

/**
 * Mails that were on their way when the service was killed are tried again a minute later; the test does not wait so
 * long. No sender of the new run can have taken them yet.
 */
function passMinute(path: string, mails: readonly Posted[]): void {
  using database = new Database(path);
  database.run("PRAGMA busy_timeout = 5000");
  for (const { id } of mails) database.run("UPDATE outbox SET due_at = created_at WHERE id = ?", [id]);
}

/** What is wrong with how a member can sign in and what they find. */
async function signInFaults(run: Run, member: Promised): Promise<readonly string[]> {
  const { mail, stage, password, pendingPassword, name, pendingName } = member;
  const tried = [password, ...(pendingPassword === null ? [] : [pendingPassword])];
  const answers = [];
  for (const one of tried) answers.push(await run.ask(signInRequest(mail, one)));
  const accepted = answers.filter(({ status }) => status === 200);
  if (stage === "registered" && answers[0]?.status === 403) return [];
  if (accepted.length !== 1) return [`${mail}: ${accepted.length} of ${tried.length} passwords work`];
  const home = await run.ask({ line: "GET /api/home", token: String(accepted[0]?.data["jwt"]) });
  const names = [name, pendingName];
  const found = home.data["Username"];
  return names.some((one) => one === found)
    ? []
    : [`${mail} is called ${String(found)}, not ${names.join(" or ")}`];
}

function signInRequest(username: string, password: string) {
  return { line: "POST /api/auth/login", json: { username, password } };
}

/** Lets the service send what is left, and asks it for everything that was ever promised. */
async function endWell(state: State): Promise<readonly Posted[]> {
  const { service, office, members } = state;
  for (const member of members) member.changed = true;
  const run = await startAndCheck(state);
  for (const member of members) note(state, await pastFaults(run, member));
  const posted = (await examine(service.dataDir, members, office)).mails;
  await office.hasAll(posted.map(({ messageId }) => messageId));
  // One that had arrived when the service was killed is sent once more: its row tells when, not the office.
  const isLeft = async () => (await examine(service.dataDir, members, office)).mails.some(isWaiting);
  while (await isLeft()) await Bun.sleep(50);
  if ((await service.stop()) !== 0) note(state, ["it does not stop cleanly"]);

  const { faults, mails } = await examine(service.dataDir, members, office);
  note(state, faults);
  const unsent = mails.filter(({ state: mailState }) => mailState !== "sent");
  note(
    state,
    unsent.map(({ messageId }) => `a mail is still not sent: ${messageId}`),
  );
  const tooOften = [...office.taken].filter(([id, times]) => times > 1 + (state.forgiven.get(id) ?? 0));
  note(
    state,
    tooOften.map(([id, times]) => `a mail came ${times} times: ${id}`),
  );
  return mails;
}

/** What worked once and must not work any more. */
async function pastFaults(run: Run, member: Promised): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const password of member.formerPasswords) {
    const { status } = await run.ask(signInRequest(member.mail, password));
    if (status !== 401) faults.push(`${member.mail}: a former password is answered with ${status}`);
  }
  for (const { page, code } of member.usedCodes) {
    const line = page === "confirm" ? "POST /api/auth/confirm" : "POST /api/auth/forgetpass/update";
    const { status } = await run.ask({ line, json: { code, password: "never to be set" } });
    if (status !== 400) faults.push(`${member.mail}: a used code of ${page} is answered with ${status}`);
  }
  return faults;
}

function note(state: State, faults: readonly string[]): void {
  state.faults.push(...faults.map((fault) => `after ${state.kills} kills: ${fault}`));
}

function unfinished(members: readonly Promised[]): string {
  const waiting = members.filter(({ operations }) => operations < operationsOfLife);
  return waiting.map(({ mail, operations }) => `${mail} after ${operations} operations`).join(", ");
}

function reportOf({ members, office, ...state }: State, mails: readonly Posted[]): Report {
  return {
    faults: state.faults,
    complaints: state.service.complaints(),
    operations: members.reduce((sum, { operations }) => sum + operations, 0),
    kills: state.kills,
    mails: mails.length,
    inFlight: [...state.forgiven.values()].reduce((sum, times) => sum + times, 0),
    twice: [...office.taken.values()].filter((times) => times > 1).length,
    slowestReadyMs: Math.round(state.slowestReadyMs),
  };
}

function isWaiting({ state }: Posted): boolean {
  return state === "waiting";
}
