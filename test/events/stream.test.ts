/** `GET /api/service/events` (docs/contract/service.md#events). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createToken, revokeToken } from "../../src/domain/services/tokens.ts";
import { compose } from "../../src/boot/compose.ts";
import { limits } from "../../src/kernel/limits.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape } from "../support/members.ts";
import { bitmapHash, skinBitmap, skinPng } from "../support/textures.ts";
import { eventToken, manyNames, openStream, rename, somePlayer } from "./world.ts";

const harness = await openHarness({ eventPace: { commentMs: 30, lookMs: 10, gatherMs: 1 } });
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;
const { address } = harness.listen();
const path = `${address}/api/service/events`;
const token = await eventToken(harness);
const newest = () => services.reads.events.newestEventId();

test("sends events as they happen, with id, type and one line of JSON", async () => {
  await using stream = await openStream(path, token);
  const member = await addMember(harness, "Anna");
  const skin = await addSkin(harness, member, { file: skinPng(1), slim: "true" });
  const cape = await grantCape(harness, [member]);
  await wearCape(harness, member, skin, cape);
  const events = await stream.take(3);
  const at = new Date(harness.clock.nowSeconds() * 1000).toISOString();
  const player = { uuid: member.uuid, name: "Anna" };
  const first = Number(events[0]?.id);
  const url = (hash: string) => `${harness.config.publicUrl}/textures/${hash}`;
  const shown = { url: url(bitmapHash(skinBitmap(1))), model: "slim" };
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([
    { id: first, at, type: "player.created", player },
    { id: first + 1, at, type: "player.textures", player, skin: shown, cape: null },
    {
      id: first + 2,
      at,
      type: "player.textures",
      player,
      skin: shown,
      cape: { url: url(cape.texture.hash) },
    },
  ]);
  expect(events.map(({ id, event }) => `${id} ${event}`)).toEqual([
    `${first} player.created`,
    `${first + 1} player.textures`,
    `${first + 2} player.textures`,
  ]);
});

test("answers with headers that keep proxies from collecting it, and is counted and logged once", async () => {
  harness.takeRequests();
  await using stream = await openStream(path, token, { "accept-encoding": "gzip, zstd" });
  expect(stream.response.status).toBe(200);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  expect(stream.response.headers.get("content-encoding")).toBeNull();
  expect(harness.takeRequests()).toMatchObject([
    { route: "/api/service/events", status: 200, user: "service:follower" },
  ]);
});

test("HEAD shows the headers and opens no stream", async () => {
  const response = await harness.fetch("/api/service/events", {
    method: "HEAD",
    headers: { authorization: token },
  });
  expect([response.status, response.body]).toEqual([200, null]);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
});

describe("goes on", () => {
  test.each(["header", "query", "both"])("after the event that the client names: %s", async (way) => {
    const player = await somePlayer(harness, `Resumed_${way}`);
    const before = await newest();
    await rename(services, player, ...manyNames(250, 100 + before));
    const headers = way === "query" ? {} : { "last-event-id": String(before + 50) };
    // The header is newer than the address.
    const query = way === "header" ? "" : `?after=${way === "both" ? before : before + 50}`;
    await using stream = await openStream(path + query, token, headers);
    const events = await stream.take(200);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => before + 51 + index));
  });

  test("without an id with what happens from now on, and says where that is", async () => {
    const player = await somePlayer(harness, "Present");
    const before = await newest();
    await using stream = await openStream(path, token);
    await stream.until(`id: ${before}\n\n`);
    await rename(services, player, "Later");
    expect(await stream.next()).toMatchObject({ id: String(before + 1), event: "player.renamed" });
  });

  test("with what another process has changed", async () => {
    const player = await somePlayer(harness, "Elsewhere");
    await using stream = await openStream(path, token);
    await using command = await compose(harness.config, { clock: harness.clock });
    await rename(command, player, "Elsewhere_2");
    expect(JSON.parse((await stream.next())?.data ?? "")).toMatchObject({
      type: "player.renamed",
      previous: "Elsewhere",
      player: { uuid: player.uuid, name: "Elsewhere_2" },
    });
  });
});

test.each(["-1", "1.5", "x", "99999999999999999999", "01", "1e3"])("refuses the id %s", async (id) => {
  for (const init of [
    { path: `/api/service/events?after=${id}`, headers: {} },
    { path: "/api/service/events", headers: { "last-event-id": id } },
  ]) {
    const headers = { authorization: token, ...init.headers };
    const response = await harness.fetch(init.path, { headers });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("an event, or 0"),
    ]);
  }
});

test("only a token with the right opens it", async () => {
  const other = await createToken(services, commandLine, "finder", ["find"]);
  const member = await addMember(harness, "Stranger", { level: 3 });
  const status = async (authorization: string) =>
    (await harness.fetch("/api/service/events", { headers: { authorization } })).status;
  expect([await status(other.token), await status(member.authorization), await status("x")]).toEqual([
    403, 401, 401,
  ]);
});

test("a comment comes when nothing happens", async () => {
  await using stream = await openStream(path, token);
  await stream.until("\n\n:\n\n:\n\n");
});

test("a stream ends when its token is revoked, and others go on", async () => {
  const revoked = await eventToken(harness, "for-a-while");
  const player = await somePlayer(harness, "Watched");
  await using ending = await openStream(path, revoked);
  await using lasting = await openStream(path, token);
  await revokeToken(services, commandLine, "for-a-while");
  expect(await ending.next()).toBeNull();
  await rename(services, player, "Watched_2");
  expect(await lasting.next()).toMatchObject({ event: "player.renamed" });
});

const reset = (id: number) => ({ id: String(id), event: "reset", data: `{"id":${id},"type":"reset"}` });

test("a reader that comes back too late, or from elsewhere, is sent a reset and then all that is kept", async () => {
  await using world = await openHarness({ eventPace: { lookMs: 10, gatherMs: 1 } });
  const server = world.listen();
  const events = `${server.address}/api/service/events`;
  const own = await eventToken(world);
  const player = await somePlayer(world, "Late");
  await rename(world.services, player, ...manyNames(5));
  const prune = (before: number, kept: number) =>
    world.services.transact(commandLine, ({ events: log }) =>
      log.deleteOldEvents({ before, kept, rows: 100 }),
    );
  expect(await prune(0, 3)).toBe(3);
  for (const after of [0, 2, 77]) {
    await using stream = await openStream(`${events}?after=${after}`, own);
    expect(await stream.next()).toEqual(reset(3));
    expect((await stream.take(3)).map(({ id }) => id)).toEqual(["4", "5", "6"]);
  }
  await using intime = await openStream(`${events}?after=3`, own);
  expect((await intime.take(3)).map(({ id }) => id)).toEqual(["4", "5", "6"]);
  world.clock.advance(limits.eventSeconds + 1);
  expect(await prune(world.clock.nowSeconds() - limits.eventSeconds, 100)).toBe(3);
  await using late = await openStream(`${events}?after=5`, own);
  expect(await late.next()).toEqual(reset(6));
  await using present = await openStream(`${events}?after=6`, own);
  await rename(world.services, player, "After_all");
  expect([await late.next(), await present.next()]).toMatchObject([{ id: "7" }, { id: "7" }]);
});

test("so many streams and no more; a place is free when one leaves", async () => {
  await using world = await openHarness({ eventPace: { lookMs: 10 } });
  const server = world.listen();
  const events = `${server.address}/api/service/events`;
  const own = await eventToken(world);
  const streams = await Promise.all(
    Array.from({ length: limits.eventStreamsMax }, () => openStream(events, own)),
  );
  const refused = await openStream(events, own);
  expect([refused.response.status, refused.response.headers.get("retry-after")]).toEqual([429, "5"]);
  await streams[0]?.[Symbol.asyncDispose]();
  for (;;) {
    await using again = await openStream(events, own);
    if (again.response.status === 200) break;
  }
  const stopping = server.stop();
  expect(await Promise.all(streams.slice(1).map((stream) => stream.next()))).toEqual(
    streams.slice(1).map(() => null),
  );
  await stopping;
});
