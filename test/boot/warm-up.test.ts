/** What a server does before its first picture is asked for. */
import { expect, test } from "bun:test";
import { warmUp } from "../../src/boot/warm-up.ts";
import { createHistogram } from "../../src/kernel/histogram.ts";
import { openHarness } from "../support/harness.ts";

test("the first picture is prepared without a word, though its player does not exist", async () => {
  await using harness = await openHarness();
  const asked: string[] = [];
  const { prepare } = harness.listen();
  await warmUp(
    {
      log: harness.log,
      pictureTimes: () => [],
      prepare: (path) => {
        asked.push(path);
        return prepare(path);
      },
    },
    new AbortController().signal,
  );
  expect(asked.length).toBeGreaterThan(1);
  expect(harness.takeComplaints()).toEqual([]);
});

test("nothing is prepared once a picture was drawn", async () => {
  await using harness = await openHarness();
  const drawn = [{ view: "head", type: "skin", seconds: createHistogram([1]).read() }];
  await warmUp(
    { log: harness.log, pictureTimes: () => drawn, prepare: refuse },
    new AbortController().signal,
  );
  expect(harness.takeComplaints()).toEqual([]);
});

test("what goes wrong meanwhile is a warning", async () => {
  await using harness = await openHarness();
  await warmUp({ log: harness.log, pictureTimes: () => [], prepare: refuse }, new AbortController().signal);
  expect(harness.takeComplaints()).toMatchObject([{ level: "warn", error: { message: "It was asked" } }]);
});

function refuse(): Promise<void> {
  return Promise.reject(new Error("It was asked"));
}
