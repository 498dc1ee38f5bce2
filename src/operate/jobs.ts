/** What works in the background of a server: mail, webhooks, housekeeping and scheduled backups. */
import { removeLeftWork } from "../adapters/data-folder/backup-folder.ts";
import { httpWebhooks } from "../adapters/webhook-http/http-webhook.ts";
import type { Config } from "../boot/config.ts";
import { noFile } from "../boot/config/settings-file.ts";
import type { Ports } from "../boot/compose.ts";
import { letterheadOf, openMailer } from "../boot/mail.ts";
import { subscriptionNames, unsubscribeLinks, type Secret, type Secrets } from "../boot/secrets.ts";
import type { MailTexts } from "../domain/mail/templates.ts";
import type { Mailer } from "../domain/ports/mailer.ts";
import type { Term } from "../domain/ports/leadership.ts";
import type { SendWebhook } from "../domain/ports/webhook-sender.ts";
import { createTransact } from "../domain/sessions/transact.ts";
import { startActivityRecords, startHousekeeping } from "../jobs/housekeeping.ts";
import { startMailOutbox } from "../jobs/mail-outbox.ts";
import { startUpkeep } from "../jobs/upkeep.ts";
import { startWebhooks } from "../jobs/webhooks.ts";
import { startScheduledBackups, type MadeBackup } from "../jobs/scheduled-backup.ts";
import { PlainError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import { lowerPriority } from "../kernel/priority.ts";
import { within } from "../kernel/within.ts";
import { backupLock } from "./backup.ts";

/**
 * The same time as requests in flight get, which end meanwhile. A job that takes longer, because another
 * process holds a lock for example, is abandoned and fails when the database is closed.
 */
const stopMs = 10_000;
/** A backup that hangs, because a bucket does not answer for example, must not prevent all later ones. */
const backupMs = 6 * 60 * 60 * 1000;
/** How long an interrupted backup may take to remove its files. */
const backupStopMs = 5000;

type Environment = Readonly<Record<string, string | undefined>>;

type MailOptions = {
  readonly config: Config;
  readonly services: Ports;
  readonly secrets: Secrets;
  readonly texts: MailTexts;
  readonly publicUrl: string;
  readonly siteUrl: string;
  readonly log: Logger;
  /** The term of the sending leader. */
  readonly term: Term;
};

type JobOptions = Omit<MailOptions, "term"> & {
  /** Signs events; null: no address gets any. */
  readonly webhookSecret: Secret | null;
  /** The environment in which another process reads the same settings. */
  readonly environment: () => Environment;
};

/**
 * Starts the jobs: those of every node, and those of the leader whenever this node leads. Disposing of the
 * result stops all of them at once. What requests that end later leave to do waits for the next start, except
 * for the time when a session was last used, which is lost.
 */
export function startJobs(options: JobOptions): AsyncDisposable {
  const { config, services, log } = options;
  const tidied = removeLeftWork(config.backup.dir, backupLock).catch((error: unknown) =>
    log.warn("files of interrupted backups were not removed", { error }),
  );
  const jobs = [
    startActivityRecords({ ...services, log }),
    services.leadership.whileLeading((term) => startLeaderJobs(options, term)),
    { [Symbol.asyncDispose]: () => tidied },
  ];
  const stopping = new AsyncDisposableStack();
  stopping.defer(() => stopAll(jobs));
  return stopping;
}

/** The work of one node. It reaches no database, mailbox or other server once the term has ended. */
function startLeaderJobs(options: JobOptions, term: Term): AsyncDisposable {
  const { clock } = options.services;
  const transact = createTransact({ atomically: term.atomically, clock });
  const services = { ...options.services, transact, reads: options.services.backgroundReads };
  const leading = { ...options, services, term };
  const jobs = [
    startMail(leading),
    startHousekeeping({ ...services, log: options.log }),
    startEventDeliveries(leading),
    startUpkeep(services.upkeep, term, options.log),
  ];
  const { schedule } = options.config.backup;
  if (schedule !== null) {
    const make = (signal: AbortSignal) =>
      backUpInProcess(options.environment(), AbortSignal.any([signal, term.signal]));
    jobs.push(startScheduledBackups({ schedule, make, record: services.backups, clock, log: options.log }));
  }
  const stopping = new AsyncDisposableStack();
  stopping.defer(() => stopAll(jobs));
  return stopping;
}

async function stopAll(jobs: readonly AsyncDisposable[]): Promise<void> {
  await within(stopMs, Promise.all(jobs.map((job) => job[Symbol.asyncDispose]())), () => undefined);
}

/** Sends events to the addresses of the settings until it is disposed of. */
function startEventDeliveries({
  services,
  webhookSecret,
  publicUrl,
  log,
  term,
}: Pick<JobOptions, "services" | "webhookSecret" | "publicUrl" | "log"> & {
  readonly term: Term;
}): AsyncDisposable {
  const { urls, counts } = services.webhookTargets;
  const secret = webhookSecret?.reveal();
  if (secret === undefined) return new AsyncDisposableStack();
  const send = sendWithin(term, httpWebhooks());
  return startWebhooks({ ...services, urls, counts, secret, send, publicUrl, log, ended: term.signal });
}

/**
 * Sends nothing once the term has ended, not even what the leader had just begun when its process was
 * stopped.
 */
function sendWithin(term: Term, send: SendWebhook): SendWebhook {
  return async (...message) => (term.isHeld() ? send(...message) : termOver);
}

/** The same for mails: a deferred mail waits for the next leader. */
function mailWithin(term: Term, mailer: Mailer): Mailer {
  return {
    deliver: async (...mail) =>
      term.isHeld() ? mailer.deliver(...mail) : { outcome: "deferred", reply: termOver },
    [Symbol.asyncDispose]: () => mailer[Symbol.asyncDispose](),
  };
}

const termOver = "another node leads now";

/** Sends the outbox until it is disposed of. */
export function startMail({
  config,
  services,
  secrets,
  texts,
  term,
  ...given
}: MailOptions): AsyncDisposable {
  const letterhead = letterheadOf(config, given.siteUrl);
  const mailer = openMailer(config, letterhead);
  const unsubscribeLink = unsubscribeLinks(given.publicUrl, subscriptionNames(secrets.jwt));
  const { perSecondMax } = config.mail;
  const { log } = given;
  const sending = { mailer: mailWithin(term, mailer), ended: term.signal };
  const deps = { ...services, ...sending, texts, ...letterhead, unsubscribeLink, perSecondMax, log };
  const stopping = new AsyncDisposableStack();
  stopping.use(mailer);
  stopping.use(startMailOutbox(deps));
  return stopping;
}

/**
 * Runs `cloakroom backup` in a process of its own: copying a database occupies the event loop, and a fault in
 * it must not affect requests. The environment holds this process's settings: its file may say other things
 * by now. Fails with internal and that process's message.
 */
export async function backUpInProcess(
  environment: Environment,
  signal: AbortSignal,
  program: readonly string[] = thisProgram(),
): Promise<MadeBackup> {
  const child = Bun.spawn([...program, "backup", "--json", "--config", noFile], {
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  lowerPriority(child.pid);
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), backupStopMs).unref();
  };
  const ending = AbortSignal.any([signal, AbortSignal.timeout(backupMs)]);
  if (ending.aborted) stop();
  ending.addEventListener("abort", stop, { once: true });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  ending.removeEventListener("abort", stop);
  if (code !== 0) throw new PlainError("internal", saidIn(error) || `it ended with ${code}`);
  const complaints = error.trim() === "" ? {} : { complaints: error.trim().split("\n") };
  return { ...JSON.parse(out), ...complaints };
}

/** What the process said: its warnings, and the failure, which it says as JSON. */
function saidIn(error: string): string {
  return error
    .trim()
    .split("\n")
    .map((line) => (line.startsWith('{"error":') ? String(JSON.parse(line).error.msg) : line))
    .join("\n");
}

function thisProgram(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
}
