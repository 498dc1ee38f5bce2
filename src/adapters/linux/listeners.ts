/** Which process listens at an address of this machine, as the kernel shows it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** A TCP port, or the path of a socket file. */
export type ListeningPlace = { readonly port: number } | { readonly socketFile: string };

/** `TCP_LISTEN` in the kernel's tables. */
const listening = "0A";

/**
 * The process of this program that listens there. Null where there is none, or several, or where this user
 * may not see it: only root sees those of others. What holds a container's port is another program.
 */
export function findListener(place: ListeningPlace): number | null {
  if (process.platform !== "linux") return null;
  const wanted = new Set(inodesOf(place).map((inode) => `socket:[${inode}]`));
  if (wanted.size === 0) return null;
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = processes.filter((pid) => programOf(pid) === ownName && holdsOne(`/proc/${pid}/fd`, wanted));
  return found.length === 1 ? Number(found[0]) : null;
}

const ownName = basename(process.execPath);

/** The name of its file, which an upgrade may have replaced. */
function programOf(pid: string): string {
  const [file = ""] = lookOrNothing(() => [readlinkSync(`/proc/${pid}/exe`)]);
  return basename(file.replace(/ \(deleted\)$/, ""));
}

function inodesOf(place: ListeningPlace): readonly string[] {
  if ("socketFile" in place) {
    const rows = rowsOf("/proc/net/unix");
    return rows.filter((row) => row.slice(7).join(" ") === place.socketFile).map((row) => row[6] ?? "");
  }
  const port = place.port.toString(16).toUpperCase().padStart(4, "0");
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(rowsOf);
  return rows
    .filter(([, local = "", , state]) => state === listening && local.endsWith(`:${port}`))
    .map((row) => row[9] ?? "");
}

/** The rows of a table of the kernel, by their columns. */
function rowsOf(path: string): readonly (readonly string[])[] {
  return lookOrNothing(() => readFileSync(path, "utf8").split("\n").slice(1)).map((row) =>
    row.trim().split(/\s+/),
  );
}

function holdsOne(folder: string, wanted: ReadonlySet<string>): boolean {
  const names = lookOrNothing(() => readdirSync(folder));
  return names.some((name) =>
    lookOrNothing(() => [readlinkSync(`${folder}/${name}`)]).some((link) => wanted.has(link)),
  );
}

/** Processes end, files close, and those of other users are not shown. */
function lookOrNothing(look: () => readonly string[]): readonly string[] {
  try {
    return look();
  } catch {
    return [];
  }
}
