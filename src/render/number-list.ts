/** A list of numbers that grows, in a typed array: for tables too large for arrays of JavaScript values. */
export type NumberList<T extends Numbers> = { items: T; length: number };
type Numbers = Uint8Array | Int32Array | Uint32Array;

/** Makes an empty list; `items` is its kind of array and the room to begin with. */
export function createList<T extends Numbers>(items: T): NumberList<T> {
  return { items, length: 0 };
}

/** Appends a number. */
export function push<T extends Numbers>(list: NumberList<T>, value: number): void {
  if (list.length === list.items.length) list.items = doubled(list.items);
  list.items[list.length++] = value;
}

/** The list's numbers in an array of just their size. */
export function trimmed<T extends Numbers>(list: NumberList<T>): T {
  return list.items.slice(0, list.length) as T; // Slicing keeps the kind of array, which its type does not tell.
}

function doubled<T extends Numbers>(items: T): T {
  const Kind = items.constructor as new (length: number) => T; // The same kind of array, twice as long.
  const larger = new Kind(items.length * 2);
  larger.set(items);
  return larger;
}
