import type { Logger } from "../kernel/log.ts";
import { createSignal } from "../kernel/signal.ts";
import { failureLog } from "./failure-log.ts";

type Job = {
  /** Calls the listener when a transaction of this process has made work. */
  readonly onWork: (listener: () => void) => Disposable;
  /** How often to look for work of other processes, and for what is tried again. */
  readonly lookMs: number;
  /** How long the steps under way may take once the process is stopping. */
  readonly drainMs: number;
  /** Aborts when others may do the work: then nothing is awaited. */
  readonly ended?: AbortSignal | undefined;
  readonly log: Logger;
  /** What the log says when a step fails. The step runs again at the next look. */
  readonly failure: string;
};

/** Does some work; returns false when there is no more now. */
type Step = () => Promise<boolean>;

/** The frame of a job whose workers each go on while there is work, and then wait for more. */
export type Workers = AsyncDisposable & {
  readonly isStopping: () => boolean;
  /** Aborted when a step has to end at once. */
  readonly interrupt: AbortSignal;
  /** Resolves when there may be work. */
  readonly next: () => Promise<void>;
  /** Runs a step until it returns true. */
  readonly once: (step: Step) => Promise<void>;
  /** Runs each step in a worker of its own, from the time that `ready` resolves. */
  readonly start: (ready: Promise<void>, steps: readonly Step[]) => void;
};

/**
 * Opens the frame of a job. Disposing of it ends the workers, and waits `drainMs` at most for the steps under
 * way.
 */
export function openWorkers({
  onWork,
  lookMs,
  drainMs,
  ended = new AbortController().signal,
  ...logged
}: Job): Workers {
  const signal = createSignal();
  const looking = setInterval(signal.send, lookMs);
  const listening = onWork(signal.send);
  const stopping = new AbortController();
  const interrupting = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const attempt = loggedAttempts(logged);
  const workers: Promise<void>[] = [];

  const run = async (step: Step, isOnce: boolean): Promise<void> => {
    while (!isStopping()) {
      const next = signal.next();
      const hasWorked = await attempt(step);
      if (hasWorked && isOnce) return;
      if (!hasWorked) await next;
    }
  };
  const work = async (ready: Promise<void>, step: Step): Promise<void> => {
    await ready;
    await run(step, false);
  };
  const interrupt = (): void => {
    interrupting.abort(new Error("interrupted: the server stops"));
    signal.send();
  };

  return {
    isStopping,
    interrupt: AbortSignal.any([interrupting.signal, ended]),
    next: signal.next,
    once: (step) => run(step, true),
    start: (ready, steps) => void workers.push(...steps.map((step) => work(ready, step))),
    [Symbol.asyncDispose]: async () => {
      listening[Symbol.dispose]();
      clearInterval(looking);
      stopping.abort();
      signal.send();
      const cut = setTimeout(interrupt, ended.aborted ? 0 : drainMs);
      await Promise.all(workers);
      clearTimeout(cut);
    },
  };
}

/** A failure is logged and counts as no work. */
function loggedAttempts({ log, failure }: Pick<Job, "log" | "failure">): (step: Step) => Promise<boolean> {
  const { failed, worked } = failureLog(log, failure);
  return async (step) => {
    try {
      const hasWorked = await step();
      worked();
      return hasWorked;
    } catch (error) {
      failed(error);
      return false;
    }
  };
}
