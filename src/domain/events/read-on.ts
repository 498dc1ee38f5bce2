import type { LoggedEvent } from "../model/event.ts";
import type { EventReads } from "../ports/event-store.ts";

/** What follows an event in the log. */
export type NextEvents = {
  /**
   * The id after which the events begin: the one that was asked for. Another one when events between are kept no more, or when
   * the log has not come so far: a reader has to look at everything again.
   */
  readonly after: number;
  /** The oldest first. */
  readonly events: readonly LoggedEvent[];
};

/**
 * Reads the events after the one with this id, `rows` at most. Events between that a later one of the same player has replaced are no
 * loss.
 */
export async function readOn(
  reads: Pick<EventReads, "newestEventId" | "oldestEventId" | "listEvents">,
  after: number,
  rows: number,
): Promise<NextEvents> {
  // In this order: an event that comes in between is no gap.
  const newest = await reads.newestEventId();
  const known = after <= newest ? after : 0;
  const events = await reads.listEvents(known, rows);
  // Without any row all that came after it is gone.
  const begin = (events[0]?.id ?? newest + 1) - 1;
  if (known === after && (begin <= after || (await isComplete(reads, after)))) return { after, events };
  return { after: begin, events };
}

/** Whether all is kept from this event on. Asked after the events were read: what is pruned meanwhile is not taken for replaced. */
async function isComplete(
  { oldestEventId }: Pick<EventReads, "oldestEventId">,
  after: number,
): Promise<boolean> {
  const oldest = await oldestEventId();
  return oldest > 0 && oldest <= after + 1;
}
