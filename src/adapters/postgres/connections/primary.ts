import { serverHostText, type ServerHost } from "../../../kernel/server-address.ts";
import { refusedAtConnect, settingTriesMax } from "./connection-settings.ts";
import { openClient, standingOf, type ConnectionOptions, type Role } from "./connection.ts";
import {
  connectFault,
  lateFault,
  olderFault,
  readOnlyFault,
  standbyFault,
  StatementFault,
} from "./faults.ts";
import { anyStanding, isNewer, isSameServer, type Standing } from "./standing.ts";
import { newerThan, noteTimeline } from "./timelines.ts";

/** A server of the list, and what it says of itself. */
export type Found = { readonly host: ServerHost; readonly standing: Standing };

/** The server to use. */
export type Choice = Found & {
  /** Others that take writes as well. What is written there is not here. */
  readonly rivals: readonly Found[];
  /** Those of which this is not known: they gave no answer, or said too little. */
  readonly unsure: readonly ServerHost[];
};

type Answer = { readonly host: ServerHost } & (
  { readonly standing: Standing; readonly fault: null } | { readonly standing: null; readonly fault: unknown }
);

/**
 * How long the others may take once one server can be used: `brief` where requests wait, and what they miss
 * is found soon after.
 */
const furtherSeconds = { usual: 1, brief: 0.2 } as const;

/** A process that was stopped, or busy, for so long past a deadline finds answers that came meanwhile … */
const stalledMs = 300;
/** … and reads them for so long. */
const graceMs = 500;

export type Haste = keyof typeof furtherSeconds;

/** What is looked for. */
type Search = {
  readonly role: Role;
  readonly haste?: Haste;
  /** The server in use; null: there is none. */
  readonly used?: Choice | null;
};

/**
 * The server of the list to use. For the role `primary` all are asked, and of several that take writes the
 * one with the highest timeline is used: it was promoted last. A server on a lower one than this node has
 * used is refused, also when no other answers. Where timelines cannot be compared the first of the list is
 * used. Every node decides alike, because the speed of the answers does not count. The server in use stays
 * that while it only takes no more connections, unless a newer one is found. Each may take `connectSeconds`
 * for its answer. Fails with the fault of the last one, which names those of the others as well.
 */
export async function findServer(options: ConnectionOptions, search: Search): Promise<Choice> {
  const { role, used = null } = search;
  const { hosts } = options.address;
  const answers = await askServers(options, search);
  const usable: Found[] = [];
  const faults = answers.map(({ host, standing, fault }) => {
    const reason = standing === null ? fault : faultOf(standing, role);
    if (reason === null && standing !== null) usable.push({ host, standing });
    return reason;
  });
  const [first, ...others] = usable;
  const best = first && others.reduce((one, other) => (isBetter(other, one) ? other : one), first);
  const staysUsed = used !== null && isFull(faults[hosts.indexOf(used.host)]);
  const isReplaced = best !== undefined && used !== null && isNewer(best.standing, used.standing);
  const choice = staysUsed && !isReplaced ? used : best;
  if (choice === undefined) throw faultOfAll(hosts, faults);
  const { host, standing } = choice;
  noteTimeline(standing);
  return { host, standing, ...othersOf(choice, answers) };
}

/** Throws the fault of a server that is not to be used for the role; null where any is. */
export function requirementOf(role: Role): ((standing: Standing) => void) | null {
  if (role === "any") return null;
  return (standing) => {
    const fault = faultOf(standing, role);
    if (fault !== null) throw fault;
    noteTimeline(standing);
  };
}

function faultOf(standing: Standing, role: Role): StatementFault | null {
  if (role === "any") return null;
  if (standing.isStandby) return standbyFault();
  const newer = newerThan(standing);
  if (newer !== null) return olderFault(standing.history?.timeline ?? 0, newer);
  return role === "writes" && standing.isReadOnly ? readOnlyFault() : null;
}

function isBetter(one: Found, other: Found): boolean {
  if (isNewer(one.standing, other.standing)) return true;
  return other.standing.isReadOnly && !one.standing.isReadOnly && !isNewer(other.standing, one.standing);
}

/** Engines that do not say how their data came about may take writes at each of their servers. */
function othersOf(used: Found, answers: readonly Answer[]): Pick<Choice, "rivals" | "unsure"> {
  const rivals: Found[] = [];
  const unsure: ServerHost[] = [];
  for (const { host, standing, fault } of answers) {
    if (host === used.host || standing?.isReadOnly === true) continue;
    if (standing === null) {
      if (isSilent(fault) || isFull(fault)) unsure.push(host);
    } else if (standing.history === null || used.standing.history === null) unsure.push(host);
    else if (!isSameServer(standing, used.standing)) rivals.push({ host, standing });
  }
  return { rivals, unsure };
}

function isSilent(fault: unknown): boolean {
  return fault instanceof StatementFault && fault.kind === "late";
}

/**
 * What each server of the list says, in its order. A brief look ends once the one in use takes writes as
 * before.
 */
async function askServers(
  options: ConnectionOptions,
  { role, haste = "usual", used = null }: Search,
): Promise<readonly Answer[]> {
  const deadline = createDeadline();
  // A connection may open and then not answer.
  deadline.set(options.connectSeconds);
  let isFirst = true;
  const asked = options.address.hosts.map(async (host): Promise<Answer> => {
    try {
      const standing = await askServer(host, options, { role, over: deadline.over });
      if (faultOf(standing, role) === null) {
        const isEnough = haste === "brief" && host === used?.host && !standing.isReadOnly;
        if (isEnough) deadline.set(0);
        else if (isFirst) deadline.set(Math.min(furtherSeconds[haste], options.connectSeconds));
        isFirst = false;
      }
      return { host, standing, fault: null };
    } catch (fault) {
      return { host, standing: null, fault };
    }
  });
  const answers = await Promise.all(asked);
  deadline.clear();
  return answers;
}

/** `over` fails once it has passed. */
function createDeadline() {
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => undefined);
  let timer: Timer | undefined;
  const clear = () => clearTimeout(timer);
  return {
    over,
    clear,
    /** In so many seconds, and not when it was set to before. */
    set: (seconds: number): void => {
      clear();
      const due = performance.now() + seconds * 1000;
      const end = () => reject(lateFault(seconds));
      timer = setTimeout(() => {
        if (performance.now() - due > stalledMs) timer = setTimeout(end, graceMs);
        else end();
      }, seconds * 1000);
    },
  };
}

type Question = { readonly role: Role; readonly over: Promise<never> };

/** Asks again without a setting that the server refuses. */
async function askServer(
  host: ServerHost,
  options: ConnectionOptions,
  question: Question,
): Promise<Standing> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(host, options, question);
    } catch (fault) {
      if (tries === settingTriesMax || !refusedAtConnect.leaveOut(options.address, fault)) throw fault;
    }
  }
}

async function askOnce(
  host: ServerHost,
  options: ConnectionOptions,
  { role, over }: Question,
): Promise<Standing> {
  // The driver's own deadline is later: a silent server is given up by ours, in one way.
  const client = openClient(host, { ...options, connectSeconds: options.connectSeconds + 1 }, 1);
  try {
    const answer = role === "any" ? client.connect().then(() => anyStanding) : standingOf(client, host);
    return await Promise.race([answer, over]);
  } catch (error) {
    throw connectFault(error);
  } finally {
    void client.close({ timeout: 0 });
  }
}

/** It answers, and what is connected stays so. */
function isFull(fault: unknown): boolean {
  return fault instanceof StatementFault && fault.kind === "full";
}

/** The last server's fault, or one that says more; of several servers with what each of them said. */
function faultOfAll(hosts: readonly ServerHost[], faults: readonly unknown[]): unknown {
  const last = faults.at(-1);
  if (faults.length < 2 || !(last instanceof StatementFault)) return last;
  const each = hosts.map((host, index) => {
    const fault = faults[index];
    return `${serverHostText(host)}: ${fault instanceof Error ? fault.message.replace(/^PostgreSQL: /, "") : "unknown"}`;
  });
  const known = faults.filter((fault) => fault instanceof StatementFault);
  const full = known.find(isFull);
  const older = known.find(({ kind }) => kind === "older");
  // A connection to one that is full can be opened soon.
  const { kind, sqlState } = full ?? older ?? last;
  // What helps against another one must not be done to a server that was replaced.
  const { remedy } = older ?? full ?? last;
  return new StatementFault(kind, sqlState, each.join("; "), { remedy });
}
