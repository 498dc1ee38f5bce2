import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { codeOf, isOutOfFiles } from "../../kernel/errors.ts";

/** The files of this process: what is open, connections included. */
export type OpenFiles = Disposable & {
  /** How many may be open at once. */
  readonly max: number;
  readonly count: () => number;
  /**
   * The numbers of all that are open. Works while no file is left, if no other thread takes the last one at
   * that moment.
   */
  readonly descriptors: () => readonly number[];
};

const folder = "/proc/self/fd";

/**
 * How many files a process, or this one, may have open at once; null where the system does not say it, or the
 * process has ended. The runtime raises it as far as it may.
 */
export function openFilesMax(pid: number | "self" = "self"): number | null {
  if (process.platform !== "linux") return null;
  const [, soft] = /^Max open files +(\S+)/m.exec(limitsOf(pid)) ?? [];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Infinity : Number(soft);
}

function limitsOf(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH" || codeOf(error) === "EACCES") return "";
    throw error;
  }
}

/** Null where the system does not show them. */
export function watchOpenFiles(): OpenFiles | null {
  const max = openFilesMax();
  if (max === null) return null;
  // Reading the folder takes a file: this one is given up for it when no other is left.
  let reserve: number | null = null;
  const giveUp = (): void => {
    if (reserve !== null) closeSync(reserve);
    reserve = null;
  };
  const reserveAgain = (): void => {
    if (reserve !== null) return;
    try {
      reserve = openSync("/dev/null", "r");
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
    }
  };
  const descriptors = (): readonly number[] => {
    try {
      return readdirSync(folder).map(Number);
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
      giveUp();
      return readdirSync(folder).map(Number);
    } finally {
      reserveAgain();
    }
  };

  reserveAgain();
  return {
    max,
    // The size is their number since Linux 6.2, and 0 before.
    count: () => statSync(folder).size || descriptors().length,
    descriptors,
    [Symbol.dispose]: giveUp,
  };
}
