/** A signal within this process: it calls listeners, and ends waits. */
export type Signal<News = void> = {
  /** Calls the listener at each signal until the result is disposed of. */
  readonly listen: (listener: (news: News) => void) => Disposable;
  readonly hasListeners: () => boolean;
  /**
   * Resolves at the next signal. A caller that takes the promise before it looks for work misses no signal.
   */
  readonly next: () => Promise<News>;
  readonly send: (news: News) => void;
};

/** Makes a signal that carries news of a type; void: it says only that something has happened. */
export function createSignal<News = void>(): Signal<News> {
  const listeners = new Set<(news: News) => void>();
  let waiting: PromiseWithResolvers<News> | null = null;
  return {
    listen: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    hasListeners: () => listeners.size > 0,
    next: () => (waiting ??= Promise.withResolvers()).promise,
    send: (news) => {
      waiting?.resolve(news);
      waiting = null;
      for (const listener of listeners) listener(news);
    },
  };
}
