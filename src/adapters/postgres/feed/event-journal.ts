import type { OnEvents } from "../../../domain/ports/event-store.ts";
import { createSignal } from "../../../kernel/signal.ts";
import { numberEvents } from "./event-numbers.ts";
import { eventReads } from "../../sql/event-store.ts";
import type { Sender } from "../../sql/sender.ts";

/** How often each node looks for events that have got their numbers since. */
const lookMilliseconds = 250;

/** Follows the log of events. */
export type EventJournal = Disposable & {
  /**
   * Calls the listener when any node's events have got their numbers, a quarter of a second later at most.
   */
  readonly onEvents: OnEvents;
  /** Looks at once, because some may have got theirs. */
  readonly look: () => void;
};

/** Looks regularly for as long as there are listeners. */
export function openEventJournal(db: Sender): EventJournal {
  const { newestEventId } = eventReads(db, numberEvents);
  const news = createSignal();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let known = 0;

  const lookOnce = async (): Promise<void> => {
    const newest = await newestEventId();
    if (newest === known) return;
    known = newest;
    news.send();
  };
  const look = (): void => {
    if (!news.hasListeners()) return;
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
      const listening = news.listen(listener);
      timer ??= setInterval(look, lookMilliseconds);
      return {
        [Symbol.dispose]: () => {
          listening[Symbol.dispose]();
          if (!news.hasListeners()) stop();
        },
      };
    },
    look,
    [Symbol.dispose]: stop,
  };
}
