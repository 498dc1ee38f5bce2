import { openFilesMax } from "../adapters/linux/open-files.ts";
import { found, type CodedFinding } from "../domain/health/finding.ts";

/**
 * Each connection, upload and thread holds one or two; 1024, the usual bound, is used up by a busy evening.
 */
const openFilesMin = 4096;

/** How many files a process may have open at once. `who`: the process, in words. */
export function openFilesFinding(max = openFilesMax(), who = "this process"): CodedFinding {
  if (max === null) return found("open_files_unknown");
  if (!Number.isFinite(max)) return found("open_files_unbounded", { who });
  if (max >= openFilesMin) return found("open_files_enough", { who, most: max });
  return found("open_files_few", { who, most: max, least: openFilesMin });
}
