import type { BackupShelf } from "../ports/backup-ports.ts";

/** So far ahead of us a name may be: the clock may have been set right since, by a little. */
const slackSeconds = 60;

const pattern = /^cloakroom-(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}Z)(?:-incomplete)?\.tar\.zst$/;

/**
 * What a scheduled backup is called: sorted by name is sorted by time. `created` in ISO 8601, UTC; `lost`: textures that it
 * could not take.
 */
export function backupName(created: string, lost: number): string {
  const stamp = created.replace(/\.\d+Z$/, "Z").replaceAll(":", "-");
  return `cloakroom-${stamp}${lost === 0 ? "" : "-incomplete"}.tar.zst`;
}

/** When a backup of this name was made, in Unix seconds; null for a name that is none of ours. */
export function backupTime(name: string): number | null {
  const [, hour, minute, second] = pattern.exec(name) ?? [];
  const milliseconds = Date.parse(`${hour}:${minute}:${second}`);
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** Whether the backup of this name holds every texture that its database names. */
export function isWhole(name: string): boolean {
  return !name.endsWith("-incomplete.tar.zst");
}

/** The backups among the names, oldest first; apart those of a clock that was ahead. `now` in Unix seconds. */
export function sortBackups(
  names: readonly string[],
  now: number,
): { readonly made: readonly string[]; readonly fromFuture: readonly string[] } {
  const backups = names.filter((name) => backupTime(name) !== null).toSorted();
  const isAhead = (name: string) => (backupTime(name) ?? 0) > now + slackSeconds;
  return { made: backups.filter((name) => !isAhead(name)), fromFuture: backups.filter(isAhead) };
}

/** What became of the other backups when one was put beside them, by name. */
export type Tidied = {
  readonly removed: readonly string[];
  /** Never counted and never removed: nobody knows how old they are. */
  readonly fromFuture: readonly string[];
  /** Why older ones that are too many are left; null: none are. The new one is there in any case. */
  readonly notRemoved: string | null;
};

/**
 * Removes all but the newest `keep` whole backups and the newest `keep` incomplete ones, never the one that was just put, and
 * nothing that is called otherwise: were they counted together, incomplete ones would push out all whole ones, one a night.
 * `now` in Unix seconds. Never fails: it tells what it could not do.
 */
export async function tidyShelf(
  shelf: BackupShelf,
  { put, keep, now }: Readonly<{ put: string; keep: number; now: number }>,
): Promise<Tidied> {
  const removed: string[] = [];
  let fromFuture: readonly string[] = [];
  try {
    const names = sortBackups(await shelf.list(), now);
    fromFuture = names.fromFuture;
    const kinds = [names.made.filter(isWhole), names.made.filter((name) => !isWhole(name))];
    const old = kinds.flatMap((kind) => kind.slice(0, Math.max(0, kind.length - keep)));
    for (const name of old.filter((one) => one !== put)) {
      await shelf.remove(name);
      removed.push(name);
    }
    return { removed, fromFuture, notRemoved: null };
  } catch (error) {
    const notRemoved = error instanceof Error ? error.message : String(error);
    return { removed, fromFuture, notRemoved };
  }
}
