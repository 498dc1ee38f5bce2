/**
 * The same on the server that Debian's packages ship: one before PostgreSQL 18 would compile what a node
 * reads whole.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { packagedPrograms } from "../support/packaged-postgres.ts";

const programs = packagedPrograms();
if (programs === null) console.error("NOT RUN: what Debian's PostgreSQL compiles (apt install postgresql)");

test.skipIf(programs === null)("no statement is compiled by the server of Debian's packages", async () => {
  const run = Bun.spawn([process.execPath, "test", join(import.meta.dir, "compiling.test.ts")], {
    env: { ...process.env, TEST_POSTGRES_BIN: programs ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = await run.stderr.text();
  expect({ code: await run.exited, text }).toEqual({ code: 0, text: expect.stringContaining(" 1 pass\n") });
});
