/**
 * What each change leaves for others: events, subjects of the change feed, entries of the audit, counts, and
 * what searches find. One series of changes with failures and kills in it leaves the same on both engines,
 * and the same as ever: `recorded-changes.golden.txt`, which UPDATE_GOLDENS=1 writes again.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openHarness } from "../support/harness.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openRecorder } from "./recorder.ts";
import { playSeries, serviceToken } from "./recorded-series.ts";

const golden = join(import.meta.dir, "recorded-changes.golden.txt");

if (postgresMissing !== null) console.error(`NOT RUN: recorded changes on PostgreSQL (${postgresMissing})`);

const runs = [
  ["SQLite", "sqlite", "twice"],
  ["SQLite", "sqlite", "once"],
  ["PostgreSQL", "postgres", "twice"],
  ["PostgreSQL", "postgres", "once"],
] as const;

test.each(runs.filter(([, database]) => database === "sqlite" || postgresMissing === null))(
  "%s (%s), each work run %s",
  async (_, database, works) => {
    await using harness = await openHarness({
      works,
      on: { database, files: "files" },
      settings: {
        SERVICE_API_TOKEN: serviceToken,
        RENAME_HOURS: "0",
        PLAYER_UUIDS: "random",
        SHARED_SKINS: "true",
      },
    });
    const recorder = await openRecorder(harness);
    await playSeries(harness, recorder);
    const found = `${recorder.lines.join("\n")}\n`;
    if (process.env["UPDATE_GOLDENS"]) await Bun.write(golden, found);
    expect(found.split("\n")).toEqual((await Bun.file(golden).text()).split("\n"));
  },
  120_000,
);
