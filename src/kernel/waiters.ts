/** A request that waits for a result. */
export type Waiter = {
  /** The client that the work is counted against. */
  readonly client: string;
  /** Aborted when the request waits no longer; null: it always waits. */
  readonly gone: AbortSignal | null;
};

/** All requests that wait for one result. Others may join until the result is there. */
export class Waiters {
  readonly #clients = new Map<string, number>();
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

  has(client: string): boolean {
    return this.#clients.has(client);
  }

  /** Aborted when the last request is gone. */
  get allGone(): AbortSignal {
    return this.#allGone.signal;
  }

  join({ client, gone }: Waiter): void {
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + 1);
    this.onJoin(client);
    if (gone?.aborted) this.#leave(client);
    else gone?.addEventListener("abort", () => this.#leave(client), { once: true });
  }

  #leave(client: string): void {
    const others = (this.#clients.get(client) ?? 0) - 1;
    if (others > 0) this.#clients.set(client, others);
    else this.#clients.delete(client);
    if (this.#clients.size === 0) this.#allGone.abort();
  }
}
