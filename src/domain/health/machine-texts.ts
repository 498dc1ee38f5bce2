import { sizeText } from "../../kernel/size-text.ts";
import type { FindingText } from "./finding-text.ts";

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** How to allow a process more files. */
export const moreFiles =
  "LimitNOFILE in the service unit, ulimit -Hn before a start by hand, --ulimit nofile or ulimits of Docker";

/** The disk, the clock and the files of the machine. */
export const machineFindings = {
  disk_unknown: { state: "ok", text: "the file system does not say how much is free" },
  disk_free: { state: "ok", text: ({ free }: { free: number }) => `${sizeText(free)} are free` },
  disk_low: {
    state: "warning",
    text: ({ free, database }: { free: number; database: number }) =>
      `${sizeText(free)} are free, the database has ${sizeText(database)}`,
    remedy: "make room: a backup needs the database's size twice",
  },
  disk_full: {
    state: "problem",
    text: ({ free }: { free: number }) => `${sizeText(free)} are free`,
    remedy: "make room: uploads and sign-ins fail when the disk is full",
  },
  texture_disk_free: {
    state: "ok",
    text: ({ free }: { free: number }) => `${sizeText(free)} are free on the textures' own`,
  },
  texture_disk_low: {
    state: "warning",
    text: ({ free }: { free: number }) => `${sizeText(free)} are free on the textures' own`,
    remedy: "make room",
  },
  texture_disk_full: {
    state: "problem",
    text: ({ free }: { free: number }) => `${sizeText(free)} are free on the textures' own`,
    remedy: "make room: uploads fail when that disk is full",
  },
  clock_right: { state: "ok", text: ({ now }: { now: number }) => isoOf(now) },
  clock_behind: {
    state: "problem",
    text: ({ newest }: { newest: number }) =>
      `the newest row is from ${isoOf(newest)}, which is in the future`,
    remedy: "set this machine's clock, and keep it set with NTP",
  },
  open_files_unknown: { state: "ok", text: "not checked on this system" },
  open_files_hidden: {
    state: "ok",
    text: ({ place }: { place: string }) =>
      `the limit of the server on ${place} is not shown here; its start warns of a low one`,
  },
  open_files_unbounded: {
    state: "ok",
    text: ({ who }: { who: string }) => `${who} may open any number of files at once, connections included`,
  },
  open_files_enough: {
    state: "ok",
    text: ({ who, most }: { who: string; most: number }) =>
      `${who} may open ${most} files at once, connections included`,
  },
  open_files_few: {
    state: "warning",
    text: ({ who, most }: { who: string; most: number; least: number }) =>
      `${who} may open only ${most} files at once, connections included`,
    remedy: ({ least }: { least: number }) => `allow ${least} or more: ${moreFiles}`,
  },
} as const satisfies Readonly<Record<string, FindingText>>;
