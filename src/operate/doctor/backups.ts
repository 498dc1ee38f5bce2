import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backupTime, isComplete, sortBackups } from "../../domain/backup/retention.ts";
import { requirePlainFile } from "../../kernel/plain-files.ts";
import { looksLikeBackup, openBackupTarget } from "../backup.ts";
import { bucketService, certificateRefusal } from "./certificate-refusals.ts";
import { ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

/** Whether scheduled backups are made. */
export async function* checkBackups(subject: Subject, signal: AbortSignal): AsyncIterable<Finding> {
  const { schedule, bucket, dir } = subject.config.backup;
  if (schedule === null) {
    yield ok("no backups are scheduled");
    return;
  }
  const fault = await folderFault(dir);
  if (fault !== null)
    yield problem(
      `BACKUP_DIR ${dir} cannot be used: ${fault}`,
      "give it to the server's user, or set BACKUP_DIR to a folder that it may write",
    );
  if (fault !== null && bucket === null) return;
  try {
    // Bun's client for buckets takes no signal, so it is used only if the service answers.
    if (bucket !== null) {
      await fetch(bucketService(bucket).by, { method: "HEAD", signal, redirect: "manual" });
    }
    yield* checkTarget(subject, schedule);
  } catch (cause) {
    const refused = bucket === null ? null : certificateRefusal(cause, bucketService(bucket));
    yield refused ?? problem(reasonOf(cause), "check the S3_ settings, or which user may read BACKUP_DIR");
  }
}

/** Why no backup can be made in the folder, or why the folder cannot be created. Backups for a bucket are made there, too. */
async function folderFault(dir: string): Promise<string | null> {
  let place = dir;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  if (!(await stat(place)).isDirectory()) return `${place} is no folder`;
  return access(place, constants.W_OK | constants.X_OK).then(() => null, reasonOf);
}

async function* checkTarget({ config, now }: Subject, schedule: string): AsyncIterable<Finding> {
  const { bucket, dir } = config.backup;
  const place = bucket === null ? dir : `the bucket ${bucket.bucket}`;
  const { made, fromFuture } = sortBackups(await openBackupTarget(config.backup).list(), now);
  for (const name of fromFuture)
    yield problem(`${name} is from the future`, "set the clock, remove or rename it");
  const newest = made.at(-1);
  const newestAt = newest === undefined ? null : backupTime(newest);
  if (newest === undefined || newestAt === null) {
    yield warning(`${place} holds none yet`, "cloakroom backup makes one now and shows whether it works");
    return;
  }
  const hours = Math.max(0, Math.floor((now - newestAt) / 3600));
  const message = `${made.length} in ${place}, the newest ${hours} hours old`;
  yield isLate(schedule, newestAt, now)
    ? problem(message, "look for errors in the server's log, or try cloakroom backup")
    : ok(message);
  if (!isComplete(newest))
    yield warning(
      `${newest} lacks textures that are lost`,
      "see cloakroom fsck; complete backups stay beside it",
    );
  if (bucket === null) yield* checkContent(dir, newest);
}

/** Looks at the file's first bytes. A restore looks at all of it. */
async function* checkContent(dir: string, name: string): AsyncIterable<Finding> {
  const path = join(dir, name);
  try {
    requirePlainFile(path, await stat(path));
  } catch (cause) {
    yield problem(reasonOf(cause), "move it away; cloakroom backup makes one now");
    return;
  }
  if (await looksLikeBackup(path)) return;
  const message = `${name} is no backup${Bun.file(path).size === 0 ? ": it is empty" : ""}`;
  yield problem(message, "remove it; cloakroom backup makes one now");
}

/** Whether the two backups that should follow the newest are missing. */
function isLate(schedule: string, newest: number, now: number): boolean {
  const next = Bun.cron.parse(schedule, newest * 1000);
  const second = next === null ? null : Bun.cron.parse(schedule, next);
  return second !== null && second.getTime() < now * 1000;
}
