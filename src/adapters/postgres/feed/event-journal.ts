import type { OnEvents } from "../../../domain/ports/event-store.ts";
import { eventReads } from "../event-store.ts";
import type { Sender } from "../../sql/sender.ts";

/** How often each node looks for events that have got their numbers since. */
const lookMilliseconds = 250;

/** Follows the log of events. */
export type EventJournal = Disposable & {
  /** Calls the listener when any node's events have got their numbers, a quarter of a second later at most. */
  readonly onEvents: OnEvents;
  /** Looks at once, because some may have got theirs. */
  readonly look: () => void;
};

/** Looks regularly for as long as there are listeners. */
export function openEventJournal(db: Sender): EventJournal {
  const { newestEventId } = eventReads(db);
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let known = 0;

  const lookOnce = async (): Promise<void> => {
    const newest = await newestEventId();
    if (newest === known) return;
    known = newest;
    for (const listener of listeners) listener();
  };
  const look = (): void => {
    if (listeners.size === 0) return;
    // Without the database there is nothing new; the next look is soon.
    looking ??= lookOnce()
      .catch(() => undefined)
      .finally(() => {
        looking = null;
      });
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    onEvents: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(look, lookMilliseconds);
      return {
        [Symbol.dispose]: () => {
          listeners.delete(listener);
          if (listeners.size === 0) stop();
        },
      };
    },
    look,
    [Symbol.dispose]: () => {
      listeners.clear();
      stop();
    },
  };
}
