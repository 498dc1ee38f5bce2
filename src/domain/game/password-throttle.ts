import { AppError } from "../../kernel/errors.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";

/**
 * Runs a password call for an account, unless another one of the account is at work or ended within the interval, even with
 * success: such a call fails with unauthenticated, as a wrong password does, and counts for nothing. So a password is guessed no
 * faster from many addresses than from one. Web sign-ins are not held up.
 */
export type PasswordThrottle = <T>(account: string, call: () => Promise<T>) => Promise<T>;

/**
 * Accounts whose interval runs. Each entry is a password that was hashed, of which there are a hundred a second at most, so
 * within the longest interval no entry is displaced.
 */
const endedMax = 10_000;

/** Makes the throttle, whose memory is this process's. `intervalMs` 0: every call runs. */
export function createPasswordThrottle(options: {
  readonly intervalMs: number;
  readonly clock: Clock;
}): PasswordThrottle {
  const { intervalMs, clock } = options;
  const atWork = new Set<string>();
  /** When the account's next call may run. */
  const heldUntil = new BoundedMap<string, number>(endedMax);
  const now = () => clock.steadySeconds() * 1000;
  if (intervalMs === 0) return (_, call) => call();

  return async (account, call) => {
    if (atWork.has(account) || (heldUntil.get(account) ?? 0) > now()) throw refusals.wrongLogin();
    atWork.add(account);
    let isTried = true;
    try {
      return await call();
    } catch (error) {
      // The limits refused it before the password was looked at.
      isTried = !(error instanceof AppError && error.code === "limited");
      throw error;
    } finally {
      atWork.delete(account);
      if (isTried) heldUntil.set(account, now() + intervalMs);
    }
  };
}
