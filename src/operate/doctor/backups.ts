import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backupTime, isComplete, sortBackups } from "../../domain/backup/retention.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { requirePlainFile } from "../../kernel/plain-files.ts";
import { looksLikeArchive } from "../archive-place.ts";
import { openBackupTarget } from "../backup.ts";
import { bucketService, certificateRefusal } from "./certificate-refusals.ts";
import { reasonOf, type Subject } from "./finding.ts";

/** Whether scheduled backups are made. */
export async function* checkBackups(subject: Subject, signal: AbortSignal): AsyncIterable<CodedFinding> {
  const { schedule, bucket, dir } = subject.config.backup;
  if (schedule === null) {
    yield found("backups_off");
    return;
  }
  const fault = await folderFault(dir);
  if (fault !== null) yield found("backup_folder_unusable", { folder: dir, reason: fault });
  if (fault !== null && bucket === null) return;
  try {
    // Bun's client for buckets takes no signal, so it is used only if the service answers.
    if (bucket !== null) {
      await fetch(bucketService(bucket).by, { method: "HEAD", signal, redirect: "manual" });
    }
    yield* checkTarget(subject, schedule);
  } catch (cause) {
    const refused = bucket === null ? null : certificateRefusal(cause, bucketService(bucket));
    yield refused ?? found("backups_unreadable", { reason: reasonOf(cause) });
  }
}

/**
 * Why no backup can be made in the folder, or why the folder cannot be created. Backups for a bucket are made
 * there, too.
 */
async function folderFault(dir: string): Promise<string | null> {
  let place = dir;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  if (!(await stat(place)).isDirectory()) return `${place} is no folder`;
  return access(place, constants.W_OK | constants.X_OK).then(() => null, reasonOf);
}

async function* checkTarget({ config, now }: Subject, schedule: string): AsyncIterable<CodedFinding> {
  const { bucket, dir } = config.backup;
  const place = bucket === null ? dir : `the bucket ${bucket.bucket}`;
  const { made, fromFuture } = sortBackups(await openBackupTarget(config.backup).list(), now);
  for (const name of fromFuture) yield found("backup_from_future", { name });
  const newest = made.at(-1);
  const newestAt = newest === undefined ? null : backupTime(newest);
  if (newest === undefined || newestAt === null) {
    yield found("backups_none", { place });
    return;
  }
  const hours = Math.max(0, Math.floor((now - newestAt) / 3600));
  const kept = { count: made.length, place, hours };
  yield found(isLate(schedule, newestAt, now) ? "backups_late" : "backups_current", kept);
  if (!isComplete(newest)) yield found("backup_incomplete", { name: newest });
  if (bucket === null) yield* checkContent(dir, newest);
}

/** Looks at the file's first bytes. A restore looks at all of it. */
async function* checkContent(dir: string, name: string): AsyncIterable<CodedFinding> {
  const path = join(dir, name);
  try {
    requirePlainFile(path, await stat(path));
  } catch (cause) {
    yield found("backup_unreadable", { reason: reasonOf(cause) });
    return;
  }
  if (await looksLikeArchive(path)) return;
  yield found("backup_foreign", { name, empty: Bun.file(path).size === 0 });
}

/** Whether the two backups that should follow the newest are missing. */
function isLate(schedule: string, newest: number, now: number): boolean {
  const next = Bun.cron.parse(schedule, newest * 1000);
  const second = next === null ? null : Bun.cron.parse(schedule, next);
  return second !== null && second.getTime() < now * 1000;
}
