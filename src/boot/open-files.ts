import { openFilesMax } from "../adapters/linux/open-files.ts";
import type { SettingTrap } from "./config/traps.ts";

/** Each connection, upload and thread holds one or two; 1024, the usual bound, is used up by a busy evening. */
const openFilesMin = 4096;

/** How to allow a process more files. */
export const moreFiles =
  "LimitNOFILE in the service unit, ulimit -Hn before a start by hand, --ulimit nofile or ulimits of Docker";

/** How many files a process may have open, in words, and what is wrong with it. `who`: the process, in words. */
export function openFilesFacts(
  max = openFilesMax(),
  who = "this process",
): {
  readonly text: string;
  readonly trap: SettingTrap | null;
} {
  if (max === null) return { text: "not checked on this system", trap: null };
  const count = `${Number.isFinite(max) ? max : "any number of"} files at once, connections included`;
  const text = `${who} may open ${count}`;
  if (max >= openFilesMin) return { text, trap: null };
  const remedy = `allow ${openFilesMin} or more: ${moreFiles}`;
  return { text, trap: { message: `${who} may open only ${count}`, remedy } };
}
