import type { MailTexts } from "../domain/mail/templates.ts";
import { startHousekeeping } from "../jobs/housekeeping.ts";
import { startScheduledBackups } from "../jobs/scheduled-backup.ts";
import type { Logger } from "../kernel/log.ts";
import { removeLeftBackups } from "./backup.ts";
import type { Config } from "./config.ts";
import { startMail } from "./mail.ts";
import { backUpInProcess } from "./scheduled-backup.ts";
import type { Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";

/** Starts what works in the background of a server, until it is disposed of. */
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
  const jobs = new AsyncDisposableStack();
  jobs.use(startMail(options));
  jobs.use(startHousekeeping({ ...options.services, log }));
  const tidied = removeLeftBackups(config).catch((error: unknown) =>
    log.warn("what killed backups left was not removed", { error }),
  );
  jobs.defer(() => tidied);
  const { schedule } = config.backup;
  if (schedule !== null) {
    const make = (signal: AbortSignal) => backUpInProcess(environment(), signal);
    jobs.use(startScheduledBackups({ schedule, make, log }));
  }
  return jobs;
}
