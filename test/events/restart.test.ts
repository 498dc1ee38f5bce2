/** A real client goes on where it was after a restart of the server. */
import { afterAll, expect, test } from "bun:test";
import { createEventSource } from "eventsource-client";
import { temporaryFolder } from "../cli/run-program.ts";
import { openHarness } from "../support/harness.ts";
import { eventToken, manyNames, rename, somePlayer } from "./world.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

test("eventsource-client misses nothing and gets nothing twice", async () => {
  const path = "/api/service/events";
  let address = "";
  const first = await openHarness({ folder: folder.path });
  const token = await eventToken(first);
  const player = await somePlayer(first, "Anna");
  const begin = await first.services.reads.events.newestEventId();
  const server = first.listen();
  ({ address } = server);
  const ids: number[] = [];
  let more = Promise.withResolvers<void>();
  const until = async (count: number) => {
    while (ids.length < count) await more.promise;
  };
  const client = createEventSource({
    // Each start takes another port.
    url: `http://server.example${path}`,
    fetch: (_, init) =>
      fetch(address + path, { ...init, headers: { ...init?.headers, authorization: token } }),
    onMessage: ({ id, data }) => {
      expect(String(JSON.parse(data).id)).toBe(String(id));
      ids.push(Number(id));
      more.resolve();
      more = Promise.withResolvers();
    },
    initialLastEventId: String(begin),
  });
  await rename(first.services, player, ...manyNames(3));
  await until(3);
  await server.stop();
  await rename(first.services, player, ...manyNames(4, 10));
  await first[Symbol.asyncDispose]();
  await using second = await openHarness({ folder: folder.path });
  ({ address } = second.listen());
  await rename(second.services, player, ...manyNames(2, 20));
  await until(9);
  client.close();
  expect(ids).toEqual(Array.from({ length: 9 }, (_, index) => begin + 1 + index));
}, 20_000);
