import type { DeliveryVersion } from "../../domain/ports/pictures.ts";
import type { Db } from "./open.ts";

/**
 * How long a change made by another process (the command line) may go unseen. Asking SQLite costs 1.2 µs, which on the
 * hottest path is a seventh of the whole request.
 */
const otherProcessMs = 20;

export type DeliveryChanges = {
  /** Notes that the running transaction changes what delivery answers. */
  readonly touch: () => void;
  /** Makes the noted change count. */
  readonly commit: () => void;
  readonly version: DeliveryVersion;
};

/** Counts changes: this process's own at once, another's (SQLite's `data_version` of the writing handle) within 20 ms, which `onForeignChange` hears of. */
export function trackDeliveryChanges(writer: Db, onForeignChange: () => void): DeliveryChanges {
  const dataVersion = writer.$client.query<{ data_version: number }, []>("PRAGMA data_version");
  const readDataVersion = () => dataVersion.get()?.data_version ?? 0;
  let touched = false;
  let version = 1;
  let seen = readDataVersion();
  let lookedAt = performance.now();

  return {
    touch: () => {
      touched = true;
    },
    commit: () => {
      if (touched) version += 1;
      touched = false;
    },
    version: (now = performance.now()) => {
      if (now - lookedAt < otherProcessMs) return version;
      lookedAt = now;
      const current = readDataVersion();
      if (current !== seen) {
        version += 1;
        // What is read under the new version must not come from before the change.
        onForeignChange();
      }
      seen = current;
      return version;
    },
  };
}
