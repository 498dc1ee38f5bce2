/** Counts durations in buckets, as Prometheus expects them. */
export type Histogram = {
  /** Counts one duration, in seconds. Some ten nanoseconds: it is called for every request. */
  readonly observe: (seconds: number) => void;
  readonly read: () => HistogramReading;
};

/** What a histogram has counted so far. */
export type HistogramReading = {
  /** Upper bounds in seconds, inclusive and ascending. */
  readonly bounds: readonly number[];
  /** How many durations were at most the bound at the same place; each count includes those before it. */
  readonly counts: readonly number[];
  readonly count: number;
  /** The sum of all durations in seconds. */
  readonly sum: number;
};

/** Makes an empty histogram. Bounds are in seconds, ascending. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const buckets = new Float64Array(bounds.length + 1);
  let sum = 0;

  return {
    observe: (seconds) => {
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
      buckets[at] = (buckets[at] ?? 0) + 1;
      sum += seconds;
    },
    read: () => {
      let count = 0;
      const counts = Array.from(buckets, (bucket) => (count += bucket));
      return { bounds, counts: counts.slice(0, bounds.length), count, sum };
    },
  };
}
