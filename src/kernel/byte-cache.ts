/** Files kept in memory up to a number of bytes. */
export type ByteCache = {
  /** The file, which counts as used now; undefined when it is not kept. */
  readonly get: (key: string) => Blob | undefined;
  /** Keeps the file unless it alone is larger than a quarter of the cache. */
  readonly set: (key: string, file: Blob) => void;
  /** Bytes kept now, overhead included. */
  readonly size: () => number;
  readonly statistics: () => CacheStatistics;
};

/** What a cache holds now, and how often it had what was asked for since it was made. Bytes include the overhead. */
export type CacheStatistics = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
};

type Entry = { readonly file: Blob; used: boolean };

/** What an entry costs beside its bytes: the key, the map's slot, the objects. */
const entryOverheadBytes = 512;

/**
 * A cache that holds `bytesMax` bytes at most; with 0 it keeps nothing. It drops the oldest file that was not used since it
 * was last passed over ("second chance"): moving an entry at every use, as an LRU does, costs more than the rest of a hit.
 */
export function createByteCache(bytesMax: number): ByteCache {
  const entries = new Map<string, Entry>();
  let size = 0;
  let hits = 0;
  let misses = 0;

  const makeRoomFor = (newest: string): void => {
    // A Map is walked in order of insertion, also over what is put back during the walk: that is then the youngest.
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
