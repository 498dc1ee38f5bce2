import type { Stack } from "./trace.ts";

/** All different stacks of a picture, numbered. Stack 0 is the empty one: the background. */
export type StackTable = {
  /** Where each stack's surfaces begin in `texels` and `shades`; one entry more than there are stacks. */
  readonly starts: NumberList<Uint32Array>;
  readonly texels: NumberList<Int32Array>;
  readonly shades: NumberList<Uint8Array>;
  /**
   * Hash table of stack numbers plus one; its length is a power of two and at least twice the number of
   * stacks.
   */
  slots: Uint32Array;
  /** The stack that was asked for last: most often the next ray finds the same. */
  last: number;
};

/** Makes a table that holds the empty stack alone. */
export function createStackTable(): StackTable {
  const table = {
    starts: createList(new Uint32Array(1024)),
    texels: createList(new Int32Array(4096)),
    shades: createList(new Uint8Array(4096)),
    slots: new Uint32Array(2048),
    last: 0,
  };
  push(table.starts, 0);
  push(table.starts, 0);
  return table;
}

/** The number of a stack; a stack that was not seen before gets the next one. */
export function stackNumber(table: StackTable, stack: Stack): number {
  if (stack.count === 0) return 0;
  if (!isEqual(table, table.last, stack)) table.last = find(table, stack);
  return table.last;
}

function find(table: StackTable, stack: Stack): number {
  const { slots } = table;
  let slot = hashOf(stack.texels, 0, stack.count) & (slots.length - 1);
  for (let found = slots[slot]; found !== undefined && found !== 0; found = slots[slot]) {
    if (isEqual(table, found - 1, stack)) return found - 1;
    slot = (slot + 1) & (slots.length - 1);
  }
  const number = table.starts.length - 1;
  slots[slot] = number + 1;
  append(table, stack);
  if (number * 2 > slots.length) grow(table);
  return number;
}

function append(table: StackTable, { count, texels, shades }: Stack): void {
  for (let i = 0; i < count; i++) {
    push(table.texels, texels[i] ?? 0);
    push(table.shades, shades[i] ?? 0);
  }
  push(table.starts, table.texels.length);
}

function isEqual({ starts, texels }: StackTable, number: number, stack: Stack): boolean {
  const start = starts.items[number] ?? 0;
  if ((starts.items[number + 1] ?? 0) - start !== stack.count) return false;
  for (let i = 0; i < stack.count; i++) if (texels.items[start + i] !== stack.texels[i]) return false;
  return true;
}

function hashOf(texels: Int32Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (texels[i] ?? 0), 0x9e3779b1) ^ (hash >>> 15);
  return hash ^ (hash >>> 16);
}

function grow(table: StackTable): void {
  const slots = new Uint32Array(table.slots.length * 2);
  const { starts, texels } = table;
  for (let number = 1; number < starts.length - 1; number++) {
    const start = starts.items[number] ?? 0;
    const end = starts.items[number + 1] ?? 0;
    let slot = hashOf(texels.items, start, end) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = number + 1;
  }
  table.slots = slots;
}

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
  return list.items.slice(0, list.length) as T; // Slicing keeps the kind of array, which its type does not say.
}

function doubled<T extends Numbers>(items: T): T {
  const Kind = items.constructor as new (length: number) => T; // The same kind of array, twice as long.
  const larger = new Kind(items.length * 2);
  larger.set(items);
  return larger;
}
