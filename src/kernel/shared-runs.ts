import { Waiters, type Waiter } from "./waiters.ts";

type Underway<Value> = { readonly waiters: Waiters; readonly made: Promise<Value> };
/** Where results stay: a `BoundedMap` or a byte cache. */
type Kept<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => unknown;
};

/**
 * Shares results by key. Requests for the same key at one time share one run of the work, which may end when
 * all of them are gone. A result goes into `kept`; a failure does not.
 */
export class SharedRuns<Value> {
  readonly #kept: Kept<Value>;
  readonly #underway = new Map<string, Underway<Value>>();

  constructor(kept: Kept<Value>) {
    this.#kept = kept;
  }

  /**
   * The result under a key: the kept one if it still `holds`, else that of the work. Fails as the work does,
   * and with an AbortError for a request that is gone.
   */
  async get(
    key: string,
    waiter: Waiter,
    work: (waiters: Waiters) => Promise<Value>,
    holds: (kept: Value) => boolean = () => true,
  ): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && holds(kept)) return kept;
    // Work whose waiters are all gone fails at once, so other requests must not join it.
    waiter.gone?.throwIfAborted();
    const running = this.#underway.get(key);
    if (running !== undefined && !running.waiters.allGone.aborted) {
      running.waiters.join(waiter);
      return running.made;
    }
    const waiters = new Waiters(waiter);
    const made = work(waiters)
      .then((value) => {
        this.#kept.set(key, value);
        return value;
      })
      .finally(() => {
        if (this.#underway.get(key)?.waiters === waiters) this.#underway.delete(key);
      });
    this.#underway.set(key, { waiters, made });
    return made;
  }
}
