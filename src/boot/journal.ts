import { fstatSync } from "node:fs";
import type { LogLevel } from "../kernel/log.ts";

/** Standard error, where problems and the log go. */
const errorDescriptor = 2;

/**
 * Whether standard error is the stream to the journal that systemd names in `JOURNAL_STREAM`, by device and
 * inode (systemd.exec(5)). The variable alone says little: a program that was started by a service inherits
 * it, and may write elsewhere.
 */
export function errorIsJournal(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { JOURNAL_STREAM: stream = "" } = environment;
  if (stream === "") return false;
  try {
    const { dev, ino } = fstatSync(errorDescriptor, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    // Standard error is closed.
    return false;
  }
}

/** The priorities of syslog (sd-daemon(3)). */
const priorities: Readonly<Record<LogLevel, number>> = { error: 3, warn: 4, info: 6, debug: 7 };

/**
 * The text with its priority before each line, because each line becomes an entry of its own. The journal
 * takes it off again.
 */
export function forJournal(text: string, level: LogLevel): string {
  return text.replaceAll(/(?<=^|\n)(?=[^\n])/g, `<${priorities[level]}>`);
}
