import type { BackupShelf } from "./ports.ts";

const pattern = /^cloakroom-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.tar\.zst$/;

/** What a scheduled backup is called: sorted by name is sorted by time. `created` in ISO 8601, UTC. */
export function backupName(created: string): string {
  return `cloakroom-${created.replace(/\.\d+Z$/, "Z").replaceAll(":", "-")}.tar.zst`;
}

/** When a backup of this name was made, in Unix seconds; null for a name that is none of ours. */
export function backupTime(name: string): number | null {
  if (!pattern.test(name)) return null;
  const iso = name.slice("cloakroom-".length, -".tar.zst".length).replace(/-(\d{2})-(\d{2}Z)$/, ":$1:$2");
  return Math.floor(Date.parse(iso) / 1000);
}

/** Removes all but the newest `keep` backups, and nothing that is called otherwise. Tells which went. */
export async function keepNewest(shelf: BackupShelf, keep: number): Promise<readonly string[]> {
  const names = (await shelf.list()).filter((name) => pattern.test(name)).toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await shelf.remove(name);
  return old;
}
