/**
 * Slots of the hash table of colours: a power of two, four times the colours of a palette, so that probes
 * stay short.
 */
export const slotCount = 1024;

/**
 * Multipliers of this thread, drawn when it starts. With known ones a client could draw a picture whose 256
 * colours all take one slot, and each of its pixels would look through all of them.
 */
const [first = 1, second = 1] = crypto.getRandomValues(new Uint32Array(2)).map((drawn) => drawn | 1);

/**
 * The slot at which a table begins to look for a colour, given as a word. It is another one in each thread,
 * so nothing that leaves the thread may depend on it.
 */
export function slotOf(word: number): number {
  const product = Math.imul(word, first);
  // The high bits of a product depend on every bit below them; the low ones get a share before the second
  // time.
  return Math.imul(product ^ (product >>> 15), second) >>> 22;
}
