import { takeAttempts } from "../limits/address-limit.ts";
import { hashedKey } from "../limits/counters.ts";
import type { Attempt, AttemptStore } from "../ports/attempt-store.ts";
import type { CallGate } from "../ports/call-gate.ts";
import { createTurnstiles, type Turnstiles } from "./turnstiles.ts";

/** A password that a launcher sends: what it is tried on, and from where. */
export type LauncherTry = {
  /** The client's name for the account, normalised as for the lookup. */
  readonly login: string;
  /** The account behind it, or the login where no account has it. */
  readonly account: string;
  /**
   * The network that the try comes from, where a sign-in to this account lately came from it; null: a
   * stranger's.
   */
  readonly knownNetwork: string | null;
  /** The largest network of the client, among which turns are shared. */
  readonly site: string;
};

/**
 * Runs a comparison of a password in its lane. Each login has one for strangers, and one for each network
 * that signed in to the account lately, so strangers hold up strangers alone. In a lane one comparison runs
 * at a time, and the next begins two intervals after its end; what would wait for more than three seconds
 * fails with limited. The lane shows what a login is tried, and nothing of the account: no answer and no wait
 * says that two names, or a name and a mail address, are one account's.
 *
 * The comparison learns whether a right password may fit: over all lanes of strangers, an account has one
 * such comparison in an interval, and one site has half of them. Strangers who try two logins of an account
 * reach that exactly.
 */
export type PasswordThrottle = <T>(
  given: LauncherTry,
  compare: (mayFit: boolean) => Promise<T>,
) => Promise<T>;

/**
 * Intervals between two comparisons of one lane, so that two lanes of an account together keep to the
 * interval.
 */
const intervalsOfLane = 2;
/** How long a comparison may wait for its turn. Launchers show that they are busy meanwhile. */
const waitSecondsMax = 3;

/**
 * The pause of a lane, in milliseconds, for the gate that it passes. `intervalMs`: the setting
 * YGGDRASIL_PASSWORD_INTERVAL_MS.
 */
export function lanePauseMs(intervalMs: number): number {
  return intervalMs * intervalsOfLane;
}

type Deps = {
  readonly intervalMs: number;
  /** The number of lanes, with `lanePauseMs` between two calls. */
  readonly laneGate: CallGate;
  readonly attempts: AttemptStore;
  /** Resolves after so many seconds. */
  readonly pause: (seconds: number) => Promise<void>;
};

/** Makes the throttle. Without an interval every comparison runs at once. */
export function createPasswordThrottle({
  intervalMs,
  laneGate: gate,
  attempts,
  pause,
}: Deps): PasswordThrottle {
  if (intervalMs === 0) return (_, compare) => compare(true);
  const pauseSeconds = lanePauseMs(intervalMs) / 1000;
  const lanes: Turnstiles = createTurnstiles({ gate, pause, pauseSeconds, waitSecondsMax });
  const counted = async <T>(given: LauncherTry, compare: (mayFit: boolean) => Promise<T>): Promise<T> => {
    const taken = guessesOf(given, intervalMs);
    const mayFit = (await takeAttempts(attempts, taken)) === 0;
    try {
      return await compare(mayFit);
    } catch (error) {
      // The password was not compared.
      if (mayFit) await attempts.refund(taken);
      throw error;
    }
  };

  return (given, compare) => {
    const lane = given.knownNetwork === null ? given.login : `${given.login} ${given.knownNetwork}`;
    return lanes.pass(hashedKey(lane), given.site, () => counted(given, compare));
  };
}

/**
 * What a comparison counts for: as many as intervals for an account, in whole seconds, because windows count
 * in them. A site of strangers has half of that, so that it leaves a guess to the owner at another place,
 * whatever logins it tries.
 */
function guessesOf({ account, knownNetwork, site }: LauncherTry, intervalMs: number): readonly Attempt[] {
  const seconds = Math.ceil(lanePauseMs(intervalMs) / 1000);
  const times = Math.max(1, Math.floor((seconds * 1000) / intervalMs));
  const ofAccount = { limit: "launcherByAccount", key: hashedKey(`${account} ${knownNetwork ?? ""}`) };
  const all = { ...ofAccount, rule: { seconds, times } };
  if (knownNetwork !== null) return [all];
  const rule = { seconds, times: Math.max(1, Math.floor(times / 2)) };
  return [all, { limit: "launcherByAccount of a site", key: hashedKey(`${account} ${site}`), rule }];
}
