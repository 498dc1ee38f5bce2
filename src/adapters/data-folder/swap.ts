import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";

const database = "cloakroom.db";
/** What a backup replaces even when it has no such thing itself, the database first. */
const always = [
  database,
  `${database}-wal`,
  `${database}-shm`,
  "textures",
  "default-skins",
  "mail-templates",
];

/** Where whole, verified contents wait to be moved in: inside the data folder, which may be a mount point and then cannot be renamed. */
export function waitingPath(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** True when a swap was cut off: the database is moved in last. */
export function isSwapCutOff(dataDir: string): boolean {
  return existsSync(join(waitingPath(dataDir), database));
}

/**
 * Moves what is in the folder `source` into the data folder, and what it replaces into the folder `aside`. Secrets are
 * replaced only by secrets. When a step fails those before are taken back; a swap that is cut off goes on when its waiting
 * folder is the source. Tells whether anything was put aside.
 */
export async function swapIn(dataDir: string, source: string, aside: string): Promise<boolean> {
  const waiting = waitingPath(dataDir);
  const present = await readdir(source);
  const incoming = [...always, "secrets"].filter((name) => present.includes(name));
  const outgoing = [...new Set([...always, ...incoming])].filter((name) => existsSync(join(dataDir, name)));
  const moved: [from: string, to: string][] = [];
  const move = async (from: string, to: string): Promise<void> => {
    if (from === to) return;
    await rename(from, to);
    moved.push([from, to]);
  };
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    await move(source, waiting);
    for (const name of outgoing) await move(join(dataDir, name), join(aside, name));
    await syncFolder(aside);
    for (const name of incoming.toSorted(databaseLast)) await move(join(waiting, name), join(dataDir, name));
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await rename(to, from);
    await rmdir(aside);
    throw error;
  }
  await syncFolder(dataDir);
  for (const folder of [waiting, aside]) await removeEmpty(folder);
  return outgoing.length > 0;
}

function databaseLast(one: string, other: string): number {
  return Number(one === database) - Number(other === database);
}

/** What else somebody put into a folder stays. */
async function removeEmpty(folder: string): Promise<void> {
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

/** Windows cannot open folders; its file system keeps their entries in its journal. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}
