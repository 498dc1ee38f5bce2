import { isTableDue, recordDueTables } from "../../render/tables.ts";

/**
 * Other work of the thread goes between two slices: on the event loop they may take a twentieth of the time.
 * A slice ends with the band in which its time is over; of a picture of 1024 pixels a band takes up to 4 ms,
 * of smaller ones less than 1.
 */
const pauseMs = Bun.isMainThread ? 50 : 5;
const sliceMs = 1;

let timer: Timer | null = null;

/** Records tables for later pictures, after this one was answered. No request waits for it. */
export function recordWhenIdle(): void {
  if (timer || !isTableDue()) return;
  timer = setTimeout(() => {
    timer = null;
    recordDueTables(sliceMs);
    recordWhenIdle();
  }, pauseMs).unref();
}
