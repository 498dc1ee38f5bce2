/** A client that does not read costs nothing, and is let go. */
import { afterAll, expect, test } from "bun:test";
import { createEventStreams } from "../../src/http/events/streams.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { openHarness } from "../support/harness.ts";
import { manyNames, rename, somePlayer } from "./world.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

/** Streams without a network, and how many pieces were read for them. */
function openStreams(stallMs: number) {
  let reads = 0;
  const { events } = harness.services.reads;
  const counting = {
    ...events,
    listEvents: (after: number, rows: number) => {
      reads += 1;
      return events.listEvents(after, rows);
    },
  };
  const streams = createEventStreams({
    ...harness.services,
    reads: { ...harness.services.reads, events: counting },
    publicUrl: () => "https://skins.example.org",
    log: harness.log,
    eventPace: { lookMs: 5, gatherMs: 1, stallMs, commentMs: 60_000 },
  });
  return { streams, reads: () => reads };
}

const player = await somePlayer(harness, "Anna");
await rename(harness.services, player, ...manyNames(350));

test("nothing is read for a client that does not take what it has", async () => {
  const { streams, reads } = openStreams(60_000);
  const reader = (await streams.open(commandLine, 0)).getReader();
  await reader.read();
  await reader.read();
  const before = reads();
  await rename(harness.services, player, ...manyNames(20, 500));
  expect([before, reads(), streams.count()]).toEqual([1, 1, 1]);
  await reader.cancel();
  expect(streams.count()).toBe(0);
});

test("a stream whose client takes nothing for long ends", async () => {
  const { streams } = openStreams(20);
  const reader = (await streams.open(commandLine, 0)).getReader();
  await reader.read();
  while (streams.count() > 0) await Bun.sleep(5);
  expect((await reader.read()).done).toBe(true);
});

test("streams that read the same share what is read", async () => {
  const { streams, reads } = openStreams(60_000);
  const opened = await Promise.all(Array.from({ length: 20 }, () => streams.open(commandLine, 0)));
  const readers = opened.map((stream) => stream.getReader());
  for (let piece = 0; piece < 3; piece++) await Promise.all(readers.map((reader) => reader.read()));
  expect(reads()).toBeLessThan(10);
  streams.close();
  expect(await streams.open(commandLine, 0).catch(String)).toContain("streams of events are open");
});
