import type { Clock } from "../../kernel/clock.ts";
import { limits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/log.ts";
import type { StorageProbe } from "../ports.ts";
import type { Reads } from "../stores.ts";

/** What the service needs to do its work, each true when it is as it should be. */
export type Readiness = {
  /** A row can be written. */
  readonly database: boolean;
  /** The data folder has room for what comes next. */
  readonly disk: boolean;
  /** Mails that somebody waits for leave. A mail server that is down makes nobody unready: mails wait. */
  readonly outbox: boolean;
};

type Deps = {
  readonly storage: StorageProbe;
  readonly reads: Pick<Reads, "outbox">;
  readonly clock: Clock;
  readonly log: Logger;
};

/** Whether requests should be sent here. */
export function isReady({ database, disk }: Readiness): boolean {
  return database && disk;
}

/**
 * Makes the check that anybody may ask for at any rate: it writes and looks at most every 5 s (`limits.readinessSeconds`), once
 * for all who ask meanwhile. The log tells when something has become wrong, with the reason, and when it is right again.
 */
export function createReadiness(deps: Deps): () => Promise<Readiness> {
  let last = { at: Number.NEGATIVE_INFINITY, found: Promise.resolve(allWell) };

  return () => {
    const at = deps.clock.steadySeconds();
    if (at - last.at >= limits.readinessSeconds) last = { at, found: check(deps, last.found) };
    return last.found;
  };
}

const allWell: Readiness = { database: true, disk: true, outbox: true };

const remedies: Readonly<Record<keyof Readiness, string>> = {
  database: "the database cannot be written, so only reads are served; cloakroom doctor says what to do",
  disk: "the disk of the data folder is nearly full",
  outbox: "mails do not leave; see cloakroom mail list",
};

async function check(deps: Deps, before: Promise<Readiness>): Promise<Readiness> {
  const reasons: Partial<Record<keyof Readiness, unknown>> = {};
  const failing = async (part: keyof Readiness, find: () => Promise<unknown>): Promise<boolean> => {
    const reason = await find().catch((error: unknown) => error);
    if (reason !== null) reasons[part] = reason;
    return reason === null;
  };
  const [database, disk, outbox] = await Promise.all([
    failing("database", async () => (await deps.storage.write(), null)),
    failing("disk", () => tooFewBytes(deps.storage)),
    failing("outbox", () => tooOldMail(deps)),
  ]);
  const found = { database, disk, outbox };
  tellChanges(deps.log, await before, found, reasons);
  return found;
}

/** What is wrong, null when nothing is. */
async function tooFewBytes(storage: StorageProbe): Promise<string | null> {
  const free = await storage.freeBytes();
  return free === null || free >= limits.diskBytesFreeMin ? null : `${free} bytes are free`;
}

async function tooOldMail({ reads, clock }: Deps): Promise<string | null> {
  const { oldestAt } = await reads.outbox.queue("personal");
  const seconds = oldestAt === null ? 0 : clock.nowSeconds() - oldestAt;
  return seconds <= limits.mailWaitSecondsMax ? null : `the oldest has waited for ${seconds} seconds`;
}

function tellChanges(
  log: Logger,
  before: Readiness,
  found: Readiness,
  reasons: Partial<Record<keyof Readiness, unknown>>,
): void {
  const parts = ["database", "disk", "outbox"] as const;
  for (const part of parts) {
    if (before[part] === found[part]) continue;
    if (found[part]) log.info("is well again", { part });
    else log.warn(remedies[part], { part, reason: reasons[part] });
  }
}
