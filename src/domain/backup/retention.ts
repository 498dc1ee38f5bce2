import type { BackupTarget } from "../ports/backup-ports.ts";

/** How far in the future a name's time may be: the clock may have been corrected by a little. */
const slackSeconds = 60;

const pattern = /^cloakroom-(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}Z)(?:-incomplete)?\.tar\.zst$/;

/**
 * The name of a scheduled backup. Sorting by name sorts by time. `created` in ISO 8601, UTC; `lost`: how many
 * textures the backup lacks.
 */
export function backupName(created: string, lost: number): string {
  const stamp = created.replace(/\.\d+Z$/, "Z").replaceAll(":", "-");
  return `cloakroom-${stamp}${lost === 0 ? "" : "-incomplete"}.tar.zst`;
}

/** The time in a backup's name, in Unix seconds; null for any other name. */
export function backupTime(name: string): number | null {
  const [, hour, minute, second] = pattern.exec(name) ?? [];
  const milliseconds = Date.parse(`${hour}:${minute}:${second}`);
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** Whether the backup of this name has every texture that its database names. */
export function isComplete(name: string): boolean {
  return !name.endsWith("-incomplete.tar.zst");
}

/**
 * Returns the backups among the names, oldest first; separately those whose time lies in the future. `now` in
 * Unix seconds.
 */
export function sortBackups(
  names: readonly string[],
  now: number,
): { readonly made: readonly string[]; readonly fromFuture: readonly string[] } {
  const backups = names.filter((name) => backupTime(name) !== null).toSorted();
  const isAhead = (name: string) => (backupTime(name) ?? 0) > now + slackSeconds;
  return { made: backups.filter((name) => !isAhead(name)), fromFuture: backups.filter(isAhead) };
}

/** What a prune did with the other backups, by name. */
export type Pruned = {
  readonly removed: readonly string[];
  /** Never counted and never removed: their age is unknown. */
  readonly fromFuture: readonly string[];
  /** Why some old backups could not be removed; null when all were. */
  readonly notRemoved: string | null;
};

/**
 * Removes all but the newest `keep` complete backups and the newest `keep` incomplete ones, but never the one
 * that was just put and no other files. Counted together, incomplete backups would displace all complete
 * ones, one each night. `now` in Unix seconds. Never fails; the result says what could not be removed.
 */
export async function pruneBackups(
  target: BackupTarget,
  { put, keep, now }: Readonly<{ put: string; keep: number; now: number }>,
): Promise<Pruned> {
  const removed: string[] = [];
  let fromFuture: readonly string[] = [];
  try {
    const names = sortBackups(await target.list(), now);
    fromFuture = names.fromFuture;
    const kinds = [names.made.filter(isComplete), names.made.filter((name) => !isComplete(name))];
    const old = kinds.flatMap((kind) => kind.slice(0, Math.max(0, kind.length - keep)));
    for (const name of old.filter((one) => one !== put)) {
      await target.remove(name);
      removed.push(name);
    }
    return { removed, fromFuture, notRemoved: null };
  } catch (error) {
    const notRemoved = error instanceof Error ? error.message : String(error);
    return { removed, fromFuture, notRemoved };
  }
}
