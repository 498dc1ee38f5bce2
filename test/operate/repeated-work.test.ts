import { expect, test } from "bun:test";
import { refusals } from "../../src/domain/model/refusals.ts";
import { repeat } from "../../src/jobs/repeat.ts";
import { createLogger } from "../../src/kernel/log.ts";

/** What is logged by runs that end so, one after the other. */
async function loggedBy(ends: readonly (Error | null)[]): Promise<number> {
  let lines = 0;
  const log = createLogger({ level: "error", format: "json", write: () => void (lines += 1) });
  let run = 0;
  const work = repeat(log, "it failed", 3_600_000, async () => {
    const end = ends[run++];
    if (end instanceof Error) throw end;
  });
  for (const _ of ends) await work.now();
  await work.stop();
  return lines;
}

test("repeated work logs an outage once, and every other failure", async () => {
  const [away, broken] = [refusals.unavailable(), new Error("broken")];
  expect(await loggedBy([away, away, away])).toBe(1);
  expect(await loggedBy([away, null, away])).toBe(2);
  expect(await loggedBy([broken, broken])).toBe(2);
  expect(await loggedBy([away, broken, away, away])).toBe(3);
  expect(await loggedBy([null])).toBe(0);
});
