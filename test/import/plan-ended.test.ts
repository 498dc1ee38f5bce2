/* A plan lets signals and timers have their turn, also where every row is read at once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import { planOnly } from "../../src/operate/import/plan-import.ts";
import { choices } from "./fake-source.ts";
import { givenFor } from "./read-source.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "ended-"))));
afterAll(async () => await rm(folder, { recursive: true }));

test("a signal that comes between two steps ends it there", async () => {
  const file = join(folder, "people.csv");
  await Bun.write(file, "username\nAda\nBob\n");
  const environment = { DATA_DIR: join(folder, "data") };
  const { config } = await loadConfig({ flags: {}, environment, file: null, logsToTerminal: false });
  const ended = new AbortController();
  const steps: string[] = [];
  const planned = planOnly(
    config,
    { given: givenFor("csv", { file }), passphrase: null, sourceName: null, choices, report: null },
    {
      signal: ended.signal,
      progress: (step) => {
        steps.push(step);
        if (step === "comparing addresses") setImmediate(() => ended.abort(new Error("ended")));
      },
    },
  );
  expect(await planned.catch(String)).toBe("Error: ended");
  expect(steps).not.toContain("planning accounts");
});
