import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backupTime, isComplete, sortBackups } from "../../domain/backup/retention.ts";
import { requirePlainFile } from "../../kernel/plain-files.ts";
import { openBackupTarget, zstdMagic } from "../backup.ts";
import type { BucketSetting } from "../../boot/config/backup-settings.ts";
import type { Config } from "../../boot/config.ts";
import { ok, problem, reasonOf, warning, type Finding } from "./finding.ts";

/** Whether scheduled backups are made. */
export async function checkBackups(
  config: Config,
  now: number,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { schedule, bucket, dir } = config.backup;
  if (schedule === null) return [ok("none are scheduled")];
  const unusable = await aboutFolder(dir);
  if (unusable.length > 0 && bucket === null) return unusable;
  return [...unusable, ...(await aboutShelf(config, schedule, now, signal))];
}

/** Whether one can be made there, or the folder itself. Those for a bucket are made there, too. */
async function aboutFolder(dir: string): Promise<readonly Finding[]> {
  let place = dir;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  const isFolder = (await stat(place)).isDirectory();
  const fault = isFolder
    ? await access(place, constants.W_OK | constants.X_OK).then(() => null, reasonOf)
    : `${place} is no folder`;
  if (fault === null) return [];
  return [
    problem(
      `BACKUP_DIR ${dir} cannot be used: ${fault}`,
      "give it to the server's user, or set BACKUP_DIR to a folder that it may write",
    ),
  ];
}

async function aboutShelf(
  config: Config,
  schedule: string,
  now: number,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { bucket, dir } = config.backup;
  const place = bucket === null ? dir : `the bucket ${bucket.bucket}`;
  try {
    // Bun's client for buckets knows no signal, so it is asked only where somebody answers.
    if (bucket !== null) await fetch(addressOf(bucket), { method: "HEAD", signal, redirect: "manual" });
    const { made, fromFuture } = sortBackups(await openBackupTarget(config).list(), now);
    return [
      ...fromFuture.map((name) =>
        problem(`${name} is from the future`, "set the clock, remove or rename it"),
      ),
      aboutNewest(made, { place, schedule, now }),
      ...made
        .slice(-1)
        .filter((name) => !isComplete(name))
        .map(aboutIncomplete),
      ...(bucket === null ? await aboutContent(dir, made.at(-1)) : []),
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

/** A cheap look at one in a folder: whether it begins as an archive does. A restore looks at all of it. */
async function aboutContent(dir: string, name: string | undefined): Promise<readonly Finding[]> {
  if (name === undefined) return [];
  const path = join(dir, name);
  try {
    requirePlainFile(path, await stat(path));
  } catch (cause) {
    return [problem(reasonOf(cause), "move it away; cloakroom backup makes one now")];
  }
  const file = Bun.file(path);
  if (zstdMagic.equals(await file.slice(0, zstdMagic.length).bytes())) return [];
  const message = `${name} is no backup${file.size === 0 ? ": it is empty" : ""}`;
  return [problem(message, "remove it; cloakroom backup makes one now")];
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
