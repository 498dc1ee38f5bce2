import type { Term, Upkeep } from "../domain/ports/leadership.ts";
import type { Logger } from "../kernel/log.ts";
import { repeat } from "./repeat.ts";

/**
 * Does what the engine asks of the leader until it is disposed of. Nothing begins once the term has ended.
 */
export function startUpkeep(upkeep: readonly Upkeep[], term: Term, log: Logger): AsyncDisposable {
  const jobs = upkeep.map(({ failure, everyMs, run }) =>
    repeat(log, failure, everyMs, async () => {
      if (term.isHeld()) await run(term);
    }),
  );
  for (const { now } of jobs) void now();
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(jobs.map(({ stop }) => stop()));
    },
  };
}
