import type { FindingText } from "./finding-text.ts";

type Kept = { readonly count: number; readonly place: string; readonly hours: number };

const keptText = ({ count, place, hours }: Kept) => `${count} in ${place}, the newest ${hours} hours old`;

/** Whether scheduled backups are made. */
export const backupFindings = {
  backups_off: { state: "ok", text: "no backups are scheduled" },
  backups_current: { state: "ok", text: keptText },
  backups_late: {
    state: "problem",
    text: keptText,
    remedy: "look for errors in the server's log, or try cloakroom backup",
  },
  backups_none: {
    state: "warning",
    text: ({ place }: { place: string }) => `none yet in ${place}`,
    remedy: "cloakroom backup makes one now and shows whether it works",
  },
  backup_folder_unusable: {
    state: "problem",
    text: ({ folder, reason }: { folder: string; reason: string }) =>
      `BACKUP_DIR ${folder} cannot be used: ${reason}`,
    remedy: "give it to the server's user, or set BACKUP_DIR to a folder that it may write",
  },
  backups_unreadable: {
    state: "problem",
    text: ({ reason }: { reason: string }) => reason,
    remedy: "check the S3_ settings, or which user may read BACKUP_DIR",
  },
  backup_from_future: {
    state: "problem",
    text: ({ name }: { name: string }) => `${name} is from the future`,
    remedy: "set the clock, remove or rename it",
  },
  backup_incomplete: {
    state: "warning",
    text: ({ name }: { name: string }) => `${name} lacks textures that are lost`,
    remedy: "see cloakroom fsck; complete backups stay beside it",
  },
  backup_unreadable: {
    state: "problem",
    text: ({ reason }: { reason: string }) => reason,
    remedy: "move it away; cloakroom backup makes one now",
  },
  backup_foreign: {
    state: "problem",
    text: ({ name, empty }: { name: string; empty: boolean }) =>
      `${name} is no backup${empty ? ": it is empty" : ""}`,
    remedy: "remove it; cloakroom backup makes one now",
  },
} as const satisfies Readonly<Record<string, FindingText>>;
