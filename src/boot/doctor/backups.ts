import { backupTime, isWhole, sortBackups } from "../../domain/backup/shelf.ts";
import { openShelf } from "../backup.ts";
import type { BucketSetting } from "../config/backup-settings.ts";
import type { Config } from "../config.ts";
import { ok, problem, reasonOf, warning, type Finding } from "./finding.ts";

/** Whether scheduled backups are made. */
export async function checkBackups(
  config: Config,
  now: number,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { schedule, bucket, dir } = config.backup;
  if (schedule === null) return [ok("none are scheduled")];
  const place = bucket === null ? dir : `the bucket ${bucket.bucket}`;
  try {
    // Bun's client for buckets knows no signal, so it is asked only where somebody answers.
    if (bucket !== null) await fetch(addressOf(bucket), { method: "HEAD", signal, redirect: "manual" });
    const { made, fromFuture } = sortBackups(await openShelf(config).list(), now);
    return [
      ...fromFuture.map((name) =>
        problem(`${name} is from the future`, "set the clock, remove or rename it"),
      ),
      aboutNewest(made, { place, schedule, now }),
      ...made
        .slice(-1)
        .filter((name) => !isWhole(name))
        .map(aboutIncomplete),
    ];
  } catch (cause) {
    return [problem(reasonOf(cause), "check the S3_ settings, or who may read BACKUP_DIR")];
  }
}

function aboutNewest(
  made: readonly string[],
  { place, schedule, now }: Readonly<{ place: string; schedule: string; now: number }>,
): Finding {
  const newest = backupTime(made.at(-1) ?? "");
  if (newest === null)
    return warning(`${place} holds none yet`, "cloakroom backup makes one now and shows whether it works");
  const hours = Math.max(0, Math.floor((now - newest) / 3600));
  const message = `${made.length} in ${place}, the newest ${hours} hours old`;
  return isLate(schedule, newest, now)
    ? problem(message, "look for errors in the server's log, or try cloakroom backup")
    : ok(message);
}

function aboutIncomplete(name: string): Finding {
  return warning(`${name} lacks textures that are lost`, "see cloakroom fsck; whole ones stay beside it");
}

function addressOf({ endpoint, region }: BucketSetting): string {
  return endpoint ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`;
}

/** The one after the newest, and the one after that, should have been made. */
function isLate(schedule: string, newest: number, now: number): boolean {
  const next = Bun.cron.parse(schedule, newest * 1000);
  const second = next === null ? null : Bun.cron.parse(schedule, next);
  return second !== null && second.getTime() < now * 1000;
}
