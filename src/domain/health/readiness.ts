import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/log.ts";
import { singleFlight } from "../../kernel/single-flight.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { StorageProbe } from "../ports/storage-probe.ts";
import type { Reads } from "../ports/stores.ts";

/** What the service needs to do its work, each true when it is as it should be. */
export type Readiness = {
  /** A row can be written. */
  readonly database: boolean;
  /** The data folder, and the textures if they are on a disk of their own, have room for what comes next. */
  readonly disk: boolean;
  /** A texture can be written. */
  readonly textures: boolean;
  /** Mails that somebody waits for leave. A mail server that is down makes nobody unready: mails wait. */
  readonly outbox: boolean;
};

type Deps = {
  readonly storage: StorageProbe;
  readonly blobs: Pick<BlobStore, "stage">;
  readonly reads: Pick<Reads, "outbox">;
  readonly clock: Clock;
  readonly log: Logger;
};

/** The parts without which requests should not be sent here. */
export const neededParts = ["database", "disk", "textures"] as const;

/** Whether requests should be sent here. */
export function isReady(found: Readiness): boolean {
  return neededParts.every((part) => found[part]);
}

/**
 * Makes the check that anybody may ask for at any rate: it writes and looks at most every 5 s (`limits.readinessSeconds`), once
 * for all who ask meanwhile. The log tells when something has become wrong, with the reason, and when it is right again.
 */
export function createReadiness(deps: Deps): () => Promise<Readiness> {
  const looks = looksOf(deps);
  let last = { at: Number.NEGATIVE_INFINITY, found: Promise.resolve(allWell) };

  return () => {
    const at = deps.clock.steadySeconds();
    if (at - last.at >= limits.readinessSeconds) last = { at, found: check(looks, deps.log, last.found) };
    return last.found;
  };
}

const parts = [...neededParts, "outbox"] as const;
const allWell: Readiness = { database: true, disk: true, textures: true, outbox: true };

/** What is wrong: a line of the log, and the reason beside it. */
type Fault = { readonly words: string; readonly reason: unknown };
type Looks = Readonly<Record<keyof Readiness, () => Promise<Fault | null>>>;

const remedies: Readonly<Record<keyof Readiness, string>> = {
  database: "the database cannot be written, so only reads are served; cloakroom doctor says what to do",
  disk: "the disk of the data folder cannot be looked at",
  textures: "textures cannot be written, so uploads fail; cloakroom doctor says what to do",
  outbox: "mails do not leave; see cloakroom mail list",
};

const databaseGone =
  "the database file is gone or was replaced, and writes go nowhere that stays: bring it back, or stop and restore a backup";

/** Each is null when all is well. What throws is a fault as well. */
function looksOf(deps: Deps): Looks {
  const { storage, blobs } = deps;
  const space = singleFlight(() => storage.freeSpace(), limits.probeSeconds, "the disks did not answer");
  const write = singleFlight(() => stageOne(blobs), limits.probeSeconds, "nothing could be written");
  return {
    database: () => storage.write().then(() => null, aboutDatabase),
    disk: async () => {
      const [least] = (await space()).toSorted((one, other) => one.bytes - other.bytes);
      if (least === undefined || least.bytes >= limits.diskBytesFreeMin) return null;
      const words = `the disk of the ${least.folder === "data" ? "data folder" : "textures"} is nearly full`;
      return { words, reason: `${least.bytes} bytes are free` };
    },
    textures: async () => (await write(), null),
    outbox: () => tooOldMail(deps),
  };
}

function aboutDatabase(reason: unknown): Fault {
  const isGone = reason instanceof AppError && reason.code === "not_found";
  return { words: isGone ? databaseGone : remedies.database, reason };
}

/** What an upload does first, and not the rest of it. */
async function stageOne(blobs: Deps["blobs"]): Promise<void> {
  await using _staged = await blobs.stage(new Uint8Array(1));
}

async function tooOldMail({ reads, clock }: Deps): Promise<Fault | null> {
  const { oldestAt } = await reads.outbox.queue("personal");
  const seconds = oldestAt === null ? 0 : clock.nowSeconds() - oldestAt;
  if (seconds <= limits.mailWaitSecondsMax) return null;
  return { words: remedies.outbox, reason: `the oldest has waited for ${seconds} seconds` };
}

async function check(looks: Looks, log: Logger, before: Promise<Readiness>): Promise<Readiness> {
  const look = (part: keyof Readiness): Promise<Fault | null> =>
    looks[part]().catch((reason: unknown) => ({ words: remedies[part], reason }));
  const [database, disk, textures, outbox] = await Promise.all([
    look("database"),
    look("disk"),
    look("textures"),
    look("outbox"),
  ]);
  const faults = { database, disk, textures, outbox };
  const found = {
    database: database === null,
    disk: disk === null,
    textures: textures === null,
    outbox: outbox === null,
  };
  tellChanges(log, await before, faults);
  return found;
}

function tellChanges(
  log: Logger,
  before: Readiness,
  faults: Readonly<Record<keyof Readiness, Fault | null>>,
): void {
  for (const part of parts) {
    const fault = faults[part];
    if (before[part] === (fault === null)) continue;
    if (fault === null) log.info("is well again", { part });
    else log.warn(fault.words, { part, reason: fault.reason });
  }
}
