import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { OnceStore } from "../ports/once-store.ts";

/** Used things that are remembered, some 3 MB. */
const usedMax = 10_000;

/** Remembers in this process's memory what was used, the newest alone, for a process that answers alone. */
export function createOnceMemory(): OnceStore {
  const used = new BoundedMap<string, true>(usedMax);
  return {
    use: async (key) => {
      if (used.has(key)) return false;
      used.set(key, true);
      return true;
    },
  };
}
