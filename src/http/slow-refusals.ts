/** Milliseconds before a refusal is answered. */
const pauseMilliseconds = 1000;
/** Refusals that wait for that at a time; more are answered at once. */
const pausesMax = 1000;

/** Resolves when a refusal may be answered, or when its client is gone. */
export type SlowRefusal = (gone: AbortSignal | null) => Promise<void>;

/**
 * Makes clients that were refused wait for the answer. Those that ask again as soon as they are refused, over hundreds of
 * connections, would keep the event loop busy with refusing them.
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
