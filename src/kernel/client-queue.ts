/**
 * What waits, by client. Clients take turns, each with what it put in first, so a client that puts in much
 * makes only itself wait.
 */
export class ClientQueue<Item> {
  /** Clients in the order of their turns. No line is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** How much waits. */
  get size(): number {
    return this.#size;
  }

  /** Puts it last in its client's line, or first. */
  add(client: string, item: Item, place: "last" | "first" = "last"): void {
    const line = this.#lines.get(client) ?? [];
    this.#lines.set(client, line);
    if (place === "first") line.unshift(item);
    else line.push(item);
    this.#size += 1;
  }

  /**
   * The first client, in the order of turns, whose next item may go, with that item; null: no such client.
   */
  next(mayGo: (item: Item) => boolean): readonly [client: string, item: Item] | null {
    for (const [client, [item]] of this.#lines) if (item !== undefined && mayGo(item)) return [client, item];
    return null;
  }

  /** Takes out the client's next item. Its turn comes again after all others'. */
  take(client: string): void {
    const line = this.#lines.get(client);
    if (line === undefined) return;
    this.#lines.delete(client);
    line.shift();
    this.#size -= 1;
    if (line.length > 0) this.#lines.set(client, line);
  }

  /**
   * Removes the newest item of the client with the most items; among equals, of the client whose turn is
   * last.
   */
  dropOfBusiest(): Item | null {
    let busiest: readonly [string, Item[]] | null = null;
    for (const [client, line] of this.#lines)
      if (busiest === null || line.length >= busiest[1].length) busiest = [client, line];
    if (busiest === null) return null;
    const [client, line] = busiest;
    const dropped = line.pop() ?? null;
    this.#size -= 1;
    if (line.length === 0) this.#lines.delete(client);
    return dropped;
  }

  /** Takes out what fits. */
  remove(fits: (item: Item) => boolean): readonly Item[] {
    const removed: Item[] = [];
    for (const [client, line] of this.#lines) {
      const kept: Item[] = [];
      for (const item of line) (fits(item) ? removed : kept).push(item);
      if (kept.length === 0) this.#lines.delete(client);
      else this.#lines.set(client, kept);
    }
    this.#size -= removed.length;
    return removed;
  }
}
