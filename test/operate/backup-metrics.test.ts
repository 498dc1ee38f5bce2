import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createExposition } from "../../src/adapters/prometheus/exposition.ts";
import { createBackupRecord, type BackupRecord } from "../../src/domain/backup/backup-record.ts";
import { backupMetrics } from "../../src/operate/backup-metrics.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

const at = (text: string) => Date.parse(text) / 1000;
const now = at("2026-11-20T12:00:00Z");

/** The metrics of a process whose clock a test turns, over a folder of its own. */
async function open(given: { readonly isCluster?: boolean; readonly schedule?: string | null } = {}) {
  const dir = join(folder.path, crypto.randomUUID());
  await mkdir(dir);
  let seconds = 0;
  const clock = { nowSeconds: () => now + seconds, steadySeconds: () => seconds };
  const record: BackupRecord = createBackupRecord();
  const { schedule = "@hourly", isCluster = false } = given;
  const backup = { schedule, keep: 7, dir, passphrase: null, bucket: null };
  // The boundary: of the database it is only asked whether it is another machine's.
  const database = (isCluster ? {} : null) as null;
  const failed: unknown[] = [];
  const metrics = backupMetrics({ config: { backup, database }, record, clock });
  const exposition = createExposition(metrics, (_, error) => void failed.push(error));
  return {
    dir,
    record,
    advance: (by: number) => void (seconds += by),
    put: (name: string) => Bun.write(join(dir, `cloakroom-${name}.tar.zst`), "x"),
    read: async () => {
      const found = [...parsePrometheusText(await exposition.text()).values()];
      expect(failed).toEqual([]);
      return Object.fromEntries(
        found.flatMap(({ samples }) =>
          samples.map(({ name, labels, value }) => [
            [
              name.replace("cloakroom_backup_", "").replace("_timestamp_seconds", ""),
              ...Object.values(labels),
            ].join(" "),
            value,
          ]),
        ),
      );
    },
  };
}

const followed = { due: at("2026-11-20T13:00:00Z"), target_up: 1 };

test("without a schedule there is no metric, and a node that does not lead has no value", async () => {
  expect(await (await open({ schedule: null })).read()).toEqual({});
  const { read, record, put } = await open();
  await put("2026-11-20T10-00-00Z");
  expect(await read()).toEqual({});
  const leading = record.follow(now);
  expect(await read()).toMatchObject({ target_up: 1 });
  leading[Symbol.dispose]();
  expect(await read()).toEqual({});
});

test("the age is that of the newest backup of each kind, also right after a start", async () => {
  const { read, record, put } = await open();
  for (const name of ["2026-11-20T09-00-00Z", "2026-11-20T10-00-00Z", "2026-11-20T11-00-00Z-incomplete"])
    await put(name);
  // Neither counts: the future has no age.
  for (const name of ["2027-01-01T00-00-00Z", "other"]) await put(name);
  record.follow(now);
  expect(await read()).toEqual({
    "newest complete": at("2026-11-20T10:00:00Z"),
    "newest incomplete": at("2026-11-20T11:00:00Z"),
    due: at("2026-11-20T12:00:00Z"),
    target_up: 1,
  });
});

test("a backup that is late is due in the past, also where no backup was made since the start", async () => {
  const { read, record, put, advance } = await open();
  record.follow(now);
  expect(await read()).toEqual(followed);
  advance(3 * 3600);
  expect(await read()).toEqual(followed);
  await put("2026-11-20T14-00-01Z");
  advance(3600);
  expect(await read()).toMatchObject({ due: at("2026-11-20T15:00:00Z") });
});

test("a node that has just begun to lead is not late by what it made when it led before", async () => {
  const { read, record, put } = await open({ isCluster: true });
  await put("2026-11-01T10-00-00Z");
  record.follow(now);
  expect(await read()).toMatchObject({ ...followed, "newest complete": at("2026-11-01T10:00:00Z") });
});

test("the result is that of the last scheduled backup, which shows at once", async () => {
  const { read, record, put } = await open();
  const schedule = record.follow(now);
  expect(await read()).toEqual(followed);
  await put("2026-11-20T12-00-00Z");
  expect(await read()).toEqual(followed);
  schedule.note(true);
  expect(await read()).toEqual({ ...followed, "newest complete": now, last_succeeded: 1 });
  schedule.note(false);
  expect(await read()).toMatchObject({ last_succeeded: 0 });
});

test("a place that cannot be listed is down, and what was found there before stays known", async () => {
  const { read, record, put, dir, advance } = await open();
  await put("2026-11-20T10-00-00Z");
  record.follow(now);
  const before = await read();
  await rm(dir, { recursive: true });
  await Bun.write(dir, "no folder");
  expect(await read()).toEqual(before);
  advance(301);
  expect(await read()).toEqual({ ...before, target_up: 0 });
  await rm(dir);
  await mkdir(dir);
  await put("2026-11-20T11-00-00Z");
  advance(301);
  expect(await read()).toMatchObject({ "newest complete": at("2026-11-20T11:00:00Z"), target_up: 1 });
});

describe("a record", () => {
  test("that a new term follows is not changed by the end of the last one", () => {
    const record = createBackupRecord();
    const first = record.follow(1);
    const second = record.follow(2);
    first.note(false);
    first[Symbol.dispose]();
    expect(record.read()).toEqual({ since: 2, ended: 0, hasSucceeded: null });
    second.note(true);
    expect(record.read()).toEqual({ since: 2, ended: 1, hasSucceeded: true });
    second[Symbol.dispose]();
    expect(record.read()).toBeNull();
  });
});
