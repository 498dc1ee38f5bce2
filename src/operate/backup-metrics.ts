import { gauge, single, type Metric, type Sample } from "../adapters/prometheus/exposition.ts";
import type { Config } from "../boot/config.ts";
import { backupTime, isComplete, sortBackups } from "../domain/backup/retention.ts";
import type { BackupRecord, FollowedSchedule } from "../domain/backup/backup-record.ts";
import type { Clock } from "../kernel/clock.ts";
import { singleFlight } from "../kernel/single-flight.ts";
import { openBackupTarget } from "./backup.ts";

/** How old the list of backups may be: a bucket's costs money. */
const listSeconds = 300;
/** How long a reading waits for it: less than all of a reading may take. */
const waitSeconds = 4;

type Options = {
  readonly config: Pick<Config, "backup" | "database">;
  readonly record: BackupRecord;
  readonly clock: Clock;
};

type Kind = "complete" | "incomplete";

/** What was found where scheduled backups go. */
type Found = {
  /** Whether the place could be listed. */
  readonly isUp: boolean;
  /** When the newest backup of each kind was made, in Unix seconds; null without one. */
  readonly newest: Readonly<Record<Kind, number | null>>;
};

/**
 * Age and result of scheduled backups, where this process follows the schedule: of several nodes only the
 * leader has values. The age comes from where the backups are, so it outlives a restart, and a backup that
 * another process made counts.
 */
export function backupMetrics({ config, record, clock }: Options): readonly Metric[] {
  const { backup, database } = config;
  const { schedule, bucket } = backup;
  if (schedule === null) return [];
  const find = watchTarget(backup, clock);
  // Backups that a former leader put into a folder are on another machine.
  const seesAll = database === null || bucket !== null;
  const due = (newest: number | null, since: number): number | null => {
    const last = seesAll ? (newest ?? since) : Math.max(newest ?? 0, since);
    const next = Bun.cron.parse(schedule, last * 1000);
    return next === null ? null : next.getTime() / 1000;
  };
  const values = (read: (followed: FollowedSchedule, found: Found) => readonly Sample[]) => async () => {
    const followed = record.read();
    return followed === null ? [] : read(followed, await find(followed));
  };
  return [
    gauge(
      "cloakroom_backup_newest_timestamp_seconds",
      "When the newest backup was made that is where scheduled ones go, by kind.",
      values((_, { newest }) =>
        kinds.flatMap((kind) => single(newest[kind]).map(({ value }) => ({ labels: { kind }, value }))),
      ),
    ),
    gauge(
      "cloakroom_backup_due_timestamp_seconds",
      "When the backup begins that follows the newest one, by BACKUP_SCHEDULE.",
      values(({ since }, { newest }) => single(due(latest(newest), since))),
    ),
    gauge(
      "cloakroom_backup_last_succeeded",
      "Whether the last scheduled backup of this process was made: 1 or 0.",
      () => {
        const { hasSucceeded = null } = record.read() ?? {};
        return single(hasSucceeded === null ? null : Number(hasSucceeded));
      },
    ),
    gauge(
      "cloakroom_backup_target_up",
      "Whether the place where scheduled backups go could be listed: 1 or 0.",
      values((_, { isUp }) => single(Number(isUp))),
    ),
  ];
}

const kinds: readonly Kind[] = ["complete", "incomplete"];

function latest({ complete, incomplete }: Found["newest"]): number | null {
  return complete === null && incomplete === null ? null : Math.max(complete ?? 0, incomplete ?? 0);
}

/**
 * Lists the backups, again after each scheduled one and else every five minutes. Keeps what it found while
 * the place cannot be listed.
 */
function watchTarget(backup: Config["backup"], clock: Clock): (followed: FollowedSchedule) => Promise<Found> {
  const list = singleFlight(
    () => openBackupTarget(backup).list(),
    waitSeconds,
    "the backups were not listed",
  );
  let known: Found = { isUp: false, newest: { complete: null, incomplete: null } };
  let listedAt = Number.NEGATIVE_INFINITY;
  let listedOf = "";
  return async ({ since, ended }) => {
    const at = clock.steadySeconds();
    const of = `${since} ${ended}`;
    if (of === listedOf && at - listedAt < listSeconds) return known;
    const names = await list().catch(() => null);
    known = names === null ? { ...known, isUp: false } : { isUp: true, newest: newestOf(names, clock) };
    listedAt = at;
    listedOf = of;
    return known;
  };
}

function newestOf(names: readonly string[], clock: Clock): Found["newest"] {
  const { made } = sortBackups(names, clock.nowSeconds());
  return {
    complete: backupTime(made.findLast(isComplete) ?? ""),
    incomplete: backupTime(made.findLast((name) => !isComplete(name)) ?? ""),
  };
}
