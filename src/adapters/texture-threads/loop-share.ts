/** Milliseconds of each second that the event loop may draw: a tenth, of which one client gets no more than a fifth. */
const allMax = 100;
const clientMax = 20;

/** How much of the event loop's time drawing takes, altogether and for each client. */
export type LoopShare = {
  /** Whether the client, and all together, may have more of this second. */
  readonly isLeft: (client: string) => boolean;
  readonly spend: (client: string, milliseconds: number) => void;
};

/** Counts anew each second. `now` is milliseconds since some moment. */
export function createLoopShare(now: () => number): LoopShare {
  const spent = new Map<string, number>();
  let all = 0;
  let endsAt = 0;

  return {
    isLeft: (client) => {
      const at = now();
      if (at >= endsAt) {
        spent.clear();
        all = 0;
        endsAt = at + 1000;
      }
      return all < allMax && (spent.get(client) ?? 0) < clientMax;
    },
    spend: (client, milliseconds) => {
      all += milliseconds;
      spent.set(client, (spent.get(client) ?? 0) + milliseconds);
    },
  };
}
