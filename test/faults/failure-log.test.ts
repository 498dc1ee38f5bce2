import { expect, test } from "bun:test";
import { refusals } from "../../src/domain/model/refusals.ts";
import type { LogFields } from "../../src/kernel/log-fields.ts";
import { repeat } from "../../src/jobs/repeat.ts";

test("a work that fails is logged each time, but while the database is away only once", async () => {
  const lines: string[] = [];
  const note = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push(`${level}: ${message} (${Object.keys(fields ?? {}).join()})`);
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const away = refusals.unavailable();
  const results = [away, away, null, away, new Error("a fault"), new Error("a fault"), away];
  const { now, stop } = repeat(log, "it was not done", 60_000, async () => {
    const result = results.shift();
    if (result) throw result;
  });
  while (results.length > 0) await now();
  await stop();
  const [warning, error] = ["warn: it was not done (reason)", "error: it was not done (error)"];
  expect(lines).toEqual([warning, warning, error, error, warning]);
});
