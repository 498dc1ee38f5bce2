import type { MailTexts } from "../domain/mail/templates.ts";
import { startHousekeeping } from "../jobs/housekeeping.ts";
import { startScheduledBackups } from "../jobs/scheduled-backup.ts";
import type { Logger } from "../kernel/log.ts";
import { removeLeftBackups } from "./backup.ts";
import type { Config } from "../boot/config.ts";
import { startMail } from "../boot/mail.ts";
import { backUpInProcess } from "./scheduled-backup.ts";
import type { Secrets } from "../boot/secrets.ts";
import type { Services } from "../boot/services.ts";

/**
 * As long as requests in flight may take, which end meanwhile. A job that takes longer (behind another process's lock, say)
 * is left behind, and fails when the database is closed.
 */
const stopMs = 10_000;

/**
 * Starts what works in the background of a server, until it is disposed of: then all are told to stop at once. What requests
 * leave behind that end after that waits for the next start, but for the time when a session was last used.
 */
export function startJobs(options: {
  readonly config: Config;
  readonly services: Services;
  readonly secrets: Secrets;
  readonly texts: MailTexts;
  readonly publicUrl: string;
  readonly siteUrl: string;
  readonly log: Logger;
  /** In which another process reads the same settings. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
}): AsyncDisposable {
  const { config, environment, log } = options;
  const tidied = removeLeftBackups(config).catch((error: unknown) =>
    log.warn("what killed backups left was not removed", { error }),
  );
  const jobs = [
    startMail(options),
    startHousekeeping({ ...options.services, log }),
    { [Symbol.asyncDispose]: () => tidied },
  ];
  const { schedule } = config.backup;
  if (schedule !== null) {
    const make = (signal: AbortSignal) => backUpInProcess(environment(), signal);
    jobs.push(startScheduledBackups({ schedule, make, log }));
  }
  const stopping = new AsyncDisposableStack();
  stopping.defer(() => stopAll(jobs));
  return stopping;
}

async function stopAll(jobs: readonly AsyncDisposable[]): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, stopMs);
  await Promise.race([Promise.all(jobs.map((job) => job[Symbol.asyncDispose]())), late.promise]);
  clearTimeout(timer);
}
