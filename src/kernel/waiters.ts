/** A request that waits for a result. */
export type Waiter = {
  /** The client that the work is counted against. */
  readonly client: string;
  /**
   * Larger networks that the client is part of. Each counts as `limits.siteShare` clients at most; left out:
   * no such network.
   */
  readonly within?: readonly string[];
  /** Aborted when the request waits no longer; null: it always waits. */
  readonly gone: AbortSignal | null;
};

/** All requests that wait for one result. Others may join until the result is there. */
export class Waiters {
  /** The clients that still wait, each with the networks that it is part of. */
  readonly #clients = new Map<string, readonly string[]>();
  /** How many requests of each client and each network wait. Holds no count of 0. */
  readonly #counts = new Map<string, number>();
  readonly #allGone = new AbortController();
  /** Called with each client that joins. */
  onJoin: (client: string) => void = () => {};

  constructor(first: Waiter) {
    this.join(first);
  }

  /** The clients that still wait, each once. */
  get clients(): Iterable<string> {
    return this.#clients.keys();
  }

  /** The larger networks that a client is part of. */
  within(client: string): readonly string[] {
    return this.#clients.get(client) ?? [];
  }

  /** Whether a client, or one of a network, still waits. */
  has(clientOrNetwork: string): boolean {
    return this.#counts.has(clientOrNetwork);
  }

  /** Aborted when the last request is gone. */
  get allGone(): AbortSignal {
    return this.#allGone.signal;
  }

  join({ client, within = [], gone }: Waiter): void {
    this.#clients.set(client, within);
    this.#count([client, ...within], 1);
    this.onJoin(client);
    const leave = () => this.#leave(client, within);
    if (gone?.aborted) leave();
    else gone?.addEventListener("abort", leave, { once: true });
  }

  #leave(client: string, within: readonly string[]): void {
    this.#count([client, ...within], -1);
    if (!this.#counts.has(client)) this.#clients.delete(client);
    if (this.#clients.size === 0) this.#allGone.abort();
  }

  #count(keys: readonly string[], difference: 1 | -1): void {
    for (const key of keys) {
      const count = (this.#counts.get(key) ?? 0) + difference;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }
}
