/**
 * Milliseconds of each second that the event loop may draw: a fifth of it, so that it keeps answering, and of that a quarter
 * for one client, some dozen heads.
 */
const allMax = 200;
const clientMax = 50;

/** Takes so many milliseconds of the event loop for a client, unless it or all together have had theirs of this second. */
export type TakeLoop = (client: string, milliseconds: number) => boolean;

/** Counts from zero each second. `now` is milliseconds since some moment. */
export function createLoopShare(now: () => number): TakeLoop {
  const taken = new Map<string, number>();
  let all = 0;
  let endsAt = 0;

  return (client, milliseconds) => {
    const at = now();
    if (at >= endsAt) {
      taken.clear();
      all = 0;
      endsAt = at + 1000;
    }
    const own = (taken.get(client) ?? 0) + milliseconds;
    if (own > clientMax || all + milliseconds > allMax) return false;
    taken.set(client, own);
    all += milliseconds;
    return true;
  };
}
