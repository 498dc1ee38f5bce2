import { realpathSync } from "node:fs";
import { parse } from "node:path";
import { kind, path, refuse, type Kind } from "./kinds.ts";

/**
 * Folders that the system shares between its programs and users. There our files would lie among those of
 * others, who come and go there, and a restore or a narrowed mode would hit these. Folders in them are as
 * good as any.
 */
const sharedFolders: ReadonlySet<string> = new Set(
  [
    "/bin /boot /dev /dev/shm /etc /home /lib /lib32 /lib64 /proc /root /run /sbin /sys /tmp",
    "/usr /usr/bin /usr/lib /usr/local /usr/local/bin /usr/sbin /usr/share",
    "/var /var/cache /var/lib /var/log /var/run /var/spool /var/tmp",
    "/Applications /Library /System /Users /private /private/etc /private/tmp /private/var",
  ].flatMap((line) => line.split(" ")),
);

/**
 * A folder for us alone, made absolute. Refuses the root of a disk and folders of the system, also behind
 * symbolic links.
 */
export function ownFolder(placeholder: string): Kind<string> {
  return kind(placeholder, (given) => {
    const folder = path(placeholder).parse(given);
    const real = realPathOf(folder);
    const shared = [folder, real].find((one) => sharedFolders.has(one) || parse(one).root === one);
    if (shared !== undefined)
      refuse(`must be a folder of its own, like /var/lib/cloakroom; ${shared} is the system's`);
    return folder;
  });
}

/** The path without links; as it is where nothing is there yet, or nothing that this user may look at. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
