import { BoundedMap } from "./bounded-map.ts";
import { Waiters, type Waiter } from "./waiters.ts";

type Underway<Value> = { readonly waiters: Waiters; readonly made: Promise<Value> };

/**
 * Results by key, `entriesMax` at most. Requests for the same key at one time share one run of the work, which may end when all of
 * them are gone. A failure is not kept.
 */
export class SharedResults<Value> {
  readonly #kept: BoundedMap<string, Value>;
  readonly #underway = new Map<string, Underway<Value>>();

  constructor(entriesMax: number) {
    this.#kept = new BoundedMap(entriesMax);
  }

  /** The result that is kept under a key; null when there is none. */
  peek(key: string): Value | null {
    return this.#kept.get(key) ?? null;
  }

  /**
   * The result under a key: the kept one if it still `holds`, else that of the work. Fails as the work does, and with an AbortError
   * for a request that is gone.
   */
  async get(
    key: string,
    waiter: Waiter,
    work: (waiters: Waiters) => Promise<Value>,
    holds: (kept: Value) => boolean = () => true,
  ): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && holds(kept)) return kept;
    // Work whose waiters are all gone fails at once, so this request must not join it.
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
