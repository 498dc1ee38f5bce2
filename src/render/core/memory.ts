/** The first byte behind the core's own data. Callers lay out what they hand over from here on. */
export function heapStart(): usize {
  return (__heap_base + 15) & ~(<usize>15);
}
