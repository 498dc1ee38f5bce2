import type { Harness } from "./harness.ts";
import { openOtherEngine } from "./other-engine.ts";

/**
 * Does once what the leading node does for the engine now and then: on PostgreSQL, adding up counts and the
 * like.
 */
export async function keepUp(harness: Harness): Promise<void> {
  await using other = await openOtherEngine(harness);
  const { signal } = new AbortController();
  const term = { signal, isHeld: () => true, atomically: other.atomically };
  for (const { run } of harness.services.upkeep) await run(term);
}
