import type { LoggedEvent } from "../model/event.ts";
import type { EventReads } from "../ports/event-store.ts";

/** What follows an event in the log. */
export type NextEvents = {
  /**
   * The id after which the events begin. It differs from the requested one if events in between were removed,
   * or if the log is shorter: then a reader has to read everything again.
   */
  readonly after: number;
  /** The oldest first. */
  readonly events: readonly LoggedEvent[];
};

/**
 * Reads the events after the one with this id, `rows` at most. An event that a later one of the same player
 * has replaced is no loss.
 */
export async function readOn(
  reads: Pick<EventReads, "newestEventId" | "oldestEventId" | "listEvents">,
  after: number,
  rows: number,
): Promise<NextEvents> {
  // The order matters: an event that arrives in between is no gap.
  const newest = await reads.newestEventId();
  const known = after <= newest ? after : 0;
  const events = await reads.listEvents(known, rows);
  // Without any row all that came after it is gone.
  const begin = (events[0]?.id ?? newest + 1) - 1;
  if (known === after && (begin <= after || (await isComplete(reads, after)))) return { after, events };
  return { after: begin, events };
}

/**
 * Whether all events from this one on are kept. Asked after the events were read, so that pruned events are
 * not taken for replaced ones.
 */
async function isComplete(
  { oldestEventId }: Pick<EventReads, "oldestEventId">,
  after: number,
): Promise<boolean> {
  const oldest = await oldestEventId();
  return oldest > 0 && oldest <= after + 1;
}
