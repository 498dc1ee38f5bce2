import { limits } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DayCounts } from "../ports/day-store.ts";
import type { FreeSpace, StorageProbe } from "../ports/storage-probe.ts";
import type { Reads } from "../ports/stores.ts";
import { resultOf, type CheckResult } from "./check-result.ts";
import { found } from "./finding.ts";
import type { Readiness, WorkingParts } from "./readiness.ts";

/** How a community is and how its server does, for its staff. */
export type Overview = {
  readonly accounts: { readonly total: number; readonly unconfirmed: number };
  readonly skins: number;
  readonly capes: number;
  /** The last days (`limits.daysShown`), today included, the oldest first, without a gap. */
  readonly days: readonly DayCounts[];
  /** Mails that are not sent. Of those to one person, `limits.countedMax` of each state are counted. */
  readonly mail: { readonly waiting: number; readonly failed: number };
  /** The disk of the data with the least room; null where no disk says how much it has. */
  readonly disk: FreeSpace | null;
  readonly checks: readonly CheckResult[];
};

type Deps = {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly storage: Pick<StorageProbe, "freeSpace">;
  readonly readiness: () => Promise<Readiness>;
  /** What a check of the running server finds, remembered for a while. */
  readonly checks: () => Promise<readonly CheckResult[]>;
};

/**
 * Reads the overview. Staff may; the caller checks that. Everything is counted beforehand: it reads no table
 * from end to end.
 */
export async function readOverview({ reads, clock, storage, readiness, checks }: Deps): Promise<Overview> {
  const { accounts, textures, outbox } = reads;
  const [total, unconfirmed, skins, capes, personal, failed, bulk] = await Promise.all([
    accounts.countMembers(null),
    accounts.countUnconfirmed(),
    textures.countAllSkins(null),
    textures.countAllCapes(null),
    outbox.countUnsent({ states: ["waiting"], bulk: null }),
    outbox.countUnsent({ states: ["failed"], bulk: null }),
    outbox.bulkProgress(),
  ]);
  const [days, spaces, ready, checked] = await Promise.all([
    listShownDays(reads, clock.nowSeconds()),
    // A disk that does not answer is found by the readiness.
    storage.freeSpace().catch(() => []),
    readiness(),
    checks(),
  ]);
  const [disk = null] = spaces.toSorted((one, other) => one.bytes - other.bytes);
  return {
    accounts: { total, unconfirmed },
    skins,
    capes,
    days,
    mail: { waiting: bulk.reduce((sum, { waiting }) => sum + waiting, personal), failed },
    disk,
    checks: [...readinessResults(ready.parts), ...checked],
  };
}

const daySeconds = 24 * 60 * 60;

/** The first day that is shown at a time (Unix seconds), in days since 1970-01-01. */
export function firstDayShown(now: number): number {
  return Math.floor(now / daySeconds) - limits.daysShown + 1;
}

async function listShownDays({ days }: Pick<Reads, "days">, now: number): Promise<readonly DayCounts[]> {
  const first = firstDayShown(now);
  const counted = new Map((await days.listDays(first)).map((counts) => [counts.day, counts]));
  return Array.from({ length: limits.daysShown }, (_, index) => {
    const day = first + index;
    return counted.get(day) ?? { day, registrations: 0, signIns: 0 };
  });
}

/** What the readiness finds of parts that no other check looks at while the server runs. */
const readinessCodes = {
  database: { well: "database_written", bad: "database_unwritable" },
  textures: { well: "textures_written", bad: "textures_unwritable" },
  outbox: { well: "mails_leave", bad: "mails_stuck" },
} as const;

function readinessResults(ready: WorkingParts): readonly CheckResult[] {
  return (["database", "textures", "outbox"] as const).map((name) => {
    const { well, bad } = readinessCodes[name];
    return resultOf(name, found(ready[name] ? well : bad));
  });
}
