import { limits } from "../../kernel/limits.ts";
import { system } from "../model/actor.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/** Rows that one transaction removes: some milliseconds. */
const batchRows = 2_000;

/** Removes events that are too old or too many to be kept, some thousands at most. */
export async function pruneEvents({ transact }: { readonly transact: Transact }): Promise<void> {
  for (let removed = batchRows, run = 0; removed === batchRows && run < runsMax; run++) {
    removed = await transact(system, ({ events, now }) =>
      events.deleteOldEvents({
        before: now - limits.eventSeconds,
        kept: limits.eventsKeptMax,
        rows: batchRows,
      }),
    );
  }
}

/** What is left after so many waits for the next time. */
const runsMax = 50;
