import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  keepTimelines,
  newerThan,
  noteTimeline,
  recallTimelines,
} from "../../../src/adapters/postgres/connections/timelines.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "cloakroom-timelines-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const randomSystem = () => String(crypto.getRandomValues(new BigUint64Array(1))[0]);
const at = (system: string, timeline: number) => ({
  isStandby: false,
  isReadOnly: false,
  history: { system, timeline, startedAt: "0" },
});

test("what a node has used before its restart is known after it, of the same cluster alone", async () => {
  const [system, file] = [randomSystem(), join(folder, "before")];
  expect(newerThan(at(system, 1))).toBeNull();
  await writeFile(file, `${system} 3\n`);
  recallTimelines(file);
  expect([1, 2, 3, 4].map((timeline) => newerThan(at(system, timeline)))).toEqual([3, 3, null, null]);
  expect(newerThan(at(randomSystem(), 1))).toBeNull();
  expect(newerThan({ isStandby: false, isReadOnly: false, history: null })).toBeNull();
});

test("what is used is noted beside what another node of the same folder has noted, for the owner alone", async () => {
  const [system, other, file] = [randomSystem(), randomSystem(), join(folder, "noted")];
  keepTimelines(file);
  await writeFile(file, `${other} 5\n`);
  noteTimeline(at(system, 0xa));
  noteTimeline(at(system, 2));
  const text = () => readFile(file, "utf8");
  while (!(await text()).includes(system)) await Bun.sleep(5);
  expect((await text()).split("\n")).toEqual(expect.arrayContaining([`${other} 5`, `${system} 10`]));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a file that was damaged counts for what can be read of it", async () => {
  const [system, file] = [randomSystem(), join(folder, "damaged")];
  await writeFile(file, `\u0000nonsense\n${system} 4\n${system} x\n`);
  recallTimelines(file);
  expect(newerThan(at(system, 1))).toBe(4);
});
