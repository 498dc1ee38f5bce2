import { within } from "./within.ts";

/**
 * Shares one run of a slow check between concurrent callers. Each caller waits `seconds` at most and then
 * fails with an error that begins with `late`; the run itself goes on.
 */
export function singleFlight<T>(run: () => Promise<T>, seconds: number, late: string): () => Promise<T> {
  let underway: Promise<T> | null = null;

  return () => {
    underway ??= run().finally(() => (underway = null));
    return within(seconds * 1000, underway, () => {
      throw new Error(`${late} within ${seconds} seconds`);
    });
  };
}
