import type { ServerHost } from "../../../kernel/server-address.ts";
import { StatementFault } from "./faults.ts";
import type { Row } from "../../sql/sender.ts";

/** What a server says of itself: whether it takes writes, and how its data came about. */
export type Standing = {
  /** It follows another server. */
  readonly isStandby: boolean;
  /** Its transactions may only read, because it is a standby or `default_transaction_read_only` is on. */
  readonly isReadOnly: boolean;
  /** Null for a standby, and for an engine that does not say. */
  readonly history: History | null;
};

/**
 * Each promotion begins a timeline with a higher number
 * (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES).
 */
export type History = {
  /** What `initdb` made up: copies of one cluster have the same, and only their timelines can be compared. */
  readonly system: string;
  readonly timeline: number;
  /** By this two addresses of one server are known. */
  readonly startedAt: string;
};

/** Of a server that is used whatever it is. */
export const anyStanding: Standing = { isStandby: false, isReadOnly: false, history: null };

const plain = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')";
// Every role may ask this. The control file would show a new timeline only after the next checkpoint.
const whole = `
  SELECT pg_is_in_recovery(), current_setting('transaction_read_only'),
    (SELECT system_identifier::text FROM pg_control_system()),
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END,
    extract(epoch FROM pg_postmaster_start_time())::text`;

/** What each host is asked, once it is known: other engines would log a failure each time. */
const questions = new WeakMap<ServerHost, typeof whole | typeof plain>();

/** No such function, no right to it, or it does nothing there: the same the next time. */
const lastingStates = new Set(["42883", "42501", "0A000"]);

type Ask = (text: string) => Promise<readonly Row[]>;

/**
 * Asks a server what it is. Engines that only speak PostgreSQL's protocol are asked for what all of them
 * know: some have no such functions, and in others each server takes writes.
 */
export async function readStanding(host: ServerHost, ask: Ask): Promise<Standing> {
  const question = questions.get(host) ?? (await chooseQuestion(host, ask));
  try {
    return standingOf(await ask(question));
  } catch (error) {
    if (question === plain || !(error instanceof StatementFault) || error.kind !== "other") throw error;
    if (lastingStates.has(error.sqlState ?? "")) questions.set(host, plain);
    return standingOf(await ask(plain));
  }
}

async function chooseQuestion(host: ServerHost, ask: Ask): Promise<string> {
  const [row] = await ask("SELECT version()");
  const question = isPostgres(String(row?.[0])) ? whole : plain;
  questions.set(host, question);
  return question;
}

/** YugabyteDB begins as PostgreSQL does: `PostgreSQL 11.2-YB-2.20…`. */
function isPostgres(version: string): boolean {
  return version.startsWith("PostgreSQL ") && !/-YB-/i.test(version);
}

function standingOf([row]: readonly Row[]): Standing {
  const [isInRecovery, readOnly, system = null, timeline = null, startedAt = null] = row ?? [];
  const isStandby = isInRecovery !== false;
  const isKnown = !isStandby && typeof system === "string" && typeof timeline === "string";
  return {
    isStandby,
    isReadOnly: isStandby || readOnly === "on",
    history: isKnown
      ? { system, timeline: Number.parseInt(timeline, 16), startedAt: String(startedAt) }
      : null,
  };
}

/** Whether the first was promoted after what the other one still is. */
export function isNewer(one: Standing, other: Standing): boolean {
  const [own, others] = [one.history, other.history];
  return own !== null && others !== null && own.system === others.system && own.timeline > others.timeline;
}

/**
 * Whether the data goes on: the same cluster on the same timeline, as far as the server says. One that says
 * nothing may be busy.
 */
export function isSameHistory(one: Standing, other: Standing): boolean {
  const [own, others] = [one.history, other.history];
  if (own === null || others === null) return true;
  return own.system === others.system && own.timeline === others.timeline;
}

/** Whether two addresses lead to one server, as far as it says. */
export function isSameServer(one: Standing, other: Standing): boolean {
  return isSameHistory(one, other) && one.history?.startedAt === other.history?.startedAt;
}
