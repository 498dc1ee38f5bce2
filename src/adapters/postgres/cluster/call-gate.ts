import type { KeyedHash } from "../../../domain/social/login-states.ts";
import type { WholeSeconds } from "../../../domain/limits/counters.ts";
import { askAgainSeconds } from "../../../domain/game/call-gates.ts";
import type { CallGate } from "../../../domain/ports/call-gate.ts";
import { unlessAway } from "../connections/away.ts";
import type { Sender } from "../../sql/sender.ts";

/**
 * How long a call holds the others up whose node went away. A password waits some seconds for its hash at
 * most.
 */
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
const leaveText = "UPDATE used_once SET ends_at = $2 WHERE key = $1 AND ends_at = $3";

/**
 * Lets calls in one by one over all nodes. Other nodes count the interval in whole seconds of the clock, and
 * begin one call in each. Fails with unavailable while the database cannot be asked.
 */
export function shareCallGate({ db, hash, now, own, intervalMs }: Deps): CallGate {
  const keyOf = (key: string) => hash(`call ${key}`);
  const holdSeconds = Math.ceil(intervalMs / 1000);
  /**
   * Until when the calls of this node hold the others up: a call that took longer leaves a gate that another
   * one has.
   */
  const held = new Map<string, number>();
  const enterShared = async (key: string): Promise<boolean> => {
    const at = now();
    const until = at + callSecondsMax;
    const rows = await db.send(enterText, [keyOf(key), until, at]);
    if (rows.length === 1) held.set(key, until);
    return rows.length === 1;
  };

  return {
    enter: async (key) => {
      const seconds = await own.enter(key);
      if (seconds > 0) return seconds;
      let isIn = false;
      try {
        isIn = await enterShared(key);
      } finally {
        if (!isIn) await own.leave(key, { holds: false });
      }
      return isIn ? 0 : askAgainSeconds;
    },
    leave: async (key, { holds }) => {
      const until = held.get(key);
      held.delete(key);
      await own.leave(key, { holds });
      if (until === undefined) return;
      // What is not written ends by itself.
      await unlessAway(() => db.send(leaveText, [keyOf(key), now() + (holds ? holdSeconds : 0), until]));
    },
  };
}
