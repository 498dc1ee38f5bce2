/** Milliseconds before a refusal is answered. */
const pauseMilliseconds = 1000;
/**
 * Refusals that are held back at a time; any more are answered at once. A held refusal costs little compared
 * with its connection.
 */
const pausesMax = 10_000;

/** Resolves when a refusal may be answered, or when its client is gone. */
export type SlowRefusal = (gone: AbortSignal | null) => Promise<void>;

/**
 * Holds refusals back. A client that asks again as soon as it is refused, over hundreds of connections, would
 * keep the event loop busy with refusals.
 */
export function createSlowRefusals(): SlowRefusal {
  let pauses = 0;

  return async (gone) => {
    if (pauses >= pausesMax || gone?.aborted) return;
    pauses++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, pauseMilliseconds);
    gone?.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    pauses--;
  };
}
