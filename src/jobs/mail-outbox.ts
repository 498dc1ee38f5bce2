import { mailKinds, type OnMailDue } from "../domain/ports/outbox-store.ts";
import { sendNextMail, sweepOutbox, type SendDeps, type SendSlot } from "../domain/mail/send-mail.ts";
import { repeat } from "./repeat.ts";
import { openWorkers } from "./workers.ts";

type OutboxDeps = SendDeps & {
  readonly onMailDue: OnMailDue;
  /** The most mails that begin in one second. */
  readonly perSecondMax: number;
  /** Aborts when others may send them: then nothing is awaited. */
  readonly ended?: AbortSignal;
};

/**
 * How many mails are sent at once, so that a slow delivery does not hold up the others. A delivery takes a
 * fifth of a second or more, so a higher rate needs more slots; servers allow some twenty connections from
 * one client.
 */
const parallelMin = 4;
const parallelMax = 20;
const deliverySeconds = 0.2;
/** How often to look for retries, and for mails that another process made due. */
const lookMs = 3000;
const sweepMs = 60_000;
/** How long deliveries may take once the process is stopping. */
const drainMs = 5000;

/**
 * Sends the mails of the outbox until disposed of: at once when a transaction of this process posts one, and
 * every few seconds for retries and other processes. Disposing of it waits at most 5 s for deliveries; an
 * interrupted mail waits for the next start.
 */
export function startMailOutbox(deps: OutboxDeps): AsyncDisposable {
  const { log, onMailDue, perSecondMax, ended } = deps;
  const failure = "the outbox cannot be read or written";
  const workers = openWorkers({ onWork: onMailDue, lookMs, drainMs, ended, log, failure });
  const slot = {
    interrupt: workers.interrupt,
    atRate: rateLimiter(perSecondMax, workers.isStopping),
    rest: workers.next,
  };
  const sweep = repeat(log, "the outbox was not swept", sweepMs, () => sweepOutbox(deps, workers.isStopping));
  const steps = Array.from({ length: parallelAt(perSecondMax) }, (_, index) => {
    // The first slot sends only personal mails, so that codes go out while bulk mails are stuck.
    const kinds = index === 0 ? mailKinds.slice(0, 1) : mailKinds;
    return () => sendNextMail(deps, { ...slot, kinds });
  });
  workers.start(sweep.now(), steps);

  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all([workers[Symbol.asyncDispose](), sweep.stop()]);
    },
  };
}

function parallelAt(perSecond: number): number {
  return Math.min(parallelMax, Math.max(parallelMin, Math.ceil(perSecond * deliverySeconds)));
}

/** How much delay the sender may catch up after an overlong sleep. */
const catchUpMs = 50;

/** Bounds how many mails begin in a second. Begins no mail once the process is stopping. */
function rateLimiter(perSecond: number, isStopping: () => boolean): SendSlot["atRate"] {
  let free = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (begin) => {
    const begun = last.then(async () => {
      const wait = free - performance.now();
      if (wait > 0 && !isStopping()) await Bun.sleep(wait);
      const one = isStopping() ? null : await begin();
      if (one !== null) free = Math.max(free, performance.now() - catchUpMs) + 1000 / perSecond;
      return one;
    });
    last = begun.catch(() => undefined);
    return begun;
  };
}
