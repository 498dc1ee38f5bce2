import { AppError } from "../../kernel/errors.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";

/**
 * Runs a password call for an account, unless another one of the account is at work or ended within the interval, even with
 * success: such a call fails with unauthenticated, as a wrong password does, and counts for nothing. So a password is guessed no
 * faster from many addresses than from one. Web sign-ins are not held up. A refusal takes as long as a call that ran of late:
 * otherwise one that comes at once would show that two names, or a name and a mail address, are one account's.
 */
export type PasswordThrottle = <T>(account: string, call: () => Promise<T>) => Promise<T>;

/**
 * Accounts whose interval runs. Each entry is a password that was hashed, of which there are a hundred a second at most, so
 * within the longest interval no entry is displaced.
 */
const endedMax = 10_000;
/** Calls whose duration is remembered. */
const durationsMax = 32;
/** The longest pause; a call that waited for its turn takes longer. */
const pauseSecondsMax = 1;
/** Refusals that pause at one time, each with a connection; any more are answered at once. */
const pausesMax = 1000;

type Options = {
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Resolves after so many seconds. */
  readonly pause: (seconds: number) => Promise<void>;
};

/** Makes the throttle, whose memory is this process's. `intervalMs` 0: every call runs. */
export function createPasswordThrottle({ intervalMs, clock, pause }: Options): PasswordThrottle {
  const atWork = new Set<string>();
  /** When the account's next call may run. */
  const heldUntil = new BoundedMap<string, number>(endedMax);
  const refuse = createRefusals(pause);
  const now = () => clock.steadySeconds() * 1000;
  if (intervalMs === 0) return (_, call) => call();

  return async (account, call) => {
    if (atWork.has(account) || (heldUntil.get(account) ?? 0) > now()) return refuse.oneMore();
    atWork.add(account);
    const begunAt = now();
    let isTried = true;
    try {
      return await call();
    } catch (error) {
      // The limits refused it before the password was looked at.
      isTried = !(error instanceof AppError && error.code === "limited");
      throw error;
    } finally {
      atWork.delete(account);
      if (isTried) {
        heldUntil.set(account, now() + intervalMs);
        refuse.learn((now() - begunAt) / 1000);
      }
    }
  };
}

function createRefusals(pause: Options["pause"]) {
  const durations: number[] = [];
  let pauses = 0;

  return {
    /** Notes how long a call took. */
    learn: (seconds: number): void => {
      durations.push(Math.min(seconds, pauseSecondsMax));
      if (durations.length > durationsMax) durations.shift();
    },
    oneMore: async (): Promise<never> => {
      const seconds = durations[randomBelow(durations.length)] ?? 0;
      if (pauses < pausesMax) {
        pauses += 1;
        await pause(seconds).finally(() => (pauses -= 1));
      }
      throw refusals.wrongLogin();
    },
  };
}

function randomBelow(count: number): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word % count;
}
