import type { OnMailDue } from "../domain/mail/outbox.ts";
import { sendNextMail, sweepOutbox, type SendDeps } from "../domain/mail/send-mail.ts";

/** Mails that are on their way at once: a slow server holds up one, not all. */
const parallelMax = 4;
/** Mails that are begun in one second: what small providers take from one sender without complaint. */
const perSecondMax = 10;
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
export function startMailOutbox(deps: SendDeps & { readonly onMailDue: OnMailDue }): AsyncDisposable {
  const bell = openBell();
  const stopping = new AbortController();
  const cutting = new AbortController();
  const turn = { cut: cutting.signal, pace: pacer(perSecondMax), rest: bell.next };
  const send = () =>
    sendNextMail(deps, turn).catch((error: unknown) => {
      deps.log.error("the outbox cannot be read or written", { error });
      return false;
    });
  const sweep = () =>
    sweepOutbox(deps).catch((error: unknown) => deps.log.error("the outbox was not swept", { error }));

  const timers = [setInterval(bell.ring, lookMs), setInterval(() => void sweep(), sweepMs)];
  const posted = deps.onMailDue(bell.ring);
  const swept = sweep();
  const workers = Array.from({ length: parallelMax }, async () => {
    await swept;
    while (!stopping.signal.aborted) {
      const rung = bell.next();
      if (!(await send())) await rung;
    }
  });

  return {
    [Symbol.asyncDispose]: async () => {
      posted[Symbol.dispose]();
      timers.forEach(clearInterval);
      stopping.abort();
      bell.ring();
      const cut = setTimeout(() => {
        cutting.abort(new Error("cut off: the server stops"));
        bell.ring();
      }, drainMs);
      await Promise.all(workers);
      clearTimeout(cut);
    },
  };
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

/** Waits so that no more than so many go on in a second. */
function pacer(perSecond: number): () => Promise<void> {
  let free = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, free);
    free = turn + 1000 / perSecond;
    if (turn > now) await Bun.sleep(turn - now);
  };
}
