import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { HashReads } from "../ports/hash-reads.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";

/** How many hashes of each kind there are that were not made today's way, by the names of the kinds. */
export type HashCounts = ReadonlyMap<string, number>;

type Deps = {
  readonly reads: { readonly accounts: Pick<HashReads, "countOtherHashes"> };
  readonly hasher: Pick<PasswordHasher, "nameOf">;
};

/** Reading so many takes some milliseconds of a core. */
const pageRows = 2000;
/** How old counts may be. They change as people sign in, and by imports. */
const countSeconds = 60;

/** Counts the hashes that were not made today's way, a page at a time. */
export async function countHashes({ reads, hasher }: Deps): Promise<HashCounts> {
  const counts = new Map<string, number>();
  let after: AccountId | null = null;
  for (;;) {
    const page = await reads.accounts.countOtherHashes({ after, rows: pageRows });
    let rows = 0;
    for (const { head, hashes, last } of page) {
      const name = hasher.nameOf(head);
      counts.set(name, (counts.get(name) ?? 0) + hashes);
      rows += hashes;
      after = after === null || last > after ? last : after;
    }
    if (rows < pageRows) return counts;
    await yieldToEventLoop();
  }
}

/**
 * The same counts for all who ask within a minute. Fails as the database does; the next call then counts
 * again.
 */
export function countedHashes(
  deps: Deps & { readonly clock: Pick<Clock, "steadySeconds"> },
): () => Promise<HashCounts> {
  let counts: Promise<HashCounts> | null = null;
  let countedAt = 0;
  return () => {
    const now = deps.clock.steadySeconds();
    if (counts !== null && now < countedAt + countSeconds) return counts;
    countedAt = now;
    const underway = countHashes(deps);
    underway.catch(() => {
      if (counts === underway) counts = null;
    });
    return (counts = underway);
  };
}
