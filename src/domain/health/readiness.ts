import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/log.ts";
import { singleFlight } from "../../kernel/single-flight.ts";
import { within } from "../../kernel/within.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { StorageProbe } from "../ports/storage-probe.ts";
import type { Reads } from "../ports/stores.ts";

/** The parts that the service needs, each true when it works. */
export type WorkingParts = {
  /** A row can be written. */
  readonly database: boolean;
  /** The disks of the data folder and of the textures have enough free space. */
  readonly disk: boolean;
  /** A texture can be written. */
  readonly textures: boolean;
  /** Personal mails leave in time. A failing mail server does not make the service unready: mails wait. */
  readonly outbox: boolean;
};

/** What a look found. */
export type Readiness = {
  readonly parts: WorkingParts;
  /**
   * The failing parts, in the order of `neededParts`, and `stopping` after the signal to stop. Empty: it is
   * ready.
   */
  readonly missing: readonly (NeededPart | "stopping")[];
};

type Deps = {
  readonly storage: StorageProbe;
  readonly blobs: Pick<BlobStore, "probe">;
  readonly looks: Pick<Reads, "outbox">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts when the server has the signal to stop. */
  readonly stopping: AbortSignal;
};

/** The parts without which requests should not be sent here; textures only where they are on this machine. */
export const neededParts = ["database", "disk", "textures"] as const;

type NeededPart = (typeof neededParts)[number];

/**
 * Makes the readiness check. Anyone may call it at any rate: it looks at most once a second
 * (`limits.readinessSeconds`), for all concurrent callers together. A look that takes long, because much
 * waits for the database or a disk for example, is not waited for: the answer is then what the last look
 * found, unless that is too old (`limits.readinessKnownSeconds`). Logs when a part fails, with the reason,
 * and when it works again. The signal to stop shows at once, without a look.
 */
export function createReadiness(deps: Deps): () => Promise<Readiness> {
  const probes = probesOf(deps);
  const needed = neededParts.filter((part) => part !== "textures" || !deps.storage.texturesAreRemote);
  let known = allWell;
  /** When the look began that found it, … */
  let knownAt = Number.NEGATIVE_INFINITY;
  /** … and the last one. */
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  const look = async (at: number): Promise<void> => {
    known = await check(probes, deps.log, known);
    knownAt = at;
  };
  const failing = () => needed.filter((part) => !known[part]);

  return async () => {
    if (deps.stopping.aborted) return { parts: known, missing: [...failing(), "stopping"] };
    const at = deps.clock.steadySeconds();
    if (looking === null && at - lookedAt >= limits.readinessSeconds) {
      lookedAt = at;
      looking = look(at).finally(() => (looking = null));
    }
    if (looking !== null) await (at - knownAt < limits.readinessKnownSeconds ? endOrSoon(looking) : looking);
    return { parts: known, missing: failing() };
  };
}

/** Resolves when the look has ended, or at the latest before a balancer gives up. */
function endOrSoon(look: Promise<void>): Promise<void> {
  return within(limits.readinessWaitMs, look, () => undefined);
}

const parts = [...neededParts, "outbox"] as const;
const allWell: WorkingParts = { database: true, disk: true, textures: true, outbox: true };

/** A failing part: the log line, and the reason beside it. */
type Fault = { readonly words: string; readonly reason: unknown };
type Probes = Readonly<Record<keyof WorkingParts, () => Promise<Fault | null>>>;

const remedies: Readonly<Record<keyof WorkingParts, string>> = {
  database: "the database cannot be written, so only reads are served; cloakroom doctor says what to do",
  disk: "the free space of the data folder's disk cannot be read",
  textures: "textures cannot be written, so uploads fail; cloakroom doctor says what to do",
  outbox: "mails do not leave; see cloakroom mail list",
};

const databaseGone =
  "the database file is gone or was replaced, and writes are lost: put it back, or stop and restore a backup";

/** On another machine: reads need it, too. */
const databaseAway =
  "the database cannot be used, so all that is not remembered is answered with 503; cloakroom doctor says what to do";

/** Each probe resolves to null when its part works. An error that it throws is a fault as well. */
function probesOf(deps: Deps): Probes {
  const { storage, blobs } = deps;
  const space = singleFlight(() => storage.freeSpace(), limits.probeSeconds, "the disks did not answer");
  const mails = singleFlight(() => tooOldMail(deps), limits.probeSeconds, "the outbox was not read");
  const write = singleFlight(() => blobs.probe(), limits.probeSeconds, "nothing could be written");
  return {
    database: () => storage.write().then(() => null, aboutDatabase),
    disk: async () => {
      const [least] = (await space()).toSorted((one, other) => one.bytes - other.bytes);
      if (least === undefined || least.bytes >= limits.diskBytesFreeMin) return null;
      const words = `the disk of the ${least.folder === "data" ? "data folder" : "textures"} is nearly full`;
      return { words, reason: `${least.bytes} bytes are free` };
    },
    textures: async () => (await write(), null),
    outbox: mails,
  };
}

const databaseDamaged =
  "the database's files are damaged, so what is on a damaged page cannot be read; cloakroom doctor says what to do";

function aboutDatabase(reason: unknown): Fault {
  const code = reason instanceof AppError ? reason.kind : null;
  if (code === "not_found") return { words: databaseGone, reason };
  if (code === "internal") return { words: databaseDamaged, reason };
  return { words: code === "unavailable" ? databaseAway : remedies.database, reason };
}

async function tooOldMail({ looks, clock }: Deps): Promise<Fault | null> {
  const { oldestAt } = await looks.outbox.queue("personal");
  const seconds = oldestAt === null ? 0 : clock.nowSeconds() - oldestAt;
  if (seconds <= limits.mailWaitSecondsMax) return null;
  return { words: remedies.outbox, reason: `the oldest has waited for ${seconds} seconds` };
}

/** The message of an expected failure is enough. */
function textOf(reason: unknown): unknown {
  return reason instanceof AppError && reason.report === null ? reason.message : reason;
}

async function check(probes: Probes, log: Logger, last: WorkingParts): Promise<WorkingParts> {
  const found = { ...allWell };
  await Promise.all(
    parts.map(async (part) => {
      const fault = await probes[part]().catch((reason: unknown) => ({ words: remedies[part], reason }));
      found[part] = fault === null;
      if (found[part] === last[part]) return;
      if (fault === null) log.info("is well again", { part });
      else log.warn(fault.words, { part, reason: textOf(fault.reason) });
    }),
  );
  return found;
}
