import { deliverEvents, keepWebhooks, type DeliverDeps } from "../domain/events/deliver-events.ts";
import type { OnEvents } from "../domain/ports/event-store.ts";
import { failureLog } from "./failure-log.ts";

/** How often to look for events of other processes, for tries that are due, and for those that were brought forward. */
const lookMs = 1000;
/** How long a delivery may take once the process is stopping. */
const drainMs = 2000;

type Deps = DeliverDeps & {
  readonly onEvents: OnEvents;
  /** Addresses from the settings. */
  readonly urls: readonly string[];
  /** Aborts when others may send them: then nothing is awaited. */
  readonly ended?: AbortSignal;
};

/**
 * Sends events to each address until disposed of: at once when a transaction of this process makes some, and every second those
 * of other processes and what is tried again. Addresses do not wait for each other. Disposing of it waits 2 s at most for
 * deliveries; an interrupted one is sent again at the next start.
 */
export function startWebhooks(deps: Deps): AsyncDisposable {
  const stopping = new AbortController();
  const interrupting = new AbortController();
  const { ended = new AbortController().signal } = deps;
  const interrupt = AbortSignal.any([interrupting.signal, ended]);
  let signal = Promise.withResolvers<void>();
  const wake = (): void => {
    const woken = signal;
    signal = Promise.withResolvers();
    woken.resolve();
  };
  const looking = setInterval(wake, lookMs);
  const listening = deps.onEvents(wake);
  const isStopping = () => stopping.signal.aborted;
  const { failed, worked } = failureLog(deps.log, "the progress of webhooks cannot be read or written");
  const attempt = async (work: () => Promise<boolean>): Promise<boolean> => {
    try {
      const isDone = await work();
      worked();
      return isDone;
    } catch (error) {
      failed(error);
      return false;
    }
  };
  const kept = async (): Promise<boolean> => {
    await keepWebhooks(deps, deps.urls);
    return true;
  };
  const begin = async (): Promise<void> => {
    while (!isStopping()) {
      const next = signal.promise;
      if (await attempt(kept)) return;
      await next;
    }
  };
  const begun = begin();
  const workers = deps.urls.map(async (url) => {
    await begun;
    while (!isStopping()) {
      const next = signal.promise;
      if (!(await attempt(() => deliverEvents(deps, url, interrupt)))) await next;
    }
  });

  return {
    [Symbol.asyncDispose]: async () => {
      listening[Symbol.dispose]();
      clearInterval(looking);
      stopping.abort();
      wake();
      const cut = setTimeout(() => interrupting.abort(), ended.aborted ? 0 : drainMs);
      await Promise.all(workers);
      clearTimeout(cut);
    },
  };
}
