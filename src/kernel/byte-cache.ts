/** A cache of files in memory, bounded in bytes. */
export type ByteCache = {
  /** Returns the file and marks it as used; undefined when it is not in the cache. */
  readonly get: (key: string) => Blob | undefined;
  /** Adds the file unless it is larger than a quarter of the cache. */
  readonly set: (key: string, file: Blob) => void;
  /** Bytes in use, overhead included. */
  readonly size: () => number;
  readonly statistics: () => CacheStatistics;
};

/** The cache's contents now, and its hits and misses since it was made. Bytes include the overhead. */
export type CacheStatistics = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
};

type Entry = { readonly file: Blob; used: boolean };

/** An entry's cost beside its bytes: the key, the map's slot, the objects. */
const entryOverheadBytes = 512;

/**
 * Makes a cache of at most `bytesMax` bytes; with 0 it stays empty. It evicts by second chance: the oldest
 * file that was not used since the last pass over it. Moving an entry at every use, as an LRU does, costs
 * more than the rest of a hit.
 */
export function createByteCache(bytesMax: number): ByteCache {
  const entries = new Map<string, Entry>();
  let size = 0;
  let hits = 0;
  let misses = 0;

  const makeRoomFor = (newest: string): void => {
    // A Map iterates in order of insertion, and reaches entries that are inserted again meanwhile last.
    for (const [key, entry] of entries) {
      if (size <= bytesMax) return;
      if (key === newest) continue;
      entries.delete(key);
      if (entry.used) {
        entry.used = false;
        entries.set(key, entry);
      } else {
        size -= costOf(entry.file);
      }
    }
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) {
        misses += 1;
        return undefined;
      }
      hits += 1;
      entry.used = true;
      return entry.file;
    },
    set: (key, file) => {
      if (costOf(file) > bytesMax / 4) return;
      const old = entries.get(key);
      if (old !== undefined) size -= costOf(old.file);
      entries.delete(key);
      entries.set(key, { file, used: false });
      size += costOf(file);
      makeRoomFor(key);
    },
    size: () => size,
    statistics: () => ({ entries: entries.size, bytes: size, hits, misses }),
  };
}

function costOf(file: Blob): number {
  return file.size + entryOverheadBytes;
}
