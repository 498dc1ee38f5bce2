import type { SessionActivity } from "../domain/sessions/activity.ts";
import type { Transact } from "../domain/stores.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/log.ts";

type Deps = {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly activity: SessionActivity;
  readonly log: Logger;
};

const flushMs = 10_000;
const sweepMs = 60_000;

/** Writes down when sessions were used, and removes what has expired, until it is disposed of. */
export function startHousekeeping(deps: Deps): AsyncDisposable {
  const { activity, log } = deps;
  const flush = () =>
    activity.flush().catch((error: unknown) => log.error("session activity was not kept", { error }));
  const sweep = () =>
    removeExpired(deps).catch((error: unknown) => log.error("expired rows were not removed", { error }));
  const timers = [setInterval(flush, flushMs), setInterval(sweep, sweepMs)];
  void sweep();

  return {
    [Symbol.asyncDispose]: async () => {
      timers.forEach(clearInterval);
      await flush();
    },
  };
}

/** Removes sessions, codes, held names and people who wait to be linked, when their time has passed. Nothing relies on it: every use checks the time. */
async function removeExpired({ transact, clock }: Deps): Promise<void> {
  const now = clock.nowSeconds();
  await transact(async ({ sessions, codes, accounts, identities }) => {
    await sessions.deleteExpiredSessions(now);
    await codes.deleteExpiredCodes(now);
    await accounts.deleteExpiredHolds(now);
    await identities.deleteExpiredPending(now);
  });
}
