import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { AuditReads } from "../ports/audit-store.ts";
import {
  beforeFirstEntry,
  chainProblem,
  missingEntries,
  type ChainedEntry,
  type ChainLink,
} from "../model/audit-chain.ts";

/** The result of a check of the chain. */
export type ChainReport = {
  /**
   * The newest valid entry; its number is how many are valid. Number 0 and an empty hash when the audit is
   * empty.
   */
  readonly newest: ChainLink;
  /** The first invalid entry and its problem; null when all are valid. */
  readonly fault: { readonly entry: number; readonly problem: string } | null;
  /** The number of the valid entry with the noted hash; null without one. */
  readonly notedEntry: number | null;
};

/** Entries that are verified at once: a millisecond's worth. */
const pageRows = 250;

/**
 * Reads the audit from its first entry, one page in memory at a time, between which other work gets the event
 * loop, and computes every hash again. Stops at the first invalid entry. `noted` is a hash that was once the
 * newest: a chain that was rewritten from the start no longer contains it.
 */
export async function verifyChain(
  audit: AuditReads,
  options: {
    readonly noted: string | null;
    readonly onProgress: (entries: number) => void;
    /** The entry that it begins after, which was valid; without it, the beginning. */
    readonly from?: ChainLink;
  },
): Promise<ChainReport> {
  // Counted first, because entries may be added meanwhile.
  const written = await audit.countWritten();
  let newest = options.from ?? beforeFirstEntry;
  let notedEntry: number | null = null;
  for await (const page of chainPages(audit, newest.id)) {
    for (const entry of page) {
      const problem = chainProblem(entry, newest);
      if (problem !== null) return { newest, fault: { entry: entry.id, problem }, notedEntry };
      if (entry.hash === options.noted) notedEntry = entry.id;
      newest = { id: entry.id, hash: entry.hash, version: entry.version };
    }
    options.onProgress(newest.id);
    await yieldToEventLoop();
  }
  return { newest, fault: missingAtEnd(newest.id, written), notedEntry };
}

/** Yields the audit from the entry after this number, oldest first, one page in memory at a time. */
export async function* chainPages(audit: AuditReads, after: number): AsyncGenerator<readonly ChainedEntry[]> {
  for (let last = after; ;) {
    const page = await audit.readChain(last, pageRows);
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    last = page.at(-1)?.id ?? last;
  }
}

function missingAtEnd(newest: number, written: number): ChainReport["fault"] {
  if (written <= newest) return null;
  return { entry: newest + 1, problem: `${missingEntries(newest + 1, written)} at the end` };
}
