/** What the set-up page says of backups, by what the server finds (docs/contract/console.md#set-up). */
import { afterAll, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import { createServingChecks } from "../../src/operate/serving-checks.ts";
import { areBackupsPlanned, havePeopleJoined } from "../../src/web/pages/setup/checks.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
await writeFile(join(folder.path, "file"), "");

test.each([
  ["no schedule", {}, false],
  ["a schedule", { BACKUP_SCHEDULE: "0 4 * * *" }, true],
  [
    "a schedule and no folder",
    { BACKUP_SCHEDULE: "0 4 * * *", BACKUP_DIR: join(folder.path, "file") },
    false,
  ],
])("with %s", async (name, environment, isDone) => {
  const dataDir = join(folder.path, name);
  await mkdir(dataDir, { mode: 0o700 });
  const flags = { DATA_DIR: dataDir };
  const loaded = await loadConfig({ flags, environment, file: null, logsToTerminal: false });
  const clock = { nowSeconds: () => Math.floor(Date.now() / 1000), steadySeconds: () => 0 };
  using checks = createServingChecks({ loaded, clock });
  expect(areBackupsPlanned(await checks.read())).toBe(isDone);
});

test("without the server's findings it does not say", () => {
  expect(areBackupsPlanned([])).toBe(null);
});

test.each([
  [null, null],
  [1, false],
  [2, true],
])("people are invited with %p accounts: %p", (total, isDone) => {
  const known = total === null ? null : { checks: [], accounts: { total, unconfirmed: 0 } };
  expect(havePeopleJoined(known)).toBe(isDone);
});
