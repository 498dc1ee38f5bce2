/** Files kept in memory, the least recently used ones dropped first. */
export type ByteCache = {
  /** The file, which counts as used now; undefined when it is not kept. */
  readonly get: (key: string) => Uint8Array | undefined;
  /** Keeps the file unless it alone is larger than a quarter of the cache. */
  readonly set: (key: string, bytes: Uint8Array) => void;
  /** Bytes kept now, overhead included. */
  readonly size: () => number;
};

/** What an entry costs beside its bytes: the key, the map's slot, the array's header. */
const entryOverheadBytes = 256;

/** A cache that holds `bytesMax` bytes at most; with 0 it keeps nothing. */
export function createByteCache(bytesMax: number): ByteCache {
  // A Map remembers the order of insertion, so an entry that is taken out and put back is the youngest.
  const entries = new Map<string, Uint8Array>();
  let size = 0;

  const drop = (key: string, bytes: Uint8Array): void => {
    entries.delete(key);
    size -= bytes.byteLength + entryOverheadBytes;
  };

  return {
    get: (key) => {
      const bytes = entries.get(key);
      if (bytes === undefined) return undefined;
      entries.delete(key);
      entries.set(key, bytes);
      return bytes;
    },
    set: (key, bytes) => {
      const cost = bytes.byteLength + entryOverheadBytes;
      if (cost > bytesMax / 4) return;
      const old = entries.get(key);
      if (old !== undefined) drop(key, old);
      entries.set(key, bytes);
      size += cost;
      for (const [oldest, oldBytes] of entries) {
        if (size <= bytesMax) break;
        drop(oldest, oldBytes);
      }
    },
    size: () => size,
  };
}
