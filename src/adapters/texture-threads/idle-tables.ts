import { isTableDue, recordDueTables } from "../../render/tables.ts";

/** Other work of the thread goes between two slices: at most a twentieth of its time is spent. */
const pauseMs = 50;
const sliceMs = 2;

let timer: Timer | null = null;

/** Records tables for later pictures, after this one was answered. Nobody waits for it. */
export function recordWhenIdle(): void {
  if (timer || !isTableDue()) return;
  timer = setTimeout(() => {
    timer = null;
    recordDueTables(sliceMs);
    recordWhenIdle();
  }, pauseMs).unref();
}
