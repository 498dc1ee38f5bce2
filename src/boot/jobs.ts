import type { MailTexts } from "../domain/mail/templates.ts";
import { startHousekeeping } from "../jobs/housekeeping.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config } from "./config.ts";
import { startMail } from "./mail.ts";
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
}): AsyncDisposable {
  const jobs = new AsyncDisposableStack();
  jobs.use(startMail(options));
  jobs.use(startHousekeeping({ ...options.services, log: options.log }));
  return jobs;
}
