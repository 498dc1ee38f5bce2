import { codeOf } from "../kernel/errors.ts";

/** What is wrong, and what to do about it. */
export type FolderReason = { readonly what: string; readonly remedy: string };

const locked = { what: "its database is locked by another process", remedy: "end that one, or try again" };
const full = { what: "no space left on the disk", remedy: "make room" };

/** What a fault of the data folder means for an operator, by the system's code, SQLite's result code or the primary part of that. */
const reasons: Readonly<Record<string, FolderReason>> = {
  EROFS: { what: "its disk is mounted read-only", remedy: "mount it for writing" },
  EACCES: { what: "this user may not write there", remedy: "check who owns it" },
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_READONLY: { what: "its database may not be written", remedy: "check who owns the files" },
  SQLITE_CANTOPEN: { what: "its database cannot be opened", remedy: "check who owns the folder" },
  SQLITE_NOTADB: { what: "the file cloakroom.db in it is no database", remedy: "restore a backup" },
  SQLITE_CORRUPT: { what: "its database is damaged", remedy: "restore a backup" },
  SQLITE_FULL: full,
  // The file beside the database that its users share cannot be made: there is not one page left for it.
  SQLITE_IOERR_SHMSIZE: full,
  SQLITE_IOERR: { what: "the disk answers with errors", remedy: "look for it in the system's log" },
};

/** Of this error alone, not of its cause. Null for what is no such fault. */
export function folderReasonOf(error: unknown): FolderReason | null {
  const code = codeOf(error) ?? "";
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  return reasons[code] ?? reasons[primary] ?? null;
}
