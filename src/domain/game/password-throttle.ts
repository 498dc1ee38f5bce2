import { AppError } from "../../kernel/errors.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";
import type { CallGate } from "../ports/call-gate.ts";

/**
 * Runs a password call for an account, unless another one of the account is at work or ended within the interval, even with
 * success: such a call fails with unauthenticated, as a wrong password does, and counts for nothing. So a password is guessed no
 * faster from many addresses than from one. Web sign-ins are not held up. A refusal takes as long as a call that ran of late:
 * otherwise one that comes at once would show that two names, or a name and a mail address, are one account's.
 */
export type PasswordThrottle = <T>(account: string, call: () => Promise<T>) => Promise<T>;

/** Calls whose duration is remembered. */
const durationsMax = 32;
/** The longest pause; a call that waited for its turn takes longer. */
const pauseSecondsMax = 1;
/** Refusals that pause at one time, each with a connection; any more are answered at once. */
const pausesMax = 1000;

/** Makes the throttle of the calls that the gate lets in. */
export function createPasswordThrottle(deps: {
  readonly gate: CallGate;
  readonly clock: Clock;
  /** Resolves after so many seconds. */
  readonly pause: (seconds: number) => Promise<void>;
}): PasswordThrottle {
  const { gate, clock } = deps;
  const refuse = createRefusals(deps.pause);

  return async (account, call) => {
    if (!(await gate.enter(account))) return refuse.oneMore();
    const begunAt = clock.steadySeconds();
    let isTried = true;
    try {
      return await call();
    } catch (error) {
      // The limits refused it before the password was looked at.
      isTried = !(error instanceof AppError && error.code === "limited");
      throw error;
    } finally {
      if (isTried) refuse.learn(clock.steadySeconds() - begunAt);
      await gate.leave(account, { holds: isTried });
    }
  };
}

/** A gate that lets every call in, at once. */
export const openGate: CallGate = { enter: async () => true, leave: async () => undefined };

/**
 * Keys whose interval runs. Each entry is a password that was hashed, of which there are a hundred a second at most, so within the
 * longest interval no entry is displaced.
 */
const endedMax = 10_000;

/** A gate for the calls of one process, in its memory. `intervalMs`: from the end of a call to the beginning of the next. */
export function createGateMemory(intervalMs: number, clock: Clock): CallGate {
  const atWork = new Set<string>();
  /** When the key's next call may run. */
  const heldUntil = new BoundedMap<string, number>(endedMax);
  const now = () => clock.steadySeconds() * 1000;

  return {
    enter: async (key) => {
      if (atWork.has(key) || (heldUntil.get(key) ?? 0) > now()) return false;
      atWork.add(key);
      return true;
    },
    leave: async (key, { holds }) => {
      atWork.delete(key);
      if (holds) heldUntil.set(key, now() + intervalMs);
    },
  };
}

function createRefusals(pause: (seconds: number) => Promise<void>) {
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
