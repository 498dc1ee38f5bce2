import { createGateMemory, openGate } from "../../domain/game/password-throttle.ts";
import type { KeyedHash } from "../../domain/social/login-states.ts";
import type { Clock } from "../../kernel/clock.ts";
import { shareAttempts } from "./attempt-counts.ts";
import { shareCallGate } from "./call-gate.ts";
import { shareJoins } from "./joins.ts";
import { shareOnce } from "./once.ts";
import type { Sender } from "./sender.ts";

type Deps = {
  /** For statements that stand alone. */
  readonly db: Sender;
  /** Makes a hash for one use, by a key that all nodes have and the database has not. */
  readonly hashFor: (use: string) => KeyedHash;
  /** The time that all nodes agree upon. */
  readonly clock: Clock;
  readonly communityId: string;
  /** From the end of a launcher's sign-in to the next one of the account; 0: no wait. */
  readonly passwordIntervalMs: number;
};

/** What all nodes see alike, and that no backup keeps. */
export function shareState({ db, hashFor, clock, communityId, passwordIntervalMs: intervalMs }: Deps) {
  const now = clock.nowSeconds;
  // Keys of the tables are hashes: they are made of addresses of people and of mails, and of secrets of logins.
  const hash = hashFor("cloakroom keys of attempts");
  const ownGate = () => createGateMemory(intervalMs, clock);
  return {
    attempts: shareAttempts({ db, hash, now }),
    once: shareOnce({ db, hash }),
    joins: shareJoins({ db, now }),
    passwordGate: intervalMs === 0 ? openGate : shareCallGate({ db, hash, now, own: ownGate(), intervalMs }),
    /** The same on every node: each prints the link, and each takes it. */
    makeSetupSecret: () => hashFor("cloakroom set-up link")(communityId),
  };
}
