import type { KeyedHash } from "../../domain/social/login-states.ts";
import type { WholeSeconds } from "../../domain/limits/counters.ts";
import type { CallGate } from "../../domain/ports/call-gate.ts";
import { unlessAway } from "./away.ts";
import type { Sender } from "./sender.ts";

/** How long a call holds the others up whose node went away. A password waits some seconds for its hash at most. */
const callSecondsMax = 20;

type Deps = {
  readonly db: Sender;
  readonly hash: KeyedHash;
  /** The time that all nodes agree upon. */
  readonly now: WholeSeconds;
  /** The gate of this node, which refuses first. */
  readonly own: CallGate;
  readonly intervalMs: number;
};

const enterText = `INSERT INTO used_once AS kept (key, ends_at) VALUES ($1, $2)
ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at WHERE kept.ends_at <= $3 RETURNING key`;
const leaveText = "UPDATE used_once SET ends_at = $2 WHERE key = $1";

/**
 * Lets calls in one by one over all nodes. Other nodes count the interval in whole seconds of the clock, and begin one call in each.
 * Fails with unavailable while the database cannot be asked.
 */
export function shareCallGate({ db, hash, now, own, intervalMs }: Deps): CallGate {
  const keyOf = (key: string) => hash(`call ${key}`);
  const holdSeconds = Math.ceil(intervalMs / 1000);
  const enterShared = async (key: string): Promise<boolean> => {
    const at = now();
    const rows = await db.send(enterText, [keyOf(key), at + callSecondsMax, at]);
    return rows.length === 1;
  };

  return {
    enter: async (key) => {
      if (!(await own.enter(key))) return false;
      let isIn = false;
      try {
        isIn = await enterShared(key);
      } finally {
        if (!isIn) await own.leave(key, { holds: false });
      }
      return isIn;
    },
    leave: async (key, { holds }) => {
      await own.leave(key, { holds });
      // What is not written ends by itself.
      await unlessAway(() => db.send(leaveText, [keyOf(key), now() + (holds ? holdSeconds : 0)]));
    },
  };
}
