import { createAttemptMemory } from "../../../domain/limits/attempt-memory.ts";
import type { WholeSeconds } from "../../../domain/limits/counters.ts";
import type { Attempt, AttemptStore } from "../../../domain/ports/attempt-store.ts";
import type { KeyedHash } from "../../../domain/social/login-states.ts";
import { BoundedMap } from "../../../kernel/bounded-map.ts";
import { createOneByOne } from "../../../kernel/one-by-one.ts";
import { countAttempts, resetAttempts, refundAttempts } from "./attempt-statements.ts";
import { unlessAway } from "../connections/away.ts";
import type { Sender } from "../../sql/sender.ts";

/** Keys that the database has said no to, and that this node refuses by itself. */
const refusedMax = 10_000;
/**
 * How long this node refuses by itself before it asks again: another node may have made good for attempts
 * meanwhile. A flood under one key costs the database one statement in this time.
 */
const believedSeconds = 5;
/**
 * A window with more than these attempts bounds load, which each node bears by itself; it would make the row
 * long.
 */
const sharedTimesMax = 2_000;

type Deps = {
  readonly db: Sender;
  /** Keys hold addresses of people and of mails. */
  readonly hash: KeyedHash;
  /** The time that all nodes agree upon. */
  readonly now: WholeSeconds;
};

/**
 * Counts attempts in the database, so exactly, for all nodes together. This node's windows count here as well
 * and refuse first; what the database has refused is refused here until it may have changed. While the
 * database cannot be asked, this node counts alone.
 */
export function shareAttempts({ db, hash, now }: Deps): AttemptStore {
  const own = createAttemptMemory(now);
  const keyOf = ({ limit, key }: Attempt) => hash(`${limit} ${key}`);
  const refused = rememberRefused(keyOf, now);
  const oneByOne = createOneByOne();

  const waitSeconds = (attempts: readonly Attempt[]) =>
    Math.max(refused.waitSeconds(attempts), own.waitSeconds(attempts.filter(isWindow)));
  const refundHere = (attempts: readonly Attempt[]) => own.refundHere(attempts.filter(isWindow));

  const ask = async (attempts: readonly Attempt[]): Promise<number> => {
    const shared = attempts.filter((attempt) => !isWindow(attempt) || attempt.rule.times <= sharedTimesMax);
    const given = shared.map((attempt) => ({ key: keyOf(attempt), rule: attempt.rule }));
    const at = now();
    const waits = await countAttempts(db, given, at);
    const longest = Math.max(0, ...waits.values());
    if (longest === 0) return 0;
    refused.keep(waits, at);
    const counted = [...waits].filter(([, wait]) => wait === 0).map(([key]) => key);
    if (counted.length > 0) await refundAttempts(db, counted, at);
    return longest;
  };
  const confirm = async (attempts: readonly Attempt[]): Promise<number> => {
    // The one before may have learned that there is nothing to ask.
    const known = refused.waitSeconds(attempts);
    const answer = known > 0 ? known : await unlessAway(() => ask(attempts));
    const wait = answer ?? own.takeHere(attempts.filter((attempt) => !isWindow(attempt)));
    if (wait > 0) refundHere(attempts);
    return wait;
  };

  return {
    waitSeconds,
    takeHere: (attempts) => {
      const wait = refused.waitSeconds(attempts);
      return wait > 0 ? wait : own.takeHere(attempts.filter(isWindow));
    },
    takeForAll: (attempts) => {
      const last = attempts.at(-1);
      // The last is the narrowest: attempts under other keys wait for nothing.
      return last === undefined ? Promise.resolve(0) : oneByOne(keyOf(last), () => confirm(attempts));
    },
    refundHere,
    reset: async (attempts) => {
      refundHere(attempts);
      refused.forget(attempts);
      await unlessAway(() => resetAttempts(db, attempts.map(keyOf)));
    },
    refund: async (attempts) => {
      refundHere(attempts);
      refused.forget(attempts);
      await unlessAway(() => refundAttempts(db, attempts.map(keyOf), now()));
    },
  };
}

/** What the database has refused, by key. */
function rememberRefused(keyOf: (attempt: Attempt) => string, now: WholeSeconds) {
  const refused = new BoundedMap<string, { readonly until: number; readonly at: number }>(refusedMax);
  return {
    /** Seconds for which this node refuses the attempts by itself; 0: the database has to be asked. */
    waitSeconds: (attempts: readonly Attempt[]): number => {
      const at = now();
      const waits = attempts.map((attempt) => {
        const known = refused.get(keyOf(attempt));
        const isBelieved = attempt.isFinal === true || at < (known?.at ?? 0) + believedSeconds;
        return known === undefined || !isBelieved ? 0 : Math.max(0, known.until - at);
      });
      return Math.max(0, ...waits);
    },
    /** Seconds to wait by key, as the database answered at this time. */
    keep: (waits: ReadonlyMap<string, number>, at: number): void => {
      for (const [key, wait] of waits) if (wait > 0) refused.set(key, { until: at + wait, at });
    },
    forget: (attempts: readonly Attempt[]): void => {
      for (const attempt of attempts) refused.delete(keyOf(attempt));
    },
  };
}

function isWindow({ rule }: Attempt): boolean {
  return !("secondsMax" in rule);
}
