import { mailKinds, type MailKind, type OnMailDue } from "../domain/ports/outbox-store.ts";
import { sendNextMail, sweepOutbox, type SendDeps, type Turn } from "../domain/mail/send-mail.ts";
import { repeat } from "./repeat.ts";

type OutboxDeps = SendDeps & {
  readonly onMailDue: OnMailDue;
  /** Mails that are begun in one second. */
  readonly perSecondMax: number;
};

/**
 * Mails that are on their way at once: a slow server holds up one, not all. A hand-over takes a fifth of a second or more,
 * so a higher pace needs more of them; servers take some twenty connections from one client.
 */
const parallelMin = 4;
const parallelMax = 20;
const handOverSeconds = 0.2;
/** How long mails that another process made due may wait to be seen, and retries past their time. */
const lookMs = 3000;
const sweepMs = 60_000;
/** How long mails that are on their way may take once the process is to stop. */
const drainMs = 5000;

/**
 * Sends what is in the outbox until it is disposed of: at once when a transaction of this process posts a mail, and every
 * few seconds for retries and other processes. Disposing of it lets mails on their way arrive, 5 s at most; one that is
 * cut off waits for the next start.
 */
export function startMailOutbox(deps: OutboxDeps): AsyncDisposable {
  const bell = openBell();
  const stopping = new AbortController();
  const cutting = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const turn = { cut: cutting.signal, pace: pacer(deps.perSecondMax, isStopping), rest: bell.next };
  const send = (kinds: readonly MailKind[]) =>
    sendNextMail(deps, { ...turn, kinds }).catch((error: unknown) => {
      deps.log.error("the outbox cannot be read or written", { error });
      return false;
    });
  const sweep = repeat(deps.log, "the outbox was not swept", sweepMs, () => sweepOutbox(deps, isStopping));
  const swept = sweep.now();
  const looking = setInterval(bell.ring, lookMs);
  const posted = deps.onMailDue(bell.ring);
  const workers = Array.from({ length: parallelAt(deps.perSecondMax) }, async (_, index) => {
    // The first is for mails to one person, so that somebody's code goes out while everybody's mail is stuck.
    const kinds = index === 0 ? mailKinds.slice(0, 1) : mailKinds;
    await swept;
    while (!isStopping()) {
      const rung = bell.next();
      if (!(await send(kinds))) await rung;
    }
  });

  return {
    [Symbol.asyncDispose]: async () => {
      posted[Symbol.dispose]();
      clearInterval(looking);
      stopping.abort();
      bell.ring();
      const cut = setTimeout(() => {
        cutting.abort(new Error("cut off: the server stops"));
        bell.ring();
      }, drainMs);
      await Promise.all([...workers, sweep.stop()]);
      clearTimeout(cut);
    },
  };
}

function parallelAt(perSecond: number): number {
  return Math.min(parallelMax, Math.max(parallelMin, Math.ceil(perSecond * handOverSeconds)));
}

/** A bell that any number may wait for. Who takes `next` before looking for work misses no ring. */
function openBell(): { readonly ring: () => void; readonly next: () => Promise<void> } {
  let waiting = Promise.withResolvers<void>();
  return {
    next: () => waiting.promise,
    ring: () => {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
  };
}

/** How far behind its pace a sender may catch up: what sleeping longer than asked for costs it. */
const catchUpMs = 50;

/** Lets so many begin in a second, one after the other, and nobody any more once it is to stop. */
function pacer(perSecond: number, isStopping: () => boolean): Turn["pace"] {
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
