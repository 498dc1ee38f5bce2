import { deliverEvents, keepWebhooks, type DeliverDeps } from "../domain/events/deliver-events.ts";
import type { OnEvents } from "../domain/ports/event-store.ts";
import { openWorkers } from "./workers.ts";

/**
 * How often to look for events of other processes, for tries that are due, and for those that were brought
 * forward.
 */
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
 * Sends events to each address until disposed of: those of this process at once, those of other processes and
 * retries every second. Addresses do not wait for each other. Disposing of it waits 2 s at most for
 * deliveries; an interrupted one is sent again at the next start.
 */
export function startWebhooks(deps: Deps): AsyncDisposable {
  const { log, onEvents, urls, ended } = deps;
  const failure = "the progress of webhooks cannot be read or written";
  const workers = openWorkers({ onWork: onEvents, lookMs, drainMs, ended, log, failure });
  const kept = workers.once(async () => {
    await keepWebhooks(deps, urls);
    return true;
  });
  const steps = urls.map((url) => () => deliverEvents(deps, url, workers.interrupt));
  workers.start(kept, steps);
  return workers;
}
