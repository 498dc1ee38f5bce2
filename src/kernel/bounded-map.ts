/**
 * A Map of at most `entriesMax` entries. Setting a key makes it the newest, and the oldest entry beyond the
 * bound is dropped. Reading changes no order: an entry in use that is dropped comes back with its next use.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    super();
    this.#entriesMax = entriesMax;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#entriesMax) break;
      this.delete(oldest);
    }
    return this;
  }
}
